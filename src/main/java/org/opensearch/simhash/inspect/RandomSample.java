/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.IdsQueryBuilder;
import org.opensearch.index.query.TermQueryBuilder;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.RandomScoreFunctionBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.transport.RemoteClusterAware;

/**
 * A repeatable random sample: the documents with the highest random scores by a fixed seed. One search collects ids and
 * the least score in large pages, since each page scores all documents. Other searches then read the documents by id,
 * in small pages, since documents may be large. A document that changed meanwhile has another score and is left out.
 *
 * <p>The ids are accounted for.
 */
final class RandomSample {

    private static final int SEED = 64;
    /** OpenSearch's default limit. A hit without its document takes a few hundred bytes. */
    private static final int SCORES = 10_000;
    /** For all shards together; each sends a page, 28 bytes per hit. */
    private static final int SCORES_OF_SHARDS = 1_000_000;
    /** Documents may be large. */
    private static final int DOCUMENTS = 50;

    private static final long NAME_BYTES = 160;

    private final FeatureWeightsAction.Request request;
    private final TimeValue keepAlive;
    private final int mostHits;
    private final int pageOfScores;
    private final LongConsumer memory;

    private final Map<Name, Integer> names = new TreeMap<>();
    private int scored;
    private float least;

    /** Indices of different clusters may have the same name. */
    private record Name(String index, String id) implements Comparable<Name> {

        private static final Comparator<Name> ORDER =
                Comparator.comparing(Name::index).thenComparing(Name::id);

        @Override
        public int compareTo(Name other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * @param mostHits most hits of a page
     * @param shards number of searched shards
     * @param memory receives the bytes of ids before they are kept, and may refuse them
     */
    RandomSample(
            FeatureWeightsAction.Request request, TimeValue keepAlive, int mostHits, int shards, LongConsumer memory) {
        this.request = request;
        this.keepAlive = keepAlive;
        this.mostHits = mostHits;
        int most = Math.clamp(SCORES_OF_SHARDS / Math.max(1, shards), DOCUMENTS, SCORES);
        this.pageOfScores = Math.min(Math.min(most, mostHits), request.sampleSize());
        this.memory = memory;
    }

    /** A scroll. */
    SearchRequest scores() {
        SearchSourceBuilder source =
                new SearchSourceBuilder().query(byChance()).size(pageOfScores).fetchSource(false);
        return search(source).scroll(keepAlive);
    }

    /** Takes a page of scores, best first. Returns whether the sample may have more. */
    boolean addScores(SearchHit[] hits) {
        for (SearchHit hit : hits) {
            if (isFull()) {
                return false;
            }
            scored++;
            least = hit.getScore();
            memory.accept(NAME_BYTES + (long) Character.BYTES * hit.getId().length());
            String index = RemoteClusterAware.buildRemoteIndexName(hit.getClusterAlias(), hit.getIndex());
            names.merge(new Name(index, hit.getId()), 1, Integer::sum);
        }
        return isFull() == false && hits.length == pageOfScores;
    }

    private boolean isFull() {
        return scored == request.sampleSize();
    }

    /**
     * The searches for the documents, each document in one of them. Call after all scores were added.
     *
     * @param paths fields to read
     */
    Iterator<SearchRequest> documents(String[] paths) {
        Iterator<Map.Entry<Name, Integer>> left = names.entrySet().iterator();
        int most = Math.min(DOCUMENTS, mostHits);
        return new Iterator<>() {

            @Override
            public boolean hasNext() {
                return left.hasNext();
            }

            @Override
            public SearchRequest next() {
                Map<String, IdsQueryBuilder> ids = new HashMap<>();
                int documents = 0;
                while (documents < most && left.hasNext()) {
                    Map.Entry<Name, Integer> next = left.next();
                    Name name = next.getKey();
                    ids.computeIfAbsent(name.index(), index -> new IdsQueryBuilder())
                            .addIds(name.id());
                    documents += next.getValue(); // several documents of different routing may share an id
                }
                SearchSourceBuilder source = new SearchSourceBuilder()
                        .query(named(ids))
                        .size(Math.min(documents, mostHits))
                        .fetchSource(paths, null);
                return search(source);
            }
        };
    }

    private FunctionScoreQueryBuilder named(Map<String, IdsQueryBuilder> idsByIndex) {
        BoolQueryBuilder named = new BoolQueryBuilder();
        idsByIndex.forEach((index, ids) -> named.should(new BoolQueryBuilder()
                .filter(new TermQueryBuilder(IndexFieldMapper.NAME, index))
                .filter(ids)));
        return new FunctionScoreQueryBuilder(new BoolQueryBuilder().filter(named), chance())
                .boostMode(CombineFunction.REPLACE)
                .setMinScore(least);
    }

    private static FunctionScoreQueryBuilder byChance() {
        return new FunctionScoreQueryBuilder(chance());
    }

    private static RandomScoreFunctionBuilder chance() {
        return ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME);
    }

    private SearchRequest search(SearchSourceBuilder source) {
        // The index's default search pipeline may hide the documents that share most.
        return new SearchRequest(request.indices())
                .indicesOptions(request.indicesOptions())
                .source(source)
                .allowPartialSearchResults(false)
                .pipeline("_none");
    }
}
