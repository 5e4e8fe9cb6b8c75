/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.FlatObjectFieldMapper;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.NearestOfEachQuery;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.PassagesQuery;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.PrintQuery;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.memory.FingerprintMemory.BreakerMemory;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.simhash.search.query.FingerprintMapping.NestedPlace;
import org.opensearch.simhash.search.query.FingerprintMapping.SketchMapping;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.StoredDocument;
import org.opensearch.simhash.search.query.SearchCounts.PlanRecord;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;

/**
 * Turns the query into a Lucene query, with the mapping of the shard. The best of several prints counts, texts are verified, the
 * document itself is excluded.
 *
 * @param verify the rule for texts, or null
 */
record ShardQuery(String field, Threshold threshold, Verification verify, Services services, QueryShardContext shard) {

    /** Within so many bits a few look-ups are enough, in an index of any size. */
    private static final int MOST_SHORT_BITS = 3;

    /** A scan of fewer documents ends before sharing pays. */
    private static final int MANY_DOCUMENTS = 2_000_000;

    /** @param resolvers by kind of print; their recipes also prepare texts for verification */
    record Services(
            SearchedIndices searchedIndices,
            Map<SketchKind, SourceResolver> resolvers,
            SearchCounts counts,
            SearchMemories memories,
            KnownFields fields) {}

