/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.opensearch.simhash.folders.Folders;

/**
 * Three nodes go from release to release of OpenSearch, one after the other, with the same zip; those of the first release may have an older
 * one. Meanwhile a client writes pairs of equal texts through the processors, a client searches, and jobs run. In the end each acknowledged
 * document is there with its fingerprint, the second of a pair is tagged, no search has missed a document, and one job has the groups of
 * all nodes. And a node gets a plugin that the others cannot read: nothing is lost, no node ends, and a sentence says what to do.
 */
class RollingUpgrade {

    private static final String INDEX = "upgraded";
    private static final int NODES = 3;
    /** The oldest first. */
    private static final List<String> RELEASES =
            List.of(System.getProperty("upgrade.path").split(","));
    /** Of which another node got the second than the first, and no refresh came between: each change of a node may make two. */
    private static final int SPLIT_PAIRS = 4 * NODES * (RELEASES.size() - 1);

    private static final Path ZIP = Distribution.ofTheBuild().zip();

    private static final List<String> SAMPLE = new SampleIndex().words("en");

    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final AtomicLong pairs = new AtomicLong();
    private final AtomicInteger searches = new AtomicInteger();
    private final AtomicInteger jobs = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** The node that is on its way down or up: whoever is answered by it, or not, asks again. */
    private volatile int away = -1;

    private RealCluster cluster;

    @Test
    void testThreeNodesAreUpgradedAtWork() throws Exception {
        NodeOptions options = NodeOptions.quick(NODES);
        Path older = Path.of(System.getProperty("upgrade.plugin", ZIP.toString()));
        try (RealCluster started = RealCluster.start(distribution(RELEASES.getFirst(), older), options)) {
            cluster = started;
            prepare();
            List<Thread> clients = List.of(
                    Thread.ofPlatform().start(this::write),
                    Thread.ofPlatform().start(this::search),
                    Thread.ofPlatform().start(this::runJobs));
            for (String release : RELEASES.subList(1, RELEASES.size())) {
                for (int node = NODES - 1; node >= 0; node--) {
                    awaitWork();
                    away = node;
                    cluster.upgrade(node, release, distribution(release, ZIP), options);
                    green();
                    away = -1;
                    awaitWork();
                }
            }
            goesOn.set(false);
            for (Thread client : clients) {
                client.join();
            }
            assertEquals(List.of(), List.copyOf(wrong));
            judge();
        }
    }

    @Test
    void testNodesThatCannotReadEachOtherLoseNothing() throws Exception {
        String release = RELEASES.getLast();
        String sentence = "install the same version on all nodes";
        Path folder = Distribution.ofTheBuild().newFolder();
        NodeOptions options = NodeOptions.quick(NODES);
        try (RealCluster started = RealCluster.start(distribution(release, ZIP), options)) {
            cluster = started;
            prepare();
            RestClient client = cluster.client();
            client.must("PUT", "/_ingest/pipeline/drops", """
                    {"processors": [{"simhash": {"field": "content"}}, {"near_duplicate": {"action": "drop"}}]}""");
            client.must(
                    "PUT", "/_ingest/pipeline/prints", "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}");
            String query = Json.write(Map.of("query", Map.of("simhash", Map.of("text", text(1)))));
            cluster.upgrade(2, "other", distribution(release, otherForm(folder)), options);
            green();
            int acknowledged = 0;
            for (int i = 0; i < 60; i++) {
                Answer written = cluster.client(i % NODES)
                        .send(
                                "PUT",
                                "/" + INDEX + "/_doc/" + i + "?pipeline=" + (i % 2 == 0 ? "drops" : "prints"),
                                Json.write(Map.of("content", text(i))));
                boolean isRefused =
                        i % 2 == 0 && written.status() == 503 && written.text().contains(sentence);
                assertTrue(isRefused || "created".equals(written.string("result")), written.text());
                acknowledged += isRefused ? 0 : 1;
            }
            assertTrue(acknowledged >= 30 && acknowledged < 60, acknowledged + " documents");
            client.must("POST", "/" + INDEX + "/_refresh", null);
            for (int node = 0; node < NODES; node++) {
                assertEquals(
                        acknowledged,
                        cluster.client(node).get("/" + INDEX + "/_count").number("count"));
                // Of a shard that refuses, OpenSearch asks the other copy.
                Answer found = cluster.client(node).send("POST", "/" + INDEX + "/_search", query);
                boolean isWhole =
                        found.ok() && found.number("_shards.failed") == 0 && found.number("hits.total.value") == 1;
                assertTrue(isWhole || found.text().contains(sentence), found.text());
                Answer job = cluster.client(node)
                        .send("POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"max_distance\": 3}");
                assertTrue(job.ok() || job.text().contains(sentence), job.text());
                Answer stats = cluster.client(node).must("GET", "/_plugins/_simhash/stats", null);
                assertTrue(((Map<?, ?>) stats.at("nodes")).size() >= 1, stats.text());
            }
            cluster.upgrade(2, "same", distribution(release, ZIP), options);
            green();
            assertEquals(1, client.must("POST", "/" + INDEX + "/_search", query).number("hits.total.value"));
        } finally {
            Folders.delete(folder);
        }
    }

