/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Reads random documents of an index. The order is random, so the sizes of those that were read say how many to read at once: a
 * page holds about {@link #PAGE_BYTES}, all pages {@link #MOST_BYTES}, and no page begins after {@link #MOST_SECONDS}. Blocks its
 * thread.
 *
 * @param most hits of a search of the index
 */
record RandomDocuments(Function<SearchSourceBuilder, SearchResponse> search, int most) {

    private static final long PAGE_BYTES = 4L << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_SECONDS = 10;
    private static final int MOST_OF_A_PAGE = 500;

    /** The same index gives the same documents. */
    private static final int SEED = 64;

    /** Ids of random documents. One pass over the documents of the query. */
    List<String> ids(QueryBuilder query, int size) {
        FunctionScoreQueryBuilder byChance = new FunctionScoreQueryBuilder(
                        QueryBuilders.boolQuery().filter(query),
                        ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME))
                .boostMode(CombineFunction.REPLACE); // the score of a filter is 0
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(byChance)
                .size(Math.min(size, most))
                .trackTotalHits(false)
                .fetchSource(false);
        List<String> ids = new ArrayList<>();
        search.apply(source).getHits().forEach(hit -> ids.add(hit.getId()));
        return ids;
    }

    /**
     * Reads these documents, or fewer if they are large.
     *
     * @param paths of what is read; {@code null} for all
     * @param isEnough sees each document; {@code true} ends reading
     * @return the number of documents that were read
     */
    int read(List<String> ids, String[] paths, Predicate<SearchHit> isEnough) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        long bytes = 0;
        long largest = 1;
        int looked = 0;
        int page = 1;
        for (int from = 0; from < ids.size() && bytes < MOST_BYTES && System.nanoTime() < end; ) {
            int to = Math.min(from + page, ids.size());
            for (SearchHit hit : page(ids.subList(from, to), paths)) {
                BytesReference read = hit.getSourceRef();
                bytes += read == null ? 0 : read.length();
                largest = Math.max(largest, read == null ? 0 : read.length());
                looked++;
                if (isEnough.test(hit)) {
                    return looked;
                }
            }
            from = to;
            page = Math.clamp(PAGE_BYTES / largest, 1, Math.min(2 * page, MOST_OF_A_PAGE));
        }
        return looked;
    }

    private Iterable<SearchHit> page(List<String> ids, String[] paths) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .size(Math.min(2 * ids.size(), most)) // Routing may give several documents one id.
                .trackTotalHits(false)
                .fetchSource(paths, null);
        return search.apply(source).getHits();
    }
}
