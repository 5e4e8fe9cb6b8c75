/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.DocIdSetBuilder;
import org.apache.lucene.util.IOFunction;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.geo.ShapeRelation;
import org.opensearch.common.lucene.search.Queries;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.query.IndexMapping;

/** A query that only jobs send: nodes read it from streams, and the parser refuses it. Each shard makes another one of it. */
public final class JobQuery extends AbstractQueryBuilder<JobQuery> {

    static final String NAME = "simhash_job";

    private enum Kind {
        ALTERED,
        DOCUMENTS,
        AFTER,
        CHANGED,
        EXISTS,
        WHOLE
    }

    private sealed interface Choice {
        Kind kind();
    }

    private record Documents(Map<ShardId, int[]> numbers) implements Choice {
        @Override
        public Kind kind() {
            return Kind.DOCUMENTS;
        }
    }

    /** @param kind {@code AFTER} or {@code CHANGED} */
    private record Later(Kind kind, Map<ShardId, Long> last) implements Choice {}

    /**
     * @param kind {@code ALTERED}, {@code EXISTS} or {@code WHOLE}
     * @param values of {@code WHOLE}
     */
    private record OfField(Kind kind, String field, List<String> values) implements Choice {}

    private final Choice choice;

    private JobQuery(Choice choice) {
        this.choice = choice;
    }

    private JobQuery(StreamInput in) throws IOException {
        super(in);
        MessageForm.read(in);
        Kind kind = in.readEnum(Kind.class);
        this.choice = switch (kind) {
            case DOCUMENTS -> new Documents(in.readMap(ShardId::new, StreamInput::readVIntArray));
            case AFTER, CHANGED -> new Later(kind, in.readMap(ShardId::new, StreamInput::readZLong));
            case ALTERED, EXISTS, WHOLE -> new OfField(kind, in.readString(), in.readStringList());
        };
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeEnum(choice.kind());
        switch (choice) {
            case Documents documents ->
                out.writeMap(documents.numbers, (o, shard) -> shard.writeTo(o), StreamOutput::writeVIntArray);
            case Later later -> out.writeMap(later.last, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong);
            case OfField of -> {
                out.writeString(of.field);
                out.writeStringCollection(of.values);
            }
        }
    }

    /** The parameters in logs and profiles. */
    private static Map<String, ?> shown(Choice choice) {
        return switch (choice) {
            case Documents documents ->
                documents.numbers.entrySet().stream()
                        .collect(
                                Collectors.toMap(shard -> shard.getKey().toString(), shard -> shard.getValue().length));
            case Later later ->
                later.last.entrySet().stream()
                        .collect(Collectors.toMap(shard -> shard.getKey().toString(), Map.Entry::getValue));
            case OfField of -> Map.of(of.field, of.values);
        };
    }

    /**
     * Documents by their numbers in the shards' readers.
     *
     * @param numbers by shard, ascending
     */
    static JobQuery documents(Map<ShardId, int[]> numbers) {
        return new JobQuery(new Documents(numbers));
    }

    /**
     * The documents after a given one of their shard, so that a page skips the documents of earlier pages. Without it, a page of
     * thousands spends most of its time on these.
     *
     * @param last numbers in the shards' readers; in other shards, every document matches
     */
    static JobQuery after(Map<ShardId, Integer> last) {
        Map<ShardId, Long> numbers = new HashMap<>();
        last.forEach((shard, number) -> numbers.put(shard, number.longValue()));
        return new JobQuery(new Later(Kind.AFTER, numbers));
    }

    /**
     * The documents written after a sequence number of their shard.
     *
     * @param last sequence numbers; in other shards, every document matches
     */
    public static JobQuery changedAfter(Map<ShardId, Long> last) {
        return new JobQuery(new Later(Kind.CHANGED, Map.copyOf(last)));
    }

    /**
     * As {@code exists}, but matches nothing if the field is not mapped. A job reads indices that lack some of its fields;
     * {@code exists} fails there if {@code index.query.parse.allow_unmapped_fields} is false.
     */
    public static JobQuery exists(String field) {
        return new JobQuery(new OfField(Kind.EXISTS, field, List.of()));
    }

    /**
     * As {@code terms} on the field that matches whole strings ({@link IndexMapping#whole}), but matches nothing if the field is not
     * mapped.
     */
    public static JobQuery whole(String field, Collection<String> values) {
        return new JobQuery(new OfField(Kind.WHOLE, field, List.copyOf(values)));
    }

    /**
     * Looks for a document whose source the user does not get as it is stored. Reads each source twice, if a plugin filters what
     * this user reads.
     */
    public static SearchSourceBuilder altered(QueryBuilder documents) {
        return new SearchSourceBuilder()
                .query(QueryBuilders.boolQuery()
                        .filter(documents)
                        .filter(new JobQuery(new OfField(Kind.ALTERED, "_source", List.of()))))
                .fetchSource(false)
                .trackTotalHits(false)
                .size(1);
    }

