/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.StoredFields;
import org.opensearch.action.OriginalIndices;
import org.opensearch.common.collect.Tuple;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.fieldvisitor.CustomFieldsVisitor;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.Rows;

/**
 * Reads {@code _source} as it is stored. A search for some fields of it parses each source on the shard, writes those fields, and leaves
 * them to be parsed once more: that takes three times as long. Only large sources are cut down to the fields.
 *
 * @param text a field that may be stored outside of {@code _source}; null for none
 */
record SourceScan(PointInTime pointInTime, Collection<String> fields, String text) {

    /** A source of more bytes is cut down before it goes to another node. */
    private static final int LARGE = 1 << 16;

    /**
     * Reads documents, in no order.
     *
     * @param hits gets each document with its address; it has an index, an id, perhaps a source, perhaps the stored field
     */
    void read(long[] addresses, BiConsumer<Long, SearchHit> hits) {
        var wanted = new SourcesReader.Page(List.copyOf(fields), text);
        for (RowPage page : pointInTime.pages(pointInTime.these(addresses), SourcesReader.KIND, wanted)) {
            SearchShardTarget target = new SearchShardTarget(null, page.shard(), null, OriginalIndices.NONE);
            page.forEach(in -> {
                SearchHit hit = new SearchHit(in.readVInt(), in.readString(), Map.of(), Map.of());
                hit.shard(target);
                hit.sourceRef(in.readOptionalBytesReference());
                List<Object> stored = in.readList(StreamInput::readGenericValue);
                if (stored.isEmpty() == false) {
                    hit.setDocumentField(text, new DocumentField(text, stored));
                }
                hits.accept(pointInTime.address(page.shard(), hit.docId()), hit);
            });
        }
    }

    static final class SourcesReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_sources", Page::new, SourcesReader::new);

        /** @param text a field that may be stored; null for none */
        record Page(List<String> fields, String text) implements Writeable {

            Page(StreamInput in) throws IOException {
                this(in.readStringList(), in.readOptionalString());
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeStringCollection(fields);
                out.writeOptionalString(text);
            }
        }

        private final Rows rows;
        private final String[] fields;
        private final MappedFieldType text;

        private SourcesReader(Page page, PageShard shard) {
            this.rows = shard.rows();
            this.fields = page.fields.toArray(String[]::new);
            MappedFieldType type = page.text == null
                    ? null
                    : shard.context().getMapperService().fieldType(page.text);
            this.text = type != null && type.isStored() ? type : null;
        }

        @Override
        public Documents open(LeafReaderContext leaf) throws IOException {
            StoredFields stored = leaf.reader().storedFields();
            return doc -> {
                CustomFieldsVisitor visitor =
                        new CustomFieldsVisitor(text == null ? Set.of() : Set.of(text.name()), true, fields, null);
                stored.document(doc, visitor);
                BytesReference source = cutDown(visitor.source());
                StreamOutput out = rows.next();
                out.writeVInt(leaf.docBase + doc);
                out.writeString(visitor.id());
                out.writeOptionalBytesReference(source);
                out.writeCollection(values(visitor), StreamOutput::writeGenericValue);
            };
        }

        /** Some types store other values than people write, such as bytes. */
        private List<Object> values(CustomFieldsVisitor visitor) {
            return text == null
                    ? List.of()
                    : visitor.fields().getOrDefault(text.name(), List.of()).stream()
                            .map(text::valueForDisplay)
                            .toList();
        }

        @SuppressWarnings("deprecation") // A stored document does not tell its format.
        private BytesReference cutDown(BytesReference source) throws IOException {
            if (source == null || source.length() <= LARGE) {
                return source;
            }
            Tuple<? extends MediaType, Map<String, Object>> parsed = XContentHelper.convertToMap(source, false);
            Map<String, Object> wanted = XContentMapValues.filter(parsed.v2(), fields, null);
            try (XContentBuilder builder = XContentBuilder.builder(parsed.v1().xContent())) {
                return BytesReference.bytes(builder.map(wanted));
            }
        }
    }
}
