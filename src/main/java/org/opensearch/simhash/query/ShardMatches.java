/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.memory.BreakerMemory;
import org.opensearch.simhash.query.SimHashQueryBuilder.Services;
import org.opensearch.simhash.verify.Measure;
import org.opensearch.simhash.verify.TokenWeights;
import org.opensearch.simhash.verify.Verification;

/**
 * Turns near documents of a shard into matches: the best of several queries counts, texts are verified, the document
 * itself is excluded.
 *
 * @param verify the rule for texts, or null
 * @param recipes that prepare texts for verification
 */
record ShardMatches(
        String field, Verification verify, Services services, PipelineRecipes recipes, QueryShardContext shard) {

    /**
     * The documents near one target.
     *
     * @param scheme of the target, or null
     */
    record Near(Query query, String scheme) {}

    /** Fails early if no text of a document can be read. */
    void requireText() {
        if (verify != null) {
            new KeptText(shard, verify.field()).requireOutsideOfNested();
        }
    }

    /** Fails if the query stands at a level without matches, as around nested documents. */
    void requirePlace() {
        new NestedPlace(shard, field).requireScope();
        if (verify != null && verify.field() != null) {
            new KeptText(shard, verify.field()).requireKept();
        }
    }

    /**
     * One query of several.
     *
     * @param text to verify with
     * @param pipeline whose recipe prepares texts, or null
     * @param self the document that must not match, or null
     */
    Query of(List<Near> near, String text, String pipeline, StoredDocument self, LongPredicate keeping) {
        List<? extends Query> queries =
                verify == null ? near.stream().map(Near::query).toList() : verified(near, text, pipeline, keeping);
        Query nearest = OneClauseQuery.of(queries, keeping);
        if (self == null || self.isOn(shard) == false) {
            return nearest;
        }
        Query itself = shard.fieldMapper(IdFieldMapper.NAME).termQuery(self.id(), shard);
        return new BooleanQuery.Builder()
                .add(nearest, Occur.MUST)
                .add(itself, Occur.MUST_NOT)
                .build();
    }

    private LongConsumer memory(String label) {
        return BreakerMemory.ofRequests(shard.bigArrays(), label);
    }

    /** Takes bytes until the search is over, if there is one. */
    LongPredicate keeping() {
        return services.memories().of(shard, memory("simhash with many fingerprints"))::keep;
    }

    /** One per recipe: the recipe of a fingerprint prepares its text. */
    private List<VerifiedQuery> verified(List<Near> near, String text, String pipeline, LongPredicate keeping) {
        // The recipe may change, and it is not a part of the cache key.
        shard.setIsCacheable(false);
        PreparingRecipes preparing =
                recipes.preparingOnShard(pipeline, field, shard.index().getName());
        boolean namesField = verify.field() != null;
        Map<Fingerprinter, List<Query>> byRecipe = new LinkedHashMap<>();
        Map<Fingerprinter, List<Fingerprinter>> makers = new HashMap<>();
        for (Near one : near) {
            Fingerprinter maker = preparing.preparing(one.scheme());
            byRecipe.computeIfAbsent(maker, m -> new ArrayList<>()).add(one.query());
            makers.put(maker, namesField ? List.of() : preparing.makers(one.scheme()));
        }
        MappedFieldType stored = namesField ? new KeptText(shard, verify.field()).storedField() : null;
        LongConsumer memory = memory("simhash verify");
        SearchMemory kept = services.memories().of(shard, memory);
        List<VerifiedQuery> verified = new ArrayList<>();
        TokenWeights indexed =
                namesField && verify.measure() == Measure.COSINE ? IndexedTokens.of(shard, verify.field()) : null;
        byRecipe.forEach((maker, queries) -> {
            TokenWeights weights = indexed == null ? maker::factor : indexed;
            TextVerifier verifier = new TextVerifier(
                    verify,
                    text,
                    maker,
                    makers.get(maker),
                    weights,
                    memory,
                    kept,
                    services.counts().comparisons());
            TextRecord texts = new TextRecord();
            services.counts().made(shard, texts);
            verified.add(new VerifiedQuery(OneClauseQuery.of(queries, keeping), verifier, stored, texts));
        });
        return verified;
    }
}
