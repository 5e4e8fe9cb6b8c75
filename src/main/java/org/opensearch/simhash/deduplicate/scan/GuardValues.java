/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.fielddata.LeafFieldData;
import org.opensearch.index.fielddata.LeafNumericFieldData;
import org.opensearch.index.fielddata.SortedBinaryDocValues;
import org.opensearch.index.fielddata.plain.SortedNumericIndexFieldData;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.query.ValuesField;

/** The values, as text, that documents of one group have in common. */
final class GuardValues {

    /** Appended to milliseconds, it makes nanoseconds. */
    private static final String NANOS = "000000";

    private GuardValues() {}

    /** The values of a leaf; null if the index does not map the field. */
    static SortedBinaryDocValues of(QueryShardContext context, String field, LeafReaderContext leaf) {
        MappedFieldType type = ValuesField.of(context, field);
        if (type == null) {
            return null;
        }
        LeafFieldData values = context.getForField(type).load(leaf);
        // As text, OpenSearch would truncate these to milliseconds.
        if (values instanceof SortedNumericIndexFieldData.NanoSecondFieldData nanos) {
            return new Instants(nanos.getLongValuesAsNanos(), "");
        }
        return type instanceof DateFieldMapper.DateFieldType && values instanceof LeafNumericFieldData millis
                ? new Instants(millis.getLongValues(), NANOS)
                : values.getBytesValues();
    }

    /** Instants in nanoseconds, so that they do not depend on the resolution of an index. */
    private static final class Instants extends SortedBinaryDocValues {

        private final SortedNumericDocValues values;
        private final String scale;

        Instants(SortedNumericDocValues values, String scale) {
            this.values = values;
            this.scale = scale;
        }

        @Override
        public boolean advanceExact(int doc) throws IOException {
            return values.advanceExact(doc);
        }

        @Override
        public int docValueCount() {
            return values.docValueCount();
        }

        @Override
        public BytesRef nextValue() throws IOException {
            long value = values.nextValue();
            return new BytesRef(value == 0 ? "0" : value + scale);
        }
    }
}