    /** Documents near any print, with verified texts, without the source document. */
    Query near(Resolved source) {
        if (verify != null || threshold instanceof Threshold.Passages) {
            // The recipe that prepares texts may change, and it is not a part of the cache key.
            shard.setIsCacheable(false);
            new KeptText(shard, verify == null ? null : verify.field())
                    .requireOutsideOfNested(verify == null ? "passages" : "verify");
        }
        Optional<List<? extends PrintQuery<?>>> mapped = queries(source);
        if (mapped.isEmpty()) {
            return unmapped();
        }
        requirePlace();
        List<? extends PrintQuery<?>> near = mapped.get();
        // One print keeps little compared with the leaf that it is searched in.
        LongPredicate keeping = near.size() == 1
                ? bytes -> false
                : services.memories().of(shard, memory("simhash with many fingerprints"))::keep;
        for (PrintQuery<?> query : near) {
            PlanRecord record = (PlanRecord) query.listener();
            record.pays(keeping);
            services.counts().made(shard, record);
        }
        Query nearest = oneClause(verify == null ? near : verified(near, source, keeping), keeping);
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

    /** @param keeping takes the bytes of several queries until the search is over */
    private static Query oneClause(List<? extends Query> queries, LongPredicate keeping) {
        return queries.size() == 1 ? queries.getFirst() : new OneClauseQuery(queries, keeping);
    }

    Query nearestOfEach(QuerySource.Lookup lookup) {
        Optional<IndexedFields> fields = fields(lookup.targets());
        if (fields.isEmpty()) {
            return unmapped();
        }
        new NestedPlace(shard, field).requireScope();
        int maxDistance = ((Threshold.Distance) threshold).maxBits();
        return new NearestOfEachQuery(fields.get(), SeqNoFieldMapper.NAME, lookup.targets(), maxDistance);
    }

    /** Whether OpenSearch only asks if the shard can match at all. It asks on a network thread, which must neither read nor compute. */
    static boolean isAskedAhead(QueryShardContext shard) {
        return shard.searcher() != null && shard.searcher() instanceof ContextIndexSearcher == false;
    }

    /**
     * Whether the search of the shard takes so long that threads should share it, where OpenSearch allows that. Sharing costs some
     * 50 microseconds, for the hand-over and the plan of each thread.
     */
    boolean isLong() {
        return threshold instanceof Threshold.Distance distance
                && distance.maxBits() > MOST_SHORT_BITS
                && shard.searcher() instanceof ContextIndexSearcher
                && shard.getIndexReader() != null // a percolator stores the query
                && shard.getIndexReader().maxDoc() >= MANY_DOCUMENTS;
    }

    /** One for each print; empty if the index has no prints. */
    private Optional<List<? extends PrintQuery<?>>> queries(Resolved source) {
        return switch (threshold) {
            case Threshold.Distance distance ->
                fields(source.prints())
                        .map(fields -> source.prints().stream()
                                .map(Target.class::cast)
                                .map(target -> new SimHashQuery(
                                        new FingerprintMapping(shard, field).ofLength(fields, target.length()),
                                        target,
                                        distance.maxBits(),
                                        new PlanRecord()))
                                .toList());
            case Threshold.Similarity similarity ->
                new SketchMapping(shard, SketchKind.MINHASH, field)
                        .fields()
                        .map(fields -> source.prints().stream()
                                .map(print -> new MinHashQuery(
                                        fields,
                                        (SketchTarget) print,
                                        similarity.least(),
                                        similarity.containment(),
                                        new PlanRecord()))
                                .toList());
            case Threshold.Passages passages -> passages(passages, source);
        };
    }

    /** The recipe of each print cuts the texts of documents. */
    private Optional<List<? extends PrintQuery<?>>> passages(Threshold.Passages passages, Resolved source) {
        Optional<IndexedFields> fields = new SketchMapping(shard, SketchKind.PASSAGES, field).fields();
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        PreparingRecipes preparing = preparing(source);
        LongConsumer memory = memory("simhash passages");
        SearchMemory kept = services.memories().of(shard, memory);
        List<PassagesQuery> queries = new ArrayList<>();
        for (Print print : source.prints()) {
            Fingerprinter recipe = preparing.preparing(print.scheme());
            PassageRule resolved;
            try {
                resolved = passages.rule().resolved(recipe.recipe().passages());
            } catch (IllegalArgumentException e) {
                throw new QueryShardException(shard, e.getMessage(), e);
            }
            StoredPassages.requireKept(shard, recipe);
            PassageTarget target = (PassageTarget) print;
            queries.add(new PassagesQuery(
                    fields.get(),
                    target,
                    resolved,
                    passages.mostCompared(),
                    new StoredPassages(target, recipe, memory, kept),
                    new PlanRecord()));
        }
        return Optional.of(queries);
    }

    private Optional<IndexedFields> fields(List<? extends Print> prints) {
        Optional<IndexedFields> fields = services.fields().of(shard, field);
        new UnmappedParts(shard, field).require(prints);
        return fields;
    }

    private Query unmapped() {
        return new MatchNoDocsQuery("[" + field + "] is not mapped");
    }

    /** Fails if the query stands at a level without matches, as around nested documents, or if no text can be read. */
    private void requirePlace() {
        new NestedPlace(shard, field).requireScope();
        if (verify != null && verify.field() != null) {
            new KeptText(shard, verify.field()).requireKept();
        }
    }

    private LongConsumer memory(String label) {
        return BreakerMemory.ofRequests(shard.bigArrays(), label);
    }

    private PreparingRecipes preparing(Resolved source) {
        return services.resolvers()
                .get(threshold.kind())
                .recipes()
                .preparingOnShard(source.pipeline(), field, shard.index().getName());
    }

    /** One per recipe: the recipe of a print prepares its text. */
    private List<VerifiedQuery> verified(List<? extends PrintQuery<?>> near, Resolved source, LongPredicate keeping) {
        PreparingRecipes preparing = preparing(source);
        boolean namesField = verify.field() != null;
        Map<Fingerprinter, List<Query>> byRecipe = new LinkedHashMap<>();
        Map<Fingerprinter, List<Fingerprinter>> makers = new HashMap<>();
        for (PrintQuery<?> one : near) {
            String scheme = one.target().scheme();
            Fingerprinter maker = preparing.preparing(scheme);
            byRecipe.computeIfAbsent(maker, m -> new ArrayList<>()).add(one);
            makers.put(maker, namesField ? List.of() : preparing.makers(scheme));
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
                    source.text(),
                    source.language(),
                    maker,
                    makers.get(maker),
                    weights,
                    memory,
                    kept,
                    services.counts().comparisons());
            LongAdder texts = new LongAdder();
            services.counts().compares(shard, texts);
            verified.add(new VerifiedQuery(oneClause(queries, keeping), verifier, stored, texts));
        });
        return verified;
    }

    /**
     * Weights of words by document frequency in the shard: {@code 1 + ln((n + 1) / (df + 1))}. A word that the field's
     * analyzer drops or changes counts as one of no document. Caches weights for the search. Thread-safe.
     */
    private static final class IndexedTokens implements TokenWeights {

        private static final int MOST_KEPT = 1 << 14;

        private final IndexReader reader;
        private final String field;
        private final Map<String, Double> known = new ConcurrentHashMap<>();

        private IndexedTokens(IndexReader reader, String field) {
            this.reader = reader;
            this.field = field;
        }

        /** Null if the words of the field are not indexed. */
        static IndexedTokens of(QueryShardContext shard, String field) {
            MappedFieldType type = shard.getMapperService().fieldType(field);
            boolean isIndexed = type != null
                    && type.typeName().equals(TextFieldMapper.CONTENT_TYPE)
                    && type.isSearchable()
                    && shard.getIndexReader() != null;
            return isIndexed ? new IndexedTokens(shard.getIndexReader(), type.name()) : null;
        }

        @Override
        public double weight(CharSequence token) {
            String word = token.toString();
            Double weight = known.get(word);
            if (weight == null) {
                weight = lookUp(word);
                if (known.size() < MOST_KEPT) {
                    known.put(word, weight);
                }
            }
            return weight;
        }

        private double lookUp(String word) {
            try {
                return 1 + Math.log((reader.maxDoc() + 1.0) / (reader.docFreq(new Term(field, word)) + 1.0));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Where an index keeps the text to verify: in {@code _source}, else in a stored field. */
    record KeptText(QueryShardContext shard, String field) {

        /** Null if texts are only in {@code _source}. */
        MappedFieldType storedField() {
            MappedFieldType type = shard.fieldMapper(field);
            return type != null && type.isStored() ? type : null;
        }

        /**
         * Nested documents have no source.
         *
         * @param reader the option or the query that reads the text
         */
        void requireOutsideOfNested(String reader) {
            ObjectMapper nested = shard.nestedScope().getObjectMapper();
            if (nested != null) {
                throw new QueryShardException(
                        shard,
                        "[" + reader
                                + "] must be outside of [nested], whose documents have no source to read a text from,"
                                + " got: path [" + nested.fullPath() + "]");
            }
        }

        /** Such fields have no sub-fields and stand in the source under their own path. */
        private boolean isInFlatObject(Set<String> paths) {
            return paths.stream()
                    .map(shard.getMapperService()::fieldType)
                    .allMatch(type -> type != null && FlatObjectFieldMapper.CONTENT_TYPE.equals(type.typeName()));
        }

        /** Without a text, no document matches, and nothing says why. */
        void requireKept() {
            if (storedField() != null) {
                return;
            }
            ObjectMapper object = shard.getObjectMapper(field);
            if (object != null && object.isEnabled()) {
                throw refusal(
                        "holds a text",
                        "which is an object in [" + shard.index().getName() + "]");
            }
            MappedFieldType type = shard.fieldMapper(field);
            // An alias or a sub-field. A target of {@code copy_to} may have a text of its own.
            Set<String> paths = type == null ? Set.of(field) : shard.sourcePath(type.name());
            if (paths.contains(field) == false && isInFlatObject(paths) == false) {
                throw refusal(
                        "has its text in [_source] or stored",
                        "whose text in [" + shard.index().getName() + "] is that of " + new TreeSet<>(paths));
            }
            // A derived field is made when it is read.
            if (type instanceof DerivedFieldType || new KeptSource(shard).has(field) == false) {
                throw refusal(
                        "is kept in [_source] or stored",
                        "which is neither in [" + shard.index().getName() + "]");
            }
        }

        private QueryShardException refusal(String rule, String what) {
            return new QueryShardException(
                    shard, "[verify] must have a [field] that " + rule + ", got: [" + field + "], " + what);
        }
    }
}