    /** @param found by {@link #altered} */
    public static void requireWhole(SearchResponse found) {
        if (found.getHits().getHits().length > 0) {
            SearchHit hit = found.getHits().getAt(0);
            throw new OpenSearchStatusException(
                    "[" + hit.getId() + "] of [" + hit.getIndex()
                            + "] would lose fields: what is written again, or copied,"
                            + " must be read by a user to whom security shows all fields, none of them masked",
                    RestStatus.FORBIDDEN);
        }
    }

    public static QuerySpec<JobQuery> spec() {
        return new QuerySpec<>(NAME, JobQuery::new, parser -> {
            throw refusal(NAME, parser);
        });
    }

    /** The error for a user who types what only jobs send. */
    static IllegalArgumentException refusal(String name, XContentParser parser) {
        return new IllegalArgumentException("[" + name
                + "] is sent by deduplication jobs and not allowed in requests, got: " + parser.getTokenLocation());
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        if (shard == null || choice instanceof OfField == false || choice.kind() == Kind.ALTERED) {
            return this;
        }
        OfField of = (OfField) choice;
        if (of.kind == Kind.WHOLE) {
            MappedFieldType whole = IndexMapping.whole(shard, of.field);
            return whole == null ? new MatchNoneQueryBuilder() : QueryBuilders.termsQuery(whole.name(), of.values);
        }
        boolean isMapped = shard.getMapperService().fieldType(of.field) != null;
        return isMapped ? QueryBuilders.existsQuery(of.field) : new MatchNoneQueryBuilder();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        ShardId shard = new ShardId(context.index(), context.getShardId());
        return switch (choice) {
            case Documents documents -> {
                int[] numbers = documents.numbers.getOrDefault(shard, new int[0]);
                yield new NumberedDocuments(choice, leaf -> listed(numbers, leaf));
            }
            case Later later -> {
                Long last = later.last.get(shard);
                yield last == null
                        ? Queries.newMatchAllQuery()
                        : later.kind == Kind.AFTER
                                ? new NumberedDocuments(choice, leaf -> after(last, leaf))
                                : context.fieldMapper(SeqNoFieldMapper.NAME)
                                        .rangeQuery(
                                                last, null, false, true, ShapeRelation.INTERSECTS, null, null, context);
            }
            case OfField ofAltered ->
                // others are rewritten before
                new NumberedDocuments(choice, leaf -> ShownDocuments.altered(leaf.reader()));
        };
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME)
                .field(choice.kind().name().toLowerCase(Locale.ROOT), shown(choice))
                .endObject();
    }

    @Override
    protected boolean doEquals(JobQuery other) {
        return choice.equals(other.choice);
    }

    @Override
    protected int doHashCode() {
        return choice.hashCode();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    /** @param numbers ascending */
    private static DocIdSetIterator listed(int[] numbers, LeafReaderContext leaf) throws IOException {
        int from = position(numbers, leaf.docBase);
        int to = position(numbers, leaf.docBase + leaf.reader().maxDoc());
        if (from == to) {
            return null;
        }
        DocIdSetBuilder found = new DocIdSetBuilder(leaf.reader().maxDoc());
        DocIdSetBuilder.BulkAdder adder = found.grow(to - from);
        for (int i = from; i < to; i++) {
            adder.add(numbers[i] - leaf.docBase);
        }
        return found.build().iterator();
    }

    /** Position of the first number that is not below {@code doc}. */
    private static int position(int[] numbers, int doc) {
        int found = Arrays.binarySearch(numbers, doc);
        return found < 0 ? ~found : found;
    }

    private static DocIdSetIterator after(long number, LeafReaderContext leaf) {
        int maxDoc = leaf.reader().maxDoc();
        long first = Math.max(0L, number + 1 - leaf.docBase);
        return first < maxDoc ? DocIdSetIterator.range((int) first, maxDoc) : null;
    }

    /** Matches documents of one shard by their numbers in its reader. Never cached, because a new reader has other numbers. */
    private static final class NumberedDocuments extends Query {

        private final Choice choice;

        /** The documents of a leaf by their numbers there; null if there are none. */
        private final IOFunction<LeafReaderContext, DocIdSetIterator> documents;

        NumberedDocuments(Choice choice, IOFunction<LeafReaderContext, DocIdSetIterator> documents) {
            this.choice = choice;
            this.documents = documents;
        }

        @Override
        public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
            return new ConstantScoreWeight(this, boost) {
                @Override
                public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
                    DocIdSetIterator some = documents.apply(leaf);
                    return some == null
                            ? null
                            : ConstantScoreScorerSupplier.fromIterator(
                                    some, score(), scoreMode, leaf.reader().maxDoc());
                }

                @Override
                public boolean isCacheable(LeafReaderContext leaf) {
                    return false;
                }
            };
        }

        @Override
        public void visit(QueryVisitor visitor) {
            visitor.visitLeaf(this);
        }

        @Override
        public boolean equals(Object other) {
            return sameClassAs(other) && choice.equals(((NumberedDocuments) other).choice);
        }

        @Override
        public int hashCode() {
            return 31 * classHash() + choice.hashCode();
        }

        @Override
        public String toString(String field) {
            return choice.kind() + " " + shown(choice);
        }
    }
}
