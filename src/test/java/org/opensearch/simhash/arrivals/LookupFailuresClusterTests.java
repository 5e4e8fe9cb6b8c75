/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.decision.DuplicateAction;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.round.ArrivedDocuments;
import org.opensearch.simhash.arrivals.round.Rounds;
import org.opensearch.simhash.arrivals.window.Windows;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.search.pair.PairConditions;

/** If a lookup fails, no document is lost: its pipeline decides. */
public class LookupFailuresClusterTests extends NearDuplicateClusterTestCase {

    private static final String INTO_BROKEN = "'action': 'drop', 'index': 'broken'";

    @After
    public void nothingIsHeld() {
        assertNothingHeld();
    }

    public void testAMissingIndex() {
        assertFailureIsHandled(
                "[1] could not be looked up in [broken], the [index] of [near_duplicate]: no such index [broken]",
                RestStatus.NOT_FOUND);
    }

    public void testAClosedIndex() {
        index("broken", 1);
        assertAcked(client().admin().indices().prepareClose("broken").get());
        assertFailureIsHandled(
                "[1] could not be looked up in [broken], the [index] of [near_duplicate]: closed",
                RestStatus.BAD_REQUEST);
    }

    public void testARedIndex() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("broken")
                .setWaitForActiveShards(0)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.require._name", "nobody")));
        assertFailureIsHandled(
                "[1] could not be looked up in [broken], the [index] of [near_duplicate]: Search rejected due to missing shards",
                RestStatus.SERVICE_UNAVAILABLE);
    }

    public void testAnIndexOfWhichHalfIsThere() {
        halfOf("broken");
        assertFailureIsHandled(
                "[1] could not be looked up in [broken], the [index] of [near_duplicate]",
                RestStatus.SERVICE_UNAVAILABLE);
    }

    private static void halfOf(String index) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setWaitForActiveShards(ActiveShardCount.NONE)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.total_shards_per_node", 1)
                        .put(
                                "index.routing.allocation.require._name",
                                internalCluster().getNodeNames()[0])));
        assertFalse(client().admin()
                .cluster()
                .prepareHealth(index)
                .setWaitForActiveShards(1)
                .get()
                .isTimedOut());
    }

    private static void lookupTimeout(String value) {
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put("plugins.simhash.near_duplicate.lookup_timeout", value)));
    }

    public void testTooLittleMemory() {
        index("broken", 1);
        CircuitBreaker breaker = internalCluster()
                .getInstance(CircuitBreakerService.class, internalCluster().getNodeNames()[0])
                .getBreaker("simhash");
        long rest = breaker.getLimit() - breaker.getUsed() - 1;
        lookupTimeout("200ms"); // the wait for memory
        breaker.addWithoutBreaking(rest);
        try {
            assertFailureIsHandled(
                    "[1] could not be looked up in [broken], the [index] of [near_duplicate]: [simhash] Data too large",
                    RestStatus.TOO_MANY_REQUESTS);
        } finally {
            breaker.addWithoutBreaking(-rest);
            lookupTimeout(null);
        }
    }

    /**
     * The document fails, continues, or is handled, as the pipeline says. The bulk's documents in other indices are not
     * affected.
     */
    private void assertFailureIsHandled(String message, RestStatus status) {
        index(DOCS, 1);
        pipeline(INTO_BROKEN);
        BulkItemResponse failed = send(DOCS, "1", print(0b1));
        assertTrue(failed.isFailed());
        assertTrue(failed.getFailureMessage(), failed.getFailureMessage().contains(message));
        assertEquals(failed.getFailureMessage(), status, failed.status());
        assertEquals(Map.of(), stored(DOCS));

        pipeline(INTO_BROKEN + ", 'ignore_failure': true");
        assertIndexed(send(DOCS, ordered("1", print(0b1), "2", print(0b1), "3", print(~0L))));
        assertEquals(expected("1", null, "2", null, "3", null), tags(DOCS));

        pipeline(INTO_BROKEN
                + ", 'on_failure': [{'set': {'field': 'unchecked', 'value': '{{_ingest.on_failure_message}}'}}]");
        assertIndexed(send(DOCS, ordered("4", print(0b1), "5", print(0b1))));
        for (String id : List.of("4", "5")) {
            assertNotNull(stored(DOCS).get(id).get("unchecked"));
        }
    }

    public void testTheOwnIndexMayBeMissing() {
        pipeline("'action': 'drop'");
        assertIndexed(send("new-1", ordered("1", print(0b1), "2", print(0b1))));
        assertEquals(expected("1", null, "2", "1:0?"), tags("new-1"));
        client().admin().indices().prepareDelete("new-1").get();
        // A new index of the same name has nothing in common with the old one.
        assertIndexed(send("new-1", ordered("3", print(0b1))));
        assertEquals(expected("3", null), tags("new-1"));
    }

    public void testTheOwnIndexMayBeWithoutShardsYet() {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(DOCS)
                .setWaitForActiveShards(0)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.require._name", "nobody")));
        pipeline("'action': 'fail'");
        var bulk = node().prepareBulk().setTimeout("100ms");
        bulk.add(new IndexRequest(DOCS).id("1").source(print(0b1)).setPipeline(PIPELINE));
        bulk.add(new IndexRequest(DOCS).id("2").source(print(0b1)).setPipeline(PIPELINE));
        BulkItemResponse[] items = bulk.get().getItems();
        for (BulkItemResponse item : items) {
            assertTrue(item.getFailureMessage(), item.getFailureMessage().contains("primary shard is not active"));
        }
    }

    private static final DuplicateRule TAG = new DuplicateRule(
            SketchKind.SIMHASH,
            "simhash",
            List.of(),
            OptionalInt.empty(),
            OptionalDouble.empty(),
            null,
            false,
            null,
            DuplicateAction.TAG,
            NearDuplicateProcessor.TYPE,
            OwnWords.DEFAULT_MOST,
            false,
            PairConditions.NONE,
            false);

    private static NearDuplicates services() {
        return internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0]);
    }

    public void testDocumentsOfABrokenRoundAreCountedAsFailed() {
        setting("window.nodes", "local"); // Otherwise the other node would be asked first.
        NearDuplicates services = services();
        long before = services.counts().get(DuplicateCount.FAILED);
        Arrival near = Arrivals.of("0", 0);
        near.numbered(services.roundServices().knowledge().window().admit(List.of(near)));
        List<Arrival> arrivals = List.of(Arrivals.nowhere("1"), Arrivals.nowhere("2"));
        List<DocumentResult> decisions = new ArrayList<>();
        Rounds.start(services.roundServices(), TAG, services.scopes(List.of()), arrivals, decisions::addAll);
        assertEquals(2, decisions.size());
        decisions.forEach(decision -> assertNotNull(decision.failure()));
        assertEquals(before + 2, services.counts().get(DuplicateCount.FAILED));
        // Hides them from other tests.
        Windows.drop(services.roundServices().knowledge().window(), near.number());
        arrivals.forEach(
                arrival -> Windows.drop(services.roundServices().knowledge().window(), arrival.number()));
        setting("window.nodes", null);
    }

    /** OpenSearch started the round, and answers the bulk. */
    public void testWhatComesAfterARoundThatIsDecidedAtOnceFailsWhereItWasStarted() {
        setting("window.nodes", "local"); // Otherwise the other node would be asked first.
        NearDuplicates services = services();
        Arrival alone = Arrivals.notYetSearchable("alone");
        AtomicInteger calls = new AtomicInteger();
        Exception thrown = expectThrows(
                ClassCastException.class,
                () -> Rounds.start(
                        services.roundServices(), TAG, services.scopes(List.of()), List.of(alone), decisions -> {
                            calls.incrementAndGet();
                            throw new ClassCastException("a processor further on");
                        }));
        assertEquals("a processor further on", thrown.getMessage());
        assertEquals(1, calls.get());
        Windows.drop(services.roundServices().knowledge().window(), alone.number());
        setting("window.nodes", null);
    }

    /** A bulk of hundreds of thousands would exceed the stack, and an error there ends the node. */
    public void testRoundsThatAreDecidedAtOnceDoNotRunWithinEachOther() {
        setting("window.nodes", "local"); // Otherwise the other node would be asked first.
        assertEquals(depthAfter(1), depthAfter(5_000));
        window().forget(Set.of("nowhere"));
        setting("window.nodes", null);
    }

    /** The calls on the stack when documents of an index that does not exist are decided. */
    private static int depthAfter(int documents) {
        NearDuplicates services = services();
        List<IngestDocument> arriving = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            Map<String, Object> source = new HashMap<>(print(randomLong()));
            arriving.add(new IngestDocument("nowhere", "id" + i, null, 1L, VersionType.INTERNAL, source));
        }
        AtomicInteger depth = new AtomicInteger();
        new ArrivedDocuments(
                        services.roundServices(), TAG, Arrivals.criteria(3, null), () -> services.scopes(List.of()))
                .decide(arriving, decisions -> {
                    assertEquals(documents, decisions.size());
                    depth.set(Thread.currentThread().getStackTrace().length);
                });
        return depth.get();
    }

    /** OpenSearch would lose the exception, and never answer. */
    public void testWhatIsBrokenBehindTheProcessorFailsTheBulk() {
        index(DOCS, 1);
        Map<String, Object> broken = new HashMap<>(print(0b11));
        broken.put("broken", true);
        for (String script : List.of("ctx._routing = 7", "ctx[5] = \\'x\\'")) {
            processors("{'near_duplicate': {}}, {'script': {'if': 'ctx.broken == true', 'source': '" + script + "'}}");
            Exception e = expectThrows(Exception.class, () -> send(DOCS, ordered("0", broken, "1", print(0b1))));
            String message = ExceptionsHelper.unwrapCause(e).getMessage();
            assertTrue(message, message.contains("nothing of the bulk was done: what comes after [near_duplicate]"));
            // A document sent again is no duplicate of one that was never stored.
            pipeline("");
            assertEquals(expected("1", null), sentAgain());
        }
        assertEquals(Map.of(), stored(DOCS));
    }

    private Map<String, Object> sentAgain() {
        assertIndexed(send(DOCS, ordered("1", print(0b1))));
        Map<String, Object> tags = new HashMap<>(tags(DOCS));
        client().prepareDelete(DOCS, "1").get();
        return tags;
    }
}
