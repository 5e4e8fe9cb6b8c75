/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.node.HelperAttacks.Attack;

/**
 * {@link HelperAttacks} on a node with 1 GB of heap: each is answered within seconds, the node lives, its
 * heap comes back, and others are served meanwhile.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HelperAttacksIT {

    private static final int SECONDS = Rounds.of(30, 5);
    private static final int AT_ONCE = 40;
    /** Of all of them: two threads that took two seconds for each would need 40. */
    private static final int SECONDS_AT_ONCE = Rounds.of(120, 30);

    /** Two collections by the parent breaker, and what lies between. */
    private static final int SECONDS_REFUSED = Rounds.of(60, 10);

    /** Of the heap, in percent. */
    private static final int MOST_USED = 40;

    private static final String INDEX = "attacked";
    private static final String HELPERS = "/_plugins/_simhash/";
    private static final NodeOptions NODE = oneGigabyte();

    private RealCluster cluster;
    private final ExecutorService senders = Executors.newCachedThreadPool();

    private static NodeOptions oneGigabyte() {
        List<String> jvm = new ArrayList<>(NodeOptions.production(1, "1g").jvmOptions());
        jvm.add("-XX:-AlwaysPreTouch");
        return new NodeOptions(1, jvm, Map.of());
    }

    @BeforeAll
    void start() {
        cluster = RealCluster.start(Distribution.ofTheBuild(), NODE);
        fill();
    }

    private void fill() {
        for (int i = 0; i < 20; i++) {
            client().must(
                            "PUT",
                            "/" + INDEX + "/_doc/" + i + "?refresh=true",
                            Json.write(Map.of("text", "a".repeat(60) + "! some more words " + i)));
        }
    }

    @AfterAll
    void stop() {
        senders.shutdownNow();
        cluster.close();
    }

    private RestClient client() {
        return cluster.client();
    }

    @Test
    @Order(1)
    void testEachIsAnsweredAndTheNodeLives() throws Exception {
        List<String> failures = new ArrayList<>();
        for (Attack attack : HelperAttacks.all()) {
            String failure = failure(attack);
            System.out.println(
                    (failure == null ? "held " : "FAILED ") + attack + (failure == null ? "" : ": " + failure));
            if (failure != null) {
                failures.add(attack + ": " + failure);
            }
        }
        assertEquals(List.of(), failures);
        assertTrue(HelperAttacks.all().size() >= 60);
        assertHeapIsFree();
    }

    /** Null when it was answered as it must be. */
    private String failure(Attack attack) throws Exception {
        long start = System.nanoTime();
        CompletableFuture<Answer> answer = send(attack);
        Thread.sleep(50);
        String failure = starved();
        try {
            Answer answered = answer.get(2L * SECONDS, TimeUnit.SECONDS);
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            boolean rightStatus = answered.status() == 400
                    || answered.status() == 429
                    || (attack.mayPass() && answered.status() == 200);
            String begin =
                    answered.text().substring(0, Math.min(300, answered.text().length()));
            if (rightStatus == false) {
                failure = answered.status() + " " + begin;
            } else if (millis > SECONDS * 1000L) {
                failure = "answered after " + millis + " ms";
            } else if (answered.status() != 200 && answered.text().length() > 10_000) {
                failure = "an error of " + answered.text().length() + " characters";
            } else {
                System.out.println(attack + " -> " + answered.status() + " after " + millis + " ms " + begin);
            }
        } catch (TimeoutException | ExecutionException e) {
            failure = "no answer: " + e;
        }
        if (failure != null && starved() != null) {
            failure += "; the node is gone or its threads are";
            cluster.kill(0);
            cluster.restart(0, NODE);
        }
        return failure;
    }

    private CompletableFuture<Answer> send(Attack attack) {
        return CompletableFuture.supplyAsync(
                () -> client().send("POST", HELPERS + attack.path(), attack.body()), senders);
    }

    /** What others wait for in vain; null for nothing. */
    private String starved() {
        try {
            return CompletableFuture.supplyAsync(this::others, senders)
                    .get(SECONDS + SECONDS_REFUSED, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException | InterruptedException e) {
            return "others waited: " + e;
        }
    }

    /** What others are refused; null for nothing. */
    private String others() {
        try {
            for (String path : List.of("/", "/_cluster/health", "/" + INDEX + "/_search")) {
                Answer answer = served(() -> client().get(path));
                if (answer.ok() == false) {
                    return path + " " + answer;
                }
            }
            Answer answer = served(this::plain);
            if (answer.ok() == false) {
                return "another helper " + answer;
            }
        } catch (UncheckedIOException e) {
            return "others: " + e;
        }
        return null;
    }

    /**
     * Tries again as clients do: the parent breaker counts garbage, and collects it at most each five seconds. Until then it
     * may refuse anything.
     */
    private static Answer served(Supplier<Answer> request) {
        Answer answer = request.get();
        long start = System.nanoTime();
        while (answer.status() == 429 && System.nanoTime() - start < SECONDS_REFUSED * 1_000_000_000L) {
            LockSupport.parkNanos(50_000_000);
            answer = request.get();
        }
        return answer;
    }

    private Answer plain() {
        return client().send(
                        "POST", HELPERS + "fingerprint", "{\"config\":{},\"text\":\"a plain text of some words\"}");
    }

    /** After a collection, for which an idle node would have no reason. */
    private void assertHeapIsFree() throws IOException, InterruptedException {
        cluster.collectGarbage(0);
        Answer stats = client().get("/_nodes/stats/jvm,breaker");
        Object node = ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
        long used = ((Number) Json.at(node, "jvm.mem.heap_used_percent")).longValue();
        assertEquals(0, Json.at(node, "breakers.simhash.estimated_size_in_bytes"));
        assertTrue(used <= MOST_USED, "of the heap are used: " + used + " %");
    }

    /** Many at once: each is answered in time, and a plain request finds a turn. */
    @Test
    @Order(2)
    void testManyAtOnceDoNotStarveOthers() throws Exception {
        List<Attack> slow = HelperAttacks.all().stream()
                .filter(attack ->
                        attack.body().length() > 500_000 && attack.body().length() < 3_000_000)
                .limit(AT_ONCE)
                .toList();
        long start = System.nanoTime();
        List<CompletableFuture<Long>> times = slow.stream()
                .map(attack -> send(attack).thenApply(answer -> {
                    assertTrue(List.of(200, 400, 429).contains(answer.status()), answer.toString());
                    return Duration.ofNanos(System.nanoTime() - start).toMillis();
                }))
                .toList();
        while (times.stream().allMatch(CompletableFuture::isDone) == false) {
            assertServed();
            Thread.sleep(20);
        }
        for (CompletableFuture<Long> time : times) {
            assertTrue(time.get() < SECONDS_AT_ONCE * 1000L, "answered after " + time.get() + " ms");
        }
        assertServed();
        assertHeapIsFree();
        assertEquals(200, plain().status());
    }

    /** A plain search that is tried again as clients do. */
    private void assertServed() {
        long asked = System.nanoTime();
        Answer search = served(() -> client().get("/" + INDEX + "/_search"));
        long millis = Duration.ofNanos(System.nanoTime() - asked).toMillis();
        assertTrue(search.ok(), "after " + millis + " ms: " + search);
        assertTrue(millis < SECONDS_AT_ONCE * 1000L, "a search waited " + millis + " ms");
    }

    /** Both threads are free again as soon as their requests are cancelled, whatever time they may take. */
    @Test
    @Order(3)
    void testACancelledFingerprintGivesItsThreadBack() throws Exception {
        setMaxTime("\"60s\"");
        try {
            Map<String, Object> slow =
                    Map.of("config", Map.of("analyzer", "smartcn"), "text", "我购买了道具和服装".repeat(350_000));
            Attack attack = new Attack("slow", "fingerprint", Json.write(slow), true);
            List<CompletableFuture<Answer>> answers = List.of(send(attack), send(attack));
            DeletingJob.await(() -> activeHelpers() == 2);
            client().must("POST", "/_tasks/_cancel?actions=*simhash/fingerprint", null);
            long start = System.nanoTime();
            assertEquals(200, plain().status());
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            assertTrue(millis < 2000L * SECONDS, "another one waited " + millis + " ms");
            for (CompletableFuture<Answer> answer : answers) {
                String text = answer.get(SECONDS, TimeUnit.SECONDS).text();
                assertTrue(text.contains("was cancelled"), text);
            }
        } finally {
            setMaxTime("null");
        }
    }

    private void setMaxTime(String time) {
        client().must(
                        "PUT",
                        "/_cluster/settings",
                        "{\"transient\":{\"plugins.simhash.helpers.max_time\":" + time + "}}");
    }

    private long activeHelpers() {
        Answer stats = client().get("/_nodes/stats/thread_pool");
        Object node = ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
        return ((Number) Json.at(node, "thread_pool.simhash_inspect.active")).longValue();
    }
}
