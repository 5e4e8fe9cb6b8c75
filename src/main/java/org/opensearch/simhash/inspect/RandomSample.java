/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortOrder;

/**
 * The documents that score best when chance gives the scores, always the same ones by a fixed seed. Two searches find them. The first
 * reads nothing of them but the scores, in large pages, because each page looks at all documents; it tells the least score of the
 * sample. The second reads the documents that score as much in the order of the index, which is one way through it however small the
 * pages are.
 *
 * <p>There are 2^24 scores: among many millions of documents some beyond the sample have its least one, too. So few are they that the
 * last in the order of the index may as well be left out.
 */
final class RandomSample {

    private static final int SEED = 64;
    /** Of what OpenSearch allows by default. A hit without its document is a few hundred bytes. */
    private static final int SCORES = 10_000;
    /** Documents may be large. */
    private static final int DOCUMENTS = 50;

    private final FeatureWeightsAction.Request request;
    private final TimeValue keepAlive;
    private final int mostHits;

    private int scored;
    private float least;

    /** @param mostHits that one page may have */
    RandomSample(FeatureWeightsAction.Request request, TimeValue keepAlive, int mostHits) {
        this.request = request;
        this.keepAlive = keepAlive;
        this.mostHits = mostHits;
    }

    SearchRequest scores() {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(byChance())
                .size(pageOfScores())
                .fetchSource(false)
                .storedField("_none_");
        return search(source);
    }

    private int pageOfScores() {
        return Math.min(Math.min(SCORES, mostHits), request.sampleSize());
    }

    /** Takes a page of scores, the best first. Whether the sample may have more. */
    boolean addScores(SearchHit[] hits) {
        for (SearchHit hit : hits) {
            if (isFull()) {
                return false;
            }
            scored++;
            least = hit.getScore();
        }
        return isFull() == false && hits.length == pageOfScores();
    }

    /** Whether there are documents beyond the sample, perhaps. */
    private boolean isFull() {
        return scored == request.sampleSize();
    }

    /**
     * Once all scores were added.
     *
     * @param paths what is read of each document
     */
    SearchRequest documents(String[] paths) {
        FunctionScoreQueryBuilder query = byChance();
        if (isFull()) {
            query.setMinScore(least);
        }
        // Without scores: with them, each page would look at all documents for the greatest.
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(query)
                .sort(FieldSortBuilder.DOC_FIELD_NAME, SortOrder.ASC)
                .size(Math.min(Math.min(DOCUMENTS, mostHits), request.sampleSize()))
                .fetchSource(paths, null);
        return search(source);
    }

    private static FunctionScoreQueryBuilder byChance() {
        return new FunctionScoreQueryBuilder(
                ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME));
    }

    private SearchRequest search(SearchSourceBuilder source) {
        // A default search pipeline of the index might hide the very documents that share most.
        return new SearchRequest(request.indices())
                .indicesOptions(request.indicesOptions())
                .source(source)
                .scroll(keepAlive)
                .allowPartialSearchResults(false)
                .pipeline("_none");
    }
}