    /** The zip of a version that writes and reads all messages in the next form. */
    private static Path otherForm(Path folder) throws IOException {
        Path zip = Files.copy(ZIP, folder.resolve("other.zip"));
        Path jar = folder.resolve("other.jar");
        try (FileSystem whole = FileSystems.newFileSystem(zip);
                Stream<Path> entries = Files.list(whole.getPath("/"))) {
            Path own = entries.filter(entry -> entry.getFileName().toString().matches("opensearch-simhash.*jar"))
                    .findFirst()
                    .orElseThrow();
            Files.copy(own, jar);
            try (FileSystem classes = FileSystems.newFileSystem(jar)) {
                Path form = classes.getPath("org/opensearch/simhash/search/message/MessageForm.class");
                byte[] code = Files.readAllBytes(form);
                int changed = 0;
                for (int i = 0; i < code.length - 1; i++) {
                    if (code[i] == Opcodes.BIPUSH && code[i + 1] == (byte) 0x81) {
                        code[i + 1]++;
                        changed++;
                    }
                }
                assertEquals(2, changed, "places of the form");
                Files.write(form, code);
            }
            Files.copy(jar, own, StandardCopyOption.REPLACE_EXISTING);
        }
        return zip;
    }

    private static Distribution distribution(String release, Path zip) {
        Distribution build = Distribution.ofTheBuild();
        return new Distribution(build.stock().resolveSibling("opensearch-" + release), zip, build.work());
    }

