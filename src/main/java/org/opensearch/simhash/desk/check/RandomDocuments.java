/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/**
 * Reads random documents of indices. The sizes of those that were read say how many to read at once. A page holds about
 * {@link #PAGE_BYTES}, all pages {@link #MOST_BYTES}, and no page begins after {@link #MOST_SECONDS}. Blocks its thread.
 *
 * @param indices their names
 * @param maxHits hits of a search, and terms of a query
 */
public record RandomDocuments(List<String> indices, int maxHits, Client client) {

    private static final long PAGE_BYTES = 4L << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_SECONDS = 10;
    private static final int MOST_OF_A_PAGE = 500;
    private static final int LOOKED_AT = 1_000;

    /** Of documents that are written at once: a node refuses a bulk of a tenth of its heap. */
    private static final long WRITTEN_BYTES = 8L << 20;

    /** What OpenSearch writes at once by itself. */
    private static final int MOST_WRITTEN = 1_000;

    private static final int MEASURED = 100;

    private static final int SEED = 64;

    /** A document, by what can be read without reading the document. */
    public record Position(ShardId shard, long seqNo) {}

    public static RandomDocuments of(List<IndexMetadata> indices, Client client) {
        int maxHits = indices.stream()
                .map(IndexMetadata::getSettings)
                .mapToInt(settings -> Math.min(
                        IndexSettings.MAX_RESULT_WINDOW_SETTING.get(settings),
                        IndexSettings.MAX_TERMS_COUNT_SETTING.get(settings)))
                .reduce(Integer.MAX_VALUE, Math::min);
        return new RandomDocuments(
                indices.stream().map(index -> index.getIndex().getName()).toList(), maxHits, client);
    }

    /** How many of all documents are written at once, by the sizes of some: few where a node has no room to read these. */
    public int atOnce() {
        long[] read = new long[2];
        try {
            readAll(QueryBuilders.matchAllQuery(), MEASURED, null, hit -> {
                read[0]++;
                read[1] += hit.hasSource() ? hit.getSourceRef().length() : 0;
            });
        } catch (RuntimeException e) {
            if (ExceptionsHelper.status(e) != RestStatus.TOO_MANY_REQUESTS) {
                throw e;
            }
            read[1] = WRITTEN_BYTES;
        }
        return Math.clamp(
                WRITTEN_BYTES * Math.max(1, read[0]) / Math.max(1, read[1]), 1, Math.min(maxHits, MOST_WRITTEN));
    }

    /** For a request by query. */
    public static String scrollSize(int atOnce) {
        return atOnce < MOST_WRITTEN ? "&scroll_size=" + atOnce : "";
    }

    /** Random documents. One pass over those of the query; reads none of them. */
    public List<Position> places(QueryBuilder query, int size) {
        FunctionScoreQueryBuilder byChance = new FunctionScoreQueryBuilder(
                        QueryBuilders.boolQuery().filter(query),
                        ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME))
                .boostMode(CombineFunction.REPLACE); // the score of a filter is 0
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(byChance)
                .size(Math.min(size, maxHits))
                .trackTotalHits(false)
                .storedField(StoredFieldsContext._NONE_)
                .seqNoAndPrimaryTerm(true);
        List<Position> places = new ArrayList<>();
        search(source, indices, null)
                .forEach(hit -> places.add(new Position(hit.getShard().getShardId(), hit.getSeqNo())));
        return places;
    }

    private SearchHits search(SearchSourceBuilder source, List<String> searched, String preference) {
        return client.search(searchOf(source, searched.toArray(String[]::new)).preference(preference))
                .actionGet()
                .getHits();
    }

    /** A search of all documents: no pipeline of the index changes it, and it fails if a shard does. */
    public static SearchRequest searchOf(SearchSourceBuilder source, String... indices) {
        return new SearchRequest(indices)
                .source(source)
                .allowPartialSearchResults(false)
                .pipeline("_none");
    }

    /** Reads random documents of a query, and returns how many it looked at: fewer than {@code size} if they are large. */
    public int readAll(QueryBuilder query, int size, String[] paths, Consumer<SearchHit> sees) {
        return read(places(query, size), paths, hit -> {
            sees.accept(hit);
            return false;
        });
    }

    /**
     * @param isEnough sees each document; {@code true} ends reading
     * @return how many of the places were looked at: fewer if documents are large
     */
    public int read(List<Position> places, String[] paths, Predicate<SearchHit> isEnough) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        long bytes = 0;
        long largest = 1;
        int page = 1;
        int from = 0;
        while (from < places.size() && bytes < MOST_BYTES && System.nanoTime() < end) {
            int to = Math.min(from + page, places.size());
            for (SearchHit hit : page(places.subList(from, to), paths)) {
                BytesReference read = hit.getSourceRef();
                bytes += read == null ? 0 : read.length();
                largest = Math.max(largest, read == null ? 0 : read.length());
                if (isEnough.test(hit)) {
                    return to;
                }
            }
            from = to;
            page = Math.clamp(PAGE_BYTES / largest, 1, Math.min(2 * page, Math.min(maxHits, MOST_OF_A_PAGE)));
        }
        return from;
    }

    /** Whether some document has a value there when a pipeline sees it, as far as the index tells: mappings copy values later. */
    boolean haveSome(CheckedIndex index, String field) {
        Map<?, ?> definition = index.mapping().definition(field);
        boolean isInSource = index.mapping().keepsInSource(field);
        boolean isFilledLater = definition != null
                && ("alias".equals(definition.get("type")) || index.mapping().isCopiedTo(field));
        if (definition != null && (isFilledLater && isInSource) == false) {
            SearchSourceBuilder any = new SearchSourceBuilder()
                    .query(index.around(field, QueryBuilders.existsQuery(field)))
                    .size(0)
                    // With terminateAfter, OpenSearch counts none in a large segment.
                    .trackTotalHitsUpTo(1);
            if (search(any, indices, null).getTotalHits().value() > 0) {
                return true;
            }
        }
        if (isInSource == false) {
            return true; // Or not: nothing tells.
        }
        return haveAny(
                field, document -> DocumentValues.firstAt(field, document).isPresent());
    }

    /** Whether some document has something else in the place of the fingerprint. What the mapping leaves out is only there. */
    public boolean haveOwn(CheckedIndex index) {
        return index.hasFingerprintFields() == false && haveAny(index.fingerprint(), index::isOwnValue);
    }

    private boolean haveAny(String path, Predicate<Map<String, Object>> like) {
        boolean[] isFound = {false};
        read(places(QueryBuilders.matchAllQuery(), LOOKED_AT), new String[] {path}, hit -> {
            isFound[0] = hit.hasSource() && like.test(hit.getSourceAsMap());
            return isFound[0];
        });
        return isFound[0];
    }

    private List<SearchHit> page(List<Position> places, String[] paths) {
        Map<ShardId, List<Long>> byShard = new TreeMap<>();
        places.forEach(place ->
                byShard.computeIfAbsent(place.shard(), any -> new ArrayList<>()).add(place.seqNo()));
        List<SearchHit> hits = new ArrayList<>();
        byShard.forEach((shard, seqNos) -> {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(QueryBuilders.termsQuery(SeqNoFieldMapper.NAME, seqNos))
                    .size(seqNos.size())
                    .trackTotalHits(false)
                    .fetchSource(paths, null);
            search(source, List.of(shard.getIndexName()), "_shards:" + shard.id())
                    .forEach(hits::add);
        });
        return hits;
    }
}
