/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
import org.opensearch.action.search.SearchRequest;
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
import org.opensearch.transport.client.Client;

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

    /**
     * @param numbers of documents in the shards' readers, ascending; of {@code DOCUMENTS}
     * @param last number by shard; of {@code AFTER} and {@code CHANGED}
     * @param field of the others
     * @param values of {@code WHOLE}
     */
    private record Choice(
            Kind kind, Map<ShardId, int[]> numbers, Map<ShardId, Long> last, String field, List<String> values) {

        static Choice ofField(Kind kind, String field, List<String> values) {
            return new Choice(kind, Map.of(), Map.of(), field, values);
        }

        static Choice later(Kind kind, Map<ShardId, Long> last) {
            return new Choice(kind, Map.of(), last, "", List.of());
        }

        /** The parameters in logs and profiles. */
        Map<String, Object> shown() {
            Map<String, Object> shown = new TreeMap<>();
            numbers.forEach((shard, documents) -> shown.put(shard.toString(), documents.length));
            last.forEach((shard, number) -> shown.put(shard.toString(), number));
            if (field.isEmpty() == false) {
                shown.put(field, values);
            }
            return shown;
        }
    }

    private final Choice choice;

    private JobQuery(Choice choice) {
        this.choice = choice;
    }

    private JobQuery(StreamInput in) throws IOException {
        super(in);
        this.choice = new Choice(
                MessageForm.read(in).readEnum(Kind.class),
                in.readMap(ShardId::new, StreamInput::readVIntArray),
                in.readMap(ShardId::new, StreamInput::readZLong),
                in.readString(),
                in.readStringList());
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeEnum(choice.kind);
        out.writeMap(choice.numbers, (o, shard) -> shard.writeTo(o), StreamOutput::writeVIntArray);
        out.writeMap(choice.last, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong);
        out.writeString(choice.field);
        out.writeStringCollection(choice.values);
    }

    /**
     * Documents by their numbers in the shards' readers.
     *
     * @param numbers by shard, ascending
     */
    static JobQuery documents(Map<ShardId, int[]> numbers) {
        return new JobQuery(new Choice(Kind.DOCUMENTS, numbers, Map.of(), "", List.of()));
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
        return new JobQuery(Choice.later(Kind.AFTER, numbers));
    }

    /**
     * The documents written after a sequence number of their shard.
     *
     * @param last sequence numbers; in other shards, every document matches
     */
    public static JobQuery changedAfter(Map<ShardId, Long> last) {
        return new JobQuery(Choice.later(Kind.CHANGED, Map.copyOf(last)));
    }

    /**
     * As {@code exists}, but matches nothing if the field is not mapped. A job reads indices that lack some of its fields;
     * {@code exists} fails there if {@code index.query.parse.allow_unmapped_fields} is false.
     */
    public static JobQuery exists(String field) {
        return new JobQuery(Choice.ofField(Kind.EXISTS, field, List.of()));
    }

    /** As {@code terms} on the field that matches whole strings ({@link IndexMapping#whole}), but matches nothing if the field is not mapped. */
    public static JobQuery whole(String field, Collection<String> values) {
        return new JobQuery(Choice.ofField(Kind.WHOLE, field, List.copyOf(values)));
    }

    /** Whether any document matches. Fails if a shard does not answer. Blocks. */
    public static boolean matchesAny(Client client, QueryBuilder query, String... indices) {
        SearchRequest search = new SearchRequest(indices)
                // With terminateAfter, OpenSearch counts none in a large segment.
                .source(new SearchSourceBuilder().query(query).size(0).trackTotalHitsUpTo(1))
                .requestCache(false)
                .pipeline("_none")
                .allowPartialSearchResults(false);
        return client.search(search).actionGet().getHits().getTotalHits().value() > 0;
    }

    /** Looks for a document whose source the user does not get as it is stored. Reads each source twice, if a plugin filters what this user reads. */
    public static SearchSourceBuilder altered(QueryBuilder documents) {
        return new SearchSourceBuilder()
                .query(QueryBuilders.boolQuery()
                        .filter(documents)
                        .filter(new JobQuery(Choice.ofField(Kind.ALTERED, "_source", List.of()))))
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
        if (shard == null) {
            return this;
        }
        return switch (choice.kind) {
            case WHOLE -> {
                MappedFieldType whole = IndexMapping.whole(shard, choice.field);
                yield whole == null
                        ? new MatchNoneQueryBuilder()
                        : QueryBuilders.termsQuery(whole.name(), choice.values);
            }
            case EXISTS -> {
                boolean isMapped = shard.getMapperService().fieldType(choice.field) != null;
                yield isMapped ? QueryBuilders.existsQuery(choice.field) : new MatchNoneQueryBuilder();
            }
            case ALTERED, DOCUMENTS, AFTER, CHANGED -> this;
        };
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        ShardId shard = new ShardId(context.index(), context.getShardId());
        Long last = choice.last.get(shard);
        int[] numbers = choice.numbers.getOrDefault(shard, new int[0]);
        return switch (choice.kind) {
            case DOCUMENTS -> new NumberedDocuments(choice, leaf -> listed(numbers, leaf));
            case ALTERED -> new NumberedDocuments(choice, leaf -> ShownDocuments.altered(leaf.reader()));
            case AFTER ->
                last == null ? Queries.newMatchAllQuery() : new NumberedDocuments(choice, leaf -> after(last, leaf));
            case CHANGED ->
                last == null
                        ? Queries.newMatchAllQuery()
                        : context.fieldMapper(SeqNoFieldMapper.NAME)
                                .rangeQuery(last, null, false, true, ShapeRelation.INTERSECTS, null, null, context);
            case EXISTS, WHOLE -> throw new IllegalStateException(choice.kind + " is rewritten before");
        };
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME)
                .field(choice.kind.name().toLowerCase(Locale.ROOT), choice.shown())
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
            return choice.kind + " " + choice.shown();
        }
    }
}
