/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.lucene.search.TotalHits;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.OriginalIndices;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.text.Text;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.highlight.HighlightField;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

/** What a response processor makes of hits that no shard of this version sends, and of very many or large ones. */
public class CollapseResponseProcessorTests extends OpenSearchTestCase {

    /** @param parts what the shards say of the prints of each */
    private static SearchResponse response(CollapseOptions options, int count, Map<String, Object> parts, int total) {
        SearchHit[] hits = new SearchHit[count];
        for (int i = 0; i < count; i++) {
            DocumentField said = new DocumentField(options.carrier(), List.of(parts));
            hits[i] = new SearchHit(i, "" + i, new HashMap<>(Map.of(options.carrier(), said)), Map.of());
            hits[i].shard(new SearchShardTarget("node", new ShardId("prints", "_na_", 0), null, OriginalIndices.NONE));
        }
        SearchHits found = new SearchHits(hits, new TotalHits(total, TotalHits.Relation.EQUAL_TO), 1);
        return new SearchResponse(
                new SearchResponseSections(found, null, null, false, null, null, 1),
                null,
                1,
                1,
                0,
                1,
                ShardSearchFailure.EMPTY_ARRAY,
                SearchResponse.Clusters.EMPTY);
    }

    private static SearchResponse processed(boolean ignoreFailure) {
        CollapseOptions options = CollapseOptions.parse(null, new HashMap<>());
        CollapseResponseProcessor processor = new CollapseResponseProcessor(
                null,
                null,
                ignoreFailure,
                options,
                new Counters<>(CollapseCount.class),
                new VerifiedHits.Services(null, kind -> null, bytes -> {}, null, Runnable::run));
        PipelineProcessingContext search = new PipelineProcessingContext();
        new CollapsePlan(options, 0, 2, 4, false, Set.of(), null, TaskId.EMPTY_TASK_ID).keepFor(search);
        SearchResponse unreadable = response(options, 4, Map.of(FingerprintFields.SCHEME, List.of("v1-a")), 4);
        return processor.processResponse(
                new SearchRequest("prints").source(new SearchSourceBuilder()), unreadable, search);
    }

    public void testHitsThatCannotBeReadAreAFailureThatMayBeIgnored() {
        assertEquals(2, processed(true).getHits().getHits().length);
        expectThrows(RuntimeException.class, () -> processed(false));
    }

