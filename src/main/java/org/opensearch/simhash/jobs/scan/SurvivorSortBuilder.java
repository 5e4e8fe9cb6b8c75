/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.search.SortField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.MultiValueMode;
import org.opensearch.search.sort.BucketedSort;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortFieldAndFormat;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.query.FingerprintMapping;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * Sorts by a field; each index chooses the field or its sub-field. Indices without fingerprints are never read and do
 * not sort. Only jobs send it.
 */
public final class SurvivorSortBuilder extends SortBuilder<SurvivorSortBuilder> {

    public static final String NAME = "simhash_survivor";

    private final String field;
    private final String missing;
    private final String type;
    private final String object;

    /**
     * @param missing {@code _first} or {@code _last}; a missing number sorts as the smallest or largest of the type
     * @param type of the field, for indices that do not sort; one without parameters
     * @param object the fingerprint object, without which an index does not sort; null if every index sorts
     */
    public SurvivorSortBuilder(String field, SortOrder order, String missing, String type, String object) {
        this.field = field;
        this.missing = missing;
        this.order = order;
        this.type = type;
        this.object = object;
    }

    public SurvivorSortBuilder(StreamInput in) throws IOException {
        this(
                MessageForm.read(in).readString(),
                SortOrder.readFromStream(in),
                in.readString(),
                in.readString(),
                in.readOptionalString());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeString(field);
        order.writeTo(out);
        out.writeString(missing);
        out.writeString(type);
        out.writeOptionalString(object);
    }

    @Override
    protected SortFieldAndFormat build(QueryShardContext context) throws IOException {
        boolean isRead = object == null
                || new FingerprintMapping(context, object).readableFields().isPresent();
        MappedFieldType values = isRead ? IndexMapping.whole(context, field) : null;
        return values == null
                ? byNothing(context)
                : new FieldSortBuilder(values.name())
                        .order(order)
                        .missing(missing)
                        .build(context);
    }

    /** Like a sort by an unmapped field, which some indices forbid in requests. */
    private SortFieldAndFormat byNothing(QueryShardContext context) {
        boolean reverse = order == SortOrder.DESC;
        MappedFieldType nothing = context.getMapperService().unmappedFieldType(type);
        IndexFieldData<?> values = context.getForField(nothing);
        SortField sort = values.sortField(missing, reverse ? MultiValueMode.MAX : MultiValueMode.MIN, null, reverse);
        return new SortFieldAndFormat(sort, nothing.docValueFormat(null, null));
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
                .field("missing", missing)
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
                && missing.equals(sort.missing)
                && type.equals(sort.type)
                && Objects.equals(object, sort.object);
    }

    @Override
    public int hashCode() {
        return Objects.hash(field, order, missing, type, object);
    }
}
