/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.search.SortField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.NumberFieldMapper;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.MultiValueMode;
import org.opensearch.search.sort.BucketedSort;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortFieldAndFormat;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.deduplicate.options.SurvivorField;
import org.opensearch.simhash.query.FingerprintMapping;

/**
 * Sorts by a field of which each index knows under which name it has the values; one without fingerprints, whose documents are
 * never read, sorts by nothing, whatever it maps. Missing values have a value of their own, as {@link SurvivorField} knows it. Sent by deduplication jobs; nobody can type it.
 */
public final class SurvivorSortBuilder extends SortBuilder<SurvivorSortBuilder> {

    public static final String NAME = "simhash_survivor";

    private static final String UNSIGNED_LONG = NumberFieldMapper.NumberType.UNSIGNED_LONG.typeName();

    private static final String MISSING = "_last";

    private final String field;
    private final String type;
    private final String object;

    /**
     * A sort.
     *
     * @param type of the field, for indices that have nothing to sort; one that needs no parameters
     * @param object fingerprints, without which an index has nothing to sort; null where that does not matter
     */
    public SurvivorSortBuilder(String field, SortOrder order, String type, String object) {
        this.field = field;
        this.order = order;
        this.type = type;
        this.object = object;
    }

    public SurvivorSortBuilder(StreamInput in) throws IOException {
        this(in.readString(), SortOrder.readFromStream(in), in.readString(), in.readOptionalString());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(field);
        order.writeTo(out);
        out.writeString(type);
        out.writeOptionalString(object);
    }

    @Override
    protected SortFieldAndFormat build(QueryShardContext context) throws IOException {
        boolean isRead = object == null
                || new FingerprintMapping(context, object).readableFields().isPresent();
        MappedFieldType values = isRead ? ValuesField.of(context, field) : null;
        return values == null
                ? byNothing(context)
                : new FieldSortBuilder(values.name())
                        .order(order)
                        .missing(isPositive(values) && order == SortOrder.DESC ? "_first" : MISSING)
                        .build(context);
    }

    /** As by an unmapped field: its name would be an error in an index that allows none in requests. */
    private SortFieldAndFormat byNothing(QueryShardContext context) {
        boolean reverse = order == SortOrder.DESC;
        MappedFieldType nothing = context.getMapperService().unmappedFieldType(type);
        IndexFieldData<?> values = context.getForField(nothing);
        SortField sort = values.sortField(MISSING, reverse ? MultiValueMode.MAX : MultiValueMode.MIN, null, reverse);
        return new SortFieldAndFormat(sort, nothing.docValueFormat(null, null));
    }

    /** Missing ones get the largest value in either order: the smallest, 0, is that of many documents. */
    private static boolean isPositive(MappedFieldType values) {
        return UNSIGNED_LONG.equals(values.typeName());
    }

    @Override
    public BucketedSort buildBucketedSort(QueryShardContext context, int size, BucketedSort.ExtraData extra) {
        throw new UnsupportedOperationException("[" + NAME + "] is not for buckets");
    }

    @Override
    public SurvivorSortBuilder rewrite(QueryRewriteContext context) {
        return this;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject()
                .startObject(NAME)
                .field("field", field)
                .field("order", order.toString())
                .endObject()
                .endObject();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SurvivorSortBuilder sort
                && field.equals(sort.field)
                && order == sort.order
                && type.equals(sort.type)
                && Objects.equals(object, sort.object);
    }

    @Override
    public int hashCode() {
        return Objects.hash(field, order, type, object);
    }
}