    /** @param warnings what it warns of is added */
    private int workElsewhere(
            CollapseOptions options, CollapsePlan.Further further, SearchResponse response, List<String> warnings) {
        AtomicInteger elsewhere = new AtomicInteger();
        try (NoOpClient client = new NoOpClient(getTestName()) {
            @Override
            @SuppressWarnings("unchecked")
            protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
                    ActionType<R> action, Q request, ActionListener<R> listener) {
                int window = ((SearchRequest) request).source().size();
                listener.onResponse((R) response(options, window, prints(1L, 1_000), 10_000));
            }
        }) {
            RequestWarnings told = new RequestWarnings();
            client.threadPool().getThreadContext().putTransient("_simhash_warnings", told);
            CollapseResponseProcessor processor = new CollapseResponseProcessor(
                    null,
                    null,
                    false,
                    CollapseOptions.parse(null, new HashMap<>()),
                    new Counters<>(CollapseCount.class),
                    new VerifiedHits.Services(client, kind -> null, bytes -> {}, null, work -> {
                        elsewhere.incrementAndGet();
                        work.run();
                    }));
            PipelineProcessingContext search = new PipelineProcessingContext();
            int window = response.getHits().getHits().length;
            new CollapsePlan(options, 0, 2, window, false, Set.of(), further, TaskId.EMPTY_TASK_ID).keepFor(search);
            processor.processResponse(new SearchRequest("prints").source(new SearchSourceBuilder()), response, search);
            warnings.addAll(told.sentences());
        }
        return elsewhere.get();
    }

    private static CollapseOptions options(Object... definition) {
        Map<String, Object> typed = new HashMap<>();
        for (int i = 0; i < definition.length; i += 2) {
            typed.put((String) definition[i], definition[i + 1]);
        }
        return CollapseOptions.parse(null, typed);
    }

    private void assertElsewhere(boolean isElsewhere, CollapseOptions options, int hits, Map<String, Object> parts) {
        SearchResponse response = response(options, hits, parts, hits);
        assertEquals(isElsewhere ? 1 : 0, workElsewhere(options, null, response, new ArrayList<>()));
    }

    private static Map<String, Object> prints(Object print, int count) {
        return Map.of(
                "values",
                Collections.nCopies(count, print),
                "digest",
                List.of("d"),
                "scheme",
                List.of("s"),
                "group",
                List.of("g"));
    }

    public void testWhatTakesMoreThanAMillisecondIsDoneOnAnotherThread() {
        assertElsewhere(false, options(), 100, prints(1L, 10));
        assertElsewhere(true, options(), 100, prints(1L, 11));
        byte[] sketch = Sketch.of(new long[] {1, 2, 3}, 3, 128).bytes();
        CollapseOptions sketches = options("sketch", "minhash");
        assertElsewhere(false, sketches, 200, prints(sketch, 1));
        assertElsewhere(true, sketches, 210, prints(sketch, 1));
        assertElsewhere(false, sketches, 20, prints(sketch, 10));
        assertElsewhere(true, sketches, 21, prints(sketch, 10));
        assertElsewhere(false, options("by", "group"), 1_000, prints(1L, 1));
        assertElsewhere(true, options("by", "group"), 1_001, prints(1L, 1));
        CollapseOptions conditions = options("by", "group", "same", List.of("tenant"));
        assertElsewhere(false, conditions, 200, prints(1L, 1));
        assertElsewhere(true, conditions, 210, prints(1L, 1));
    }

    public void testAPageThatIsNotFullBecauseHitsAreLargeSaysSo() {
        byte[] source = new byte[3 << 20];
        source[0] = '{';
        String text = "x".repeat(source.length);
        SearchHit inner = new SearchHit(0).sourceRef(new BytesArray(source));
        SearchHits inners = new SearchHits(new SearchHit[] {inner}, null, 1);
        List<Consumer<SearchHit>> carriers = List.of(
                hit -> hit.sourceRef(new BytesArray(source)),
                hit -> hit.setDocumentField("content", new DocumentField("content", List.of(text))),
                hit -> hit.highlightFields(
                        Map.of("content", new HighlightField("content", new Text[] {new Text(text)}))),
                hit -> hit.setInnerHits(Map.of("others", inners)));
        carriers.forEach(carrier -> assertWarnsOfLargeHits(10_000, carrier));
        assertWarnsOfLargeHits(30, carriers.getFirst());
        assertWarnsOfLargeHits(0, carriers.getFirst());
    }

    public void testAWindowThatNobodyTypedIsNotRefused() {
        CollapsePlan.Further further = new CollapsePlan.Further(
                window -> new SearchRequest("prints").source(new SearchSourceBuilder().size(window)), 10_000);
        List<String> warnings = new ArrayList<>();
        workElsewhere(options(), further, response(options(), 30, prints(1L, 1_000), 10_000), warnings);
        assertEquals(
                List.of("[collapse_near_duplicates] the page is not full, because more hits would have more than 100000"
                        + " fingerprints"),
                warnings);
        SearchResponse typed = response(options(), 101, prints(1L, 1_000), 10_000);
        expectThrows(OpenSearchStatusException.class, () -> workElsewhere(options(), further, typed, warnings));
    }

    private void assertWarnsOfLargeHits(int maxWindow, Consumer<SearchHit> carrier) {
        CollapseOptions options = options();
        SearchResponse response = response(options, 30, prints(1L, 1), 1_000);
        response.getHits().forEach(carrier);
        CollapsePlan.Further further = new CollapsePlan.Further(
                window -> {
                    throw new AssertionError("no more than 64 MB");
                },
                maxWindow);
        List<String> warnings = new ArrayList<>();
        workElsewhere(options, maxWindow == 0 ? null : further, response, warnings);
        assertEquals(
                maxWindow == 10_000
                        ? List.of("[collapse_near_duplicates] the page is not full, because more hits would take more"
                                + " than 64 MB")
                        : List.of(),
                warnings);
    }
}
