/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.opensearch.action.search.ClearScrollRequest;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * A repeatable random sample: the documents with the highest random scores by a fixed seed. One scroll finds the least score in
 * large pages, another one reads the documents that have it in small pages, since they may be large. One thread, which blocks.
 */
final class RandomSample {

    private static final int SEED = 64;

    /** OpenSearch's default limit. A hit without its document takes a few hundred bytes. */
    private static final int SCORES = 10_000;

    /** For all shards together; each sends a page, 28 bytes per hit. */
    private static final int SCORES_OF_SHARDS = 1_000_000;

    /** Documents may be large. */
    private static final int DOCUMENTS = 50;

    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(2);

    private final FeatureWeightsAction.Request request;
    private final Client client;
    private final Client searching;
    private final TimeValue keepAlive;
    private final int mostHits;
    private final int shards;
    private int scored;
    private float least;

    RandomSample(
            InspectServices services,
            CancellableTask task,
            FeatureWeightsAction.Request request,
            List<String> indices) {
        this.request = request;
        this.client = services.client();
        this.searching =
                new ParentTaskAssigningClient(client, services.transport().getLocalNode(), task);
        TimeValue maxKeepAlive = services.cluster().getClusterSettings().get(SearchService.MAX_KEEPALIVE_SETTING);
        this.keepAlive = maxKeepAlive.compareTo(KEEP_ALIVE) < 0 ? maxKeepAlive : KEEP_ALIVE;
        Metadata metadata = services.cluster().state().metadata();
        this.mostHits = SearchedIndices.mostHits(metadata, indices);
        this.shards = SearchedIndices.shards(metadata, indices);
    }

    /** @throws SearchPhaseExecutionException if a shard failed: shares of a partial sample would be wrong */
    void read(String[] paths, Consumer<SearchHit[]> pages) {
        int pageOfScores = pageOfScores(request.sampleSize, mostHits, shards);
        scroll(new SearchSourceBuilder().query(byChance()).size(pageOfScores).fetchSource(false), hits -> {
            int taken = Math.min(hits.length, request.sampleSize - scored);
            scored += taken;
            least = hits[taken - 1].getScore();
            return scored < request.sampleSize && hits.length == pageOfScores;
        });
        SearchSourceBuilder documents = new SearchSourceBuilder()
                .query(byChance().setMinScore(least))
                .sort(FieldSortBuilder.DOC_FIELD_NAME)
                .size(Math.min(DOCUMENTS, mostHits))
                .fetchSource(paths, null);
        if (scored > 0) {
            scroll(documents, hits -> {
                pages.accept(hits);
                return true;
            });
        }
    }

    static int pageOfScores(int sampleSize, int mostHits, int shards) {
        int fitting = Math.clamp(SCORES_OF_SHARDS / Math.max(1, shards), DOCUMENTS, SCORES);
        return Math.min(Math.min(fitting, mostHits), sampleSize);
    }

    private static FunctionScoreQueryBuilder byChance() {
        return new FunctionScoreQueryBuilder(
                ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME));
    }

    private void scroll(SearchSourceBuilder source, Predicate<SearchHit[]> reader) {
        SearchRequest search = request.search(source).scroll(keepAlive);
        ClearScrollRequest clear = new ClearScrollRequest();
        try {
            SearchResponse page = searching.search(search).actionGet();
            clear.addScrollId(page.getScrollId());
            while (hits(page).length > 0 && reader.test(hits(page))) {
                page = searching
                        .searchScroll(new SearchScrollRequest(page.getScrollId()).scroll(keepAlive))
                        .actionGet();
            }
        } finally {
            if (clear.getScrollIds() != null) {
                client.clearScroll(clear, ActionListener.wrap(cleared -> {}, e -> {}));
            }
        }
    }

    private static SearchHit[] hits(SearchResponse page) {
        if (page.getFailedShards() > 0) {
            throw new SearchPhaseExecutionException(
                    "sample", "a shard failed while documents were sampled", page.getShardFailures());
        }
        return page.getHits().getHits();
    }
}
