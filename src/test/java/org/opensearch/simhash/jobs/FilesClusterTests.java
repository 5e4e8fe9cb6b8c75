/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.BeforeClass;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.io.PathUtils;
import org.opensearch.common.io.PathUtilsForTesting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.join.WatchedDisk;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.client.Client;

/** Jobs that join in files: a full disk, a node that leaves, too little memory. Nothing is left on any disk, and no task hangs. */
@OwnNodes
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class FilesClusterTests extends HookedClusterTestCase {

    private static final String INDEX = "copies";
    private static final int DOCUMENTS = 1_200;
    private static final int PATIENCE_SECONDS = 120;

    private static WatchedDisk disk;

    @BeforeClass
    public static void watchDisk() {
        disk = new WatchedDisk(PathUtils.getDefaultFileSystem());
        PathUtilsForTesting.installMock(disk.getFileSystem(null));
    }

    @After
    public void nothingIsLeft() throws Exception {
        disk.watch((file, bytes) -> {});
        set(Settings.builder().putNull(DeduplicateMemory.ALLOWANCE.getKey()).putNull(DeduplicateDisk.MOST.getKey()));
        limitRequests(null);
        assertBusy(() -> assertEquals(
                List.of(),
                client().admin()
                        .cluster()
                        .prepareListTasks()
                        .setActions("*simhash*")
                        .get()
                        .getTasks()));
        assertEquals("open files", 0, disk.open());
        for (String node : internalCluster().getNodeNames()) {
            Path folder = data(node).resolve("simhash");
            if (Files.exists(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    assertEquals(List.of(), files.toList());
                }
            }
        }
    }

    public void testAnotherNodeDoesWhatAFullDiskEnds() throws IOException {
        long pairs = fill();
        inFiles();
        String full = randomFrom(internalCluster().getNodeNames());
        Path data = data(full);
        AtomicInteger refused = new AtomicInteger();
        WatchedDisk.Watch later = WatchedDisk.full(between(0, 20_000));
        disk.watch((file, bytes) -> {
            if (file.startsWith(data)) {
                try {
                    later.write(file, bytes);
                } catch (IOException e) {
                    refused.incrementAndGet();
                    throw e;
                }
            }
        });
        JobResponse response = start("{}", client()).actionGet();
        assertEquals(pairs, response.count("pairs"));
        assertEquals(6, response.count("passes"));
        assertEquals("the node is asked once", 1, refused.get());
    }

    public void testAJobWithoutANodeWithRoomSaysWhereAndWhy() throws IOException {
        long pairs = fill();
        inFiles();
        disk.watch(WatchedDisk.full(between(0, 20_000)));
        Exception e = expectThrows(
                Exception.class, () -> start("{\"action\":\"tag\"}", client()).actionGet());
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        assertTrue(
                cause.toString(),
                cause.getMessage()
                        .matches("a file of a pass in \\[.*simhash] cannot be written from byte [0-9]+ on,"
                                + " [0-9]+ bytes are free there: No space left on device"));
        assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(cause));
        disk.watch((file, bytes) -> {});
        assertEquals(pairs, start("{}", client()).actionGet().count("pairs"));
    }

    public void testANodeThatLeavesWhileItJoinsEndsTheJobOrItsPassIsDoneAgain() throws Exception {
        String leaving = internalCluster().startDataOnlyNode();
        String staying = internalCluster().getNodeNames()[0];
        long pairs = fill();
        inFiles();
        Path data = data(leaving);
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        disk.watch((file, bytes) -> {
            if (file.startsWith(data)) {
                writes.countDown();
                await(mayEnd);
            }
        });
        ActionFuture<JobResponse> job = start("{}", client(staying));
        Thread stop = new Thread(() -> stop(leaving));
        try {
            assertTrue("it does a pass", writes.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            stop.start();
            try {
                assertEquals(
                        pairs, job.actionGet(PATIENCE_SECONDS, TimeUnit.SECONDS).count("pairs"));
            } catch (OpenSearchTimeoutException e) {
                throw new AssertionError("the job hangs", e);
            } catch (RuntimeException e) {
                logger.info("the job ended with the node", e);
            }
        } finally {
            mayEnd.countDown();
            stop.join();
        }
        // It had a part of the point in time.
        forgetWarningsOf("org.opensearch.action.search.PitService");
    }

    public void testAPassWithoutMemoryIsRefusedBeforeItReads() throws IOException {
        fill();
        set(Settings.builder().put(DeduplicateMemory.ALLOWANCE.getKey(), "1mb"));
        limitRequests("50kb");
        Set<String> read = ConcurrentHashMap.newKeySet();
        AtomicInteger passes = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof PairsAction.Request) {
                passes.incrementAndGet();
            } else if (passes.get() > 0 && request instanceof SearchRequest search) {
                read.add(search.source().toString());
            }
            return null;
        });
        Exception e = expectThrows(Exception.class, () -> start("{}", client()).actionGet());
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        String start =
                "the fingerprints of a pass must fit into the breaker [request], got: 75kb for 1200 fingerprints: ";
        assertTrue(cause.toString(), cause.getMessage().startsWith(start));
        assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(cause));
        assertEquals(1, passes.get());
        assertEquals(Set.of(), read);
        forgetWarningsOfBreakers();
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the node is closed", e);
        }
    }

    private static void stop(String node) {
        try {
            internalCluster().stopRandomNode(InternalTestCluster.nameFilter(node));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path data(String node) {
        return internalCluster().getInstance(NodeEnvironment.class, node).nodePaths()[0].path;
    }

    /** Six passes, each of more fingerprints than the heap is allowed. */
    private static void inFiles() {
        set(Settings.builder()
                .put(DeduplicateMemory.ALLOWANCE.getKey(), "16kb")
                .put(DeduplicateDisk.MOST.getKey(), "32kb"));
    }

    private ActionFuture<JobResponse> start(String options, Client client) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, options)) {
            return client.execute(
                    DeduplicateAction.INSTANCE,
                    DeduplicateAction.Request.fromXContent(
                            new String[] {INDEX}, parser, new WritePace(Float.POSITIVE_INFINITY, 50)));
        }
    }

    private static void set(Settings.Builder settings) {
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }

    /** A shard on each node; returns how many near pairs there are. */
    private long fill() {
        newIndex(
                INDEX,
                "{'properties': {}}",
                internalCluster().numDataNodes(),
                0,
                "index.routing.allocation.total_shards_per_node",
                1);
        ensureGreen(INDEX);
        List<Long> values = new ArrayList<>();
        BulkRequestBuilder bulk = client().prepareBulk();
        long pairs = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            long bits = i > 0 && random().nextInt(3) == 0
                    ? values.get(random().nextInt(i)) ^ (1L << random().nextInt(64))
                    : randomLong();
            for (long before : values) {
                pairs += Fingerprint.distance(bits, before) <= 3 ? 1 : 0;
            }
            values.add(bits);
            Map<String, Object> simhash = new HashMap<>(Map.of("bits", bits, "scheme", "v1-a"));
            bulk.add(client().prepareIndex(INDEX).setId("" + i).setSource(Map.of("simhash", simhash)));
        }
        assertFalse(bulk.get().hasFailures());
        refresh(INDEX);
        return pairs;
    }
}
