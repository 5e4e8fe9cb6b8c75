/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
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
import org.opensearch.search.fetch.StoredFieldsContext;

/**
 * Reads random documents of an index. The order is random, so the sizes of those that were read say how many to read at once: a
 * page holds about {@link #PAGE_BYTES}, all pages {@link #MOST_BYTES}, and no page begins after {@link #MOST_SECONDS}. Blocks its
 * thread.
 *
 * @param search a search of the index, with a preference or null
 * @param most hits of a search
 */
record RandomDocuments(BiFunction<SearchSourceBuilder, String, SearchResponse> search, int most) {

    private static final long PAGE_BYTES = 4L << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_SECONDS = 10;
    private static final int MOST_OF_A_PAGE = 500;

    /** The same index gives the same documents. */
    private static final int SEED = 64;

    /** A document, by what can be read without reading the document. */
    record Place(int shard, long seqNo) {}

    /** Random documents. One pass over those of the query; reads none of them. */
    List<Place> places(QueryBuilder query, int size) {
        FunctionScoreQueryBuilder byChance = new FunctionScoreQueryBuilder(
                        QueryBuilders.boolQuery().filter(query),
                        ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME))
                .boostMode(CombineFunction.REPLACE); // the score of a filter is 0
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(byChance)
                .size(Math.min(size, most))
                .trackTotalHits(false)
                .storedField(StoredFieldsContext._NONE_)
                .seqNoAndPrimaryTerm(true);
        List<Place> places = new ArrayList<>();
        search.apply(source, null)
                .getHits()
                .forEach(hit -> places.add(new Place(hit.getShard().getShardId().id(), hit.getSeqNo())));
        return places;
    }

    /**
     * Reads these documents, or fewer if they are large.
     *
     * @param paths of what is read; {@code null} for all
     * @param isEnough sees each document; {@code true} ends reading
     * @return the number of documents that were read
     */
    int read(List<Place> places, String[] paths, Predicate<SearchHit> isEnough) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        long bytes = 0;
        long largest = 1;
        int looked = 0;
        int page = 1;
        for (int from = 0; from < places.size() && bytes < MOST_BYTES && System.nanoTime() < end; ) {
            int to = Math.min(from + page, places.size());
            for (SearchHit hit : page(places.subList(from, to), paths)) {
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

    /** Documents that have changed since are left out. */
    private List<SearchHit> page(List<Place> places, String[] paths) {
        Map<Integer, List<Long>> byShard = new TreeMap<>();
        places.forEach(place ->
                byShard.computeIfAbsent(place.shard(), any -> new ArrayList<>()).add(place.seqNo()));
        List<SearchHit> hits = new ArrayList<>();
        byShard.forEach((shard, seqNos) -> {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(QueryBuilders.termsQuery(SeqNoFieldMapper.NAME, seqNos))
                    .size(Math.min(seqNos.size(), most))
                    .trackTotalHits(false)
                    .fetchSource(paths, null);
            search.apply(source, "_shards:" + shard).getHits().forEach(hits::add);
        });
        return hits;
    }
}