    private void prepare() {
        RestClient client = cluster.client();
        client.must("PUT", "/_ingest/pipeline/" + INDEX, """
                {"processors": [{"simhash": {"field": "content"}}, {"near_duplicate": {"action": "tag"}}]}""");
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(Map.of(
                        "settings",
                        Map.of("number_of_shards", 3, "number_of_replicas", 1, "default_pipeline", INDEX),
                        "mappings",
                        new SampleIndex().mappings())));
        green();
    }

    private void green() {
        Answer health = cluster.client((away + 1) % NODES)
                .must("GET", "/_cluster/health?wait_for_status=green&timeout=240s&wait_for_nodes=" + NODES, null);
        assertEquals("green", health.string("status"), health.text());
    }

    /** Until each client has done something more. */
    private void awaitWork() throws InterruptedException {
        long written = pairs.get();
        int searched = searches.get();
        int run = jobs.get();
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (pairs.get() < written + 20 || searches.get() < searched + 20 || jobs.get() < run + 1) {
            assertEquals(List.of(), List.copyOf(wrong));
            assertTrue(System.nanoTime() < deadline, pairs + " pairs, " + searches + " searches, " + jobs + " jobs");
            Thread.sleep(20);
        }
    }

    /** Words that no other pair has in this order. */
    private static String text(long pair) {
        var words = new StringBuilder();
        long state = pair;
        for (int i = 0; i < 60; i++) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            words.append(SAMPLE.get((int) Math.floorMod(state >>> 33, (long) SAMPLE.size())))
                    .append(' ');
        }
        return words.toString();
    }

    /** Sent until a node says that it is done, as clients do: the same id, so that nothing is written twice. */
    private Answer untilAnswered(String method, String path, String body) {
        for (int attempt = 0; ; attempt++) {
            int node = attempt % NODES;
            if (node == away) {
                continue;
            }
            try {
                Answer answer = cluster.client(node).send(method, path, body);
                // OpenSearch fetches hits from the copy that found them, and from no other if that one goes.
                boolean isPassing = answer.status() == 503
                        || answer.status() == 429
                        || answer.status() == 404
                        || answer.text().matches("(?s).*node_(disconnected|not_connected|closed)_exception.*");
                if (isPassing == false || attempt > 600) {
                    return answer;
                }
            } catch (UncheckedIOException e) {
                if (attempt > 600) {
                    throw e;
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void write() {
        try {
            while (goesOn.get()) {
                long pair = pairs.get();
                for (String part : List.of("a", "b")) {
                    String document = Json.write(Map.of("content", text(pair)));
                    Answer answer = untilAnswered("PUT", "/" + INDEX + "/_doc/" + pair + part, document);
                    if (answer.ok() == false) {
                        wrong.add(answer.toString());
                    }
                }
                pairs.incrementAndGet();
            }
        } catch (RuntimeException e) {
            wrong.add(e.toString());
        }
    }

    /** The first pair is there from the start of the searches on. */
    private void search() {
        try {
            while (pairs.get() == 0 && goesOn.get()) {
                pause();
            }
            cluster.client().must("POST", "/" + INDEX + "/_refresh", null);
            String query = Json.write(Map.of("query", Map.of("simhash", Map.of("text", text(0), "max_distance", 0))));
            while (goesOn.get()) {
                Answer found =
                        untilAnswered("POST", "/" + INDEX + "/_search?allow_partial_search_results=false", query);
                if (found.ok() == false || found.number("hits.total.value") != 2) {
                    wrong.add(found.toString());
                }
                searches.incrementAndGet();
            }
        } catch (RuntimeException e) {
            wrong.add(e.toString());
        }
    }

    /** A job ends with the node that runs it, and with one that it asks: the next one goes on. */
    private void runJobs() {
        try {
            while (goesOn.get()) {
                Answer job = untilAnswered("POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"max_distance\": 3}");
                if (job.ok()) {
                    jobs.incrementAndGet();
                } else if (job.status() < 500) {
                    wrong.add(job.toString());
                }
            }
        } catch (RuntimeException e) {
            wrong.add(e.toString());
        }
    }

    private void judge() {
        RestClient client = cluster.client();
        Answer nodes = client.get("/_nodes/_all/plugins");
        List<String> versions = new ArrayList<>();
        ((Map<?, ?>) nodes.at("nodes")).values().forEach(node -> versions.add((String) Json.at(node, "version")));
        assertEquals(new TreeSet<>(List.of(RELEASES.getLast())), new TreeSet<>(versions));
        client.must("POST", "/" + INDEX + "/_refresh", null);
        long written = pairs.get();
        assertTrue(written >= 20L * 2 * NODES, "pairs: " + written);
        Answer check = client.must("GET", "/_plugins/_simhash/check/" + INDEX, null);
        assertEquals(2 * written, check.number("documents"), check.text());
        assertEquals(2 * written, check.number("fingerprinted"), check.text());
        assertEquals("ok", check.string("status"), check.text());
        assertEquals(1, ((List<?>) check.at("schemes")).size(), check.text());
        String tagged = "{\"query\": {\"exists\": {\"field\": \"near_duplicate.id\"}}}";
        long tags = client.must("POST", "/" + INDEX + "/_count", tagged).number("count");
        assertTrue(tags >= written - SPLIT_PAIRS, tags + " tags, " + written + " pairs");
        Answer job = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX,
                "{\"max_distance\": 3, \"dest\": {\"index\": \"g\"}}");
        assertEquals(written, job.number("duplicates"), job.text());
        assertEquals(written, job.number("groups"), job.text());
    }
}
