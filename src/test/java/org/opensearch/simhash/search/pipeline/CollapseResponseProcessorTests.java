/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.TotalHits;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.test.OpenSearchTestCase;

/** What a response processor makes of hits that no shard of this version sends. */
public class CollapseResponseProcessorTests extends OpenSearchTestCase {

    private static SearchResponse response(CollapseOptions options, int count) {
        SearchHit[] hits = new SearchHit[count];
        for (int i = 0; i < count; i++) {
            DocumentField unreadable =
                    new DocumentField(options.carrier(), List.of(Map.of(FingerprintFields.SCHEME, List.of("v1-a"))));
            hits[i] = new SearchHit(i, "" + i, new HashMap<>(Map.of(options.carrier(), unreadable)), Map.of());
        }
        SearchHits found = new SearchHits(hits, new TotalHits(count, TotalHits.Relation.EQUAL_TO), 1);
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
        return processor.processResponse(
                new SearchRequest("prints").source(new SearchSourceBuilder()), response(options, 4), search);
    }

    public void testHitsThatCannotBeReadAreAFailureThatMayBeIgnored() {
        assertEquals(2, processed(true).getHits().getHits().length);
        expectThrows(RuntimeException.class, () -> processed(false));
    }
}
