/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.match.IndexedFields;
import org.opensearch.simhash.match.NearestOfEachQuery;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.memory.BreakerMemory;
import org.opensearch.simhash.query.QuerySource.Resolved;
import org.opensearch.simhash.verify.Verification;

/**
 * Turns the query into a Lucene query, with the mapping of the shard.
 *
 * @param verify the rule for texts, or null
 */
record ShardQuery(
        String field,
        int maxDistance,
        Verification verify,
        SimHashQueryBuilder.Services services,
        QueryShardContext shard) {

    /**
     * Documents within the distance of any fingerprint, with verified texts, without the source document.
     *
     * @param timed what the shard knows of the search, or null
     */
    Query near(Resolved source, TimedSearch timed) {
        KeptText text = verify == null ? null : new KeptText(shard, verify.field());
        if (text != null) {
            text.requireOutsideOfNested();
        }
        Optional<IndexedFields> fields = fields(source.targets());
        if (fields.isEmpty()) {
            return unmapped();
        }
        new NestedPlace(shard, field).requireScope();
        if (text != null) {
            text.requireKept();
        }
        List<SimHashQuery> planned = timed == null ? null : timed.take(shard);
        List<SimHashQuery> near = planned == null ? near(source, fields.get()) : planned;
        // One fingerprint keeps little, compared with its leaf.
        LongPredicate keeping = near.size() == 1 ? bytes -> false : keeping();
        for (SimHashQuery query : near) {
            PlanRecord record = (PlanRecord) query.listener();
            record.pays(keeping);
            services.counts().made(shard, record);
        }
        Query nearest = OneClauseQuery.of(verify == null ? near : verified(near, source, keeping), keeping);
        StoredDocument self = source.self();
        if (self == null || self.isOn(shard) == false) {
            return nearest;
        }
        Query itself = shard.fieldMapper(IdFieldMapper.NAME).termQuery(self.id(), shard);
        return new BooleanQuery.Builder()
                .add(nearest, Occur.MUST)
                .add(itself, Occur.MUST_NOT)
                .build();
    }

    Query nearestOfEach(QuerySource.Lookup lookup) {
        Optional<IndexedFields> fields = fields(lookup.targets());
        fields.ifPresent(found -> new NestedPlace(shard, field).requireScope());
        return fields.isEmpty()
                ? unmapped()
                : new NearestOfEachQuery(fields.get(), SeqNoFieldMapper.NAME, lookup.targets(), maxDistance);
    }

    /**
     * Whether OpenSearch only asks if the shard can match at all. It asks on a network thread, which must neither read nor
     * compute.
     */
    static boolean isAskedAhead(QueryShardContext shard) {
        return shard.searcher() != null && shard.searcher() instanceof ContextIndexSearcher == false;
    }

    /** Whether to ask {@link #timed}. Costs next to nothing. */
    boolean mayBeLong() {
        IndexReader reader = shard.getIndexReader();
        return reader != null
                && shard.searcher() instanceof ContextIndexSearcher
                && LongSearch.isPossible(
                        reader.maxDoc(), services.searchedIndices()::clusterSettings, shard.getIndexSettings());
    }

    /** Whether the search is shared among threads. Costs as much as planning it. The plan is kept. */
    TimedSearch timed(Resolved source) {
        Optional<IndexedFields> fields = fields(source.targets());
        return fields.isEmpty() ? TimedSearch.of(false) : TimedSearch.of(near(source, fields.get()), shard);
    }

    private Optional<IndexedFields> fields(List<Target> targets) {
        Optional<IndexedFields> fields = services.fields().of(shard, field);
        new UnmappedParts(shard, field).require(targets, fields);
        return fields;
    }

    private Query unmapped() {
        return new MatchNoDocsQuery("[" + field + "] is not mapped");
    }

    private List<SimHashQuery> near(Resolved source, IndexedFields fields) {
        List<SimHashQuery> near = new ArrayList<>(source.targets().size());
        for (Target target : source.targets()) {
            near.add(new SimHashQuery(fields, target, maxDistance, new PlanRecord()));
        }
        return near;
    }

    private LongConsumer memory(String label) {
        return BreakerMemory.ofRequests(shard.bigArrays(), label);
    }

    /** Takes bytes until the search is over; false while no search is open. */
    private LongPredicate keeping() {
        return services.memories().of(shard, memory("simhash with many fingerprints"))::keep;
    }

    /** One query per recipe, because the recipe of a fingerprint also prepares the texts near it. */
    private List<VerifiedQuery> verified(List<SimHashQuery> near, Resolved source, LongPredicate keeping) {
        // The recipe may change and is not part of the cache key.
        shard.setIsCacheable(false);
        PreparingRecipes recipes = services.recipes()
                .preparingOnShard(source.pipeline(), field, shard.index().getName());
        Map<Fingerprinter, List<SimHashQuery>> byRecipe = new LinkedHashMap<>();
        for (SimHashQuery query : near) {
            Fingerprinter maker = recipes.preparing(query.target().scheme());
            byRecipe.computeIfAbsent(maker, m -> new ArrayList<>()).add(query);
        }
        MappedFieldType stored = new KeptText(shard, verify.field()).storedField();
        LongConsumer memory = memory("simhash verify");
        SearchMemory kept = services.memories().of(shard, memory);
        List<VerifiedQuery> verified = new ArrayList<>();
        byRecipe.forEach((maker, queries) -> {
            TextVerifier verifier = new TextVerifier(
                    verify,
                    source.text(),
                    maker,
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
