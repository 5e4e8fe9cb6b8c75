/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.lucene.index.SequentialStoredFieldsLeafReader;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fieldvisitor.FieldsVisitor;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.fetch.FetchSubPhase.HitContext;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/**
 * The values of a shard's documents that decide conditions on a pair. They are doc values. The source is read only where a field
 * ignores long values, which would look missing. Leaf by leaf, in the order of the documents. One thread.
 */
public final class PairDocValues {

    /** How many keys are remembered: many documents share few values. */
    private static final int REMEMBERED = 4_096;

    /** Longer values are not remembered. */
    private static final int SHORT = 64;

    private final QueryShardContext shard;
    private final PairConditions conditions;
    /** The fields that are read, by their names in the conditions. */
    private final Map<String, FieldValues> fields = new HashMap<>();

    /** Names of the fields of {@link PairValues#keys}. */
    private final List<String> keys;

    private final Map<Object, HashValue128> remembered = new HashMap<>();
    /** Strings of at most so many characters are ignored by no field. */
    private final int shortest;

    private LeafReaderContext leaf;
    /** Of the leaf; null until a source is read. */
    private StoredFields stored;

    /** Of one field, in the leaf that is being read. */
    private static final class FieldValues {

        private final PairField field;
        /** Of the doc values, where the field is an alias. */
        private final String name;

        /** Where long values would stand in the source: {@code copy_to} brings them from elsewhere. */
        private final Set<String> paths;

        private final IndexFieldData<?> data;
        private final DocValueFormat format;
        private DocValueFetcher.Leaf values;
        /** Documents with malformed values; null if there are none. */
        private PostingsEnum malformed;

        FieldValues(PairField field, MappedFieldType type, QueryShardContext shard, PairConditions.Within within) {
            this.field = field;
            this.name = type.name();
            this.paths = field.isLimited() ? shard.sourcePath(name) : Set.of();
            this.data = shard.getForField(type);
            this.format = type.docValueFormat(PairField.format(within, field.name(), field.type()), null);
        }

        void open(LeafReaderContext leaf) throws IOException {
            values = data.load(leaf).getLeafValueFetcher(format);
            malformed = leaf.reader().postings(new Term(IgnoredFieldMapper.NAME, name), PostingsEnum.NONE);
        }

        List<Object> values(int doc) throws IOException {
            if (values.advanceExact(doc) == false) {
                return List.of();
            }
            int count = values.docValueCount();
            if (count == 1) {
                return List.of(values.nextValue());
            }
            List<Object> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                all.add(values.nextValue());
            }
            return all;
        }

        boolean isMalformed(int doc) throws IOException {
            return malformed != null && (malformed.docID() >= doc ? malformed.docID() : malformed.advance(doc)) == doc;
        }
    }

    /** Takes the values of a document, with hashes of the keys of {@link PairValues}. */
    @FunctionalInterface
    public interface Sink {

        /** @param hash null for a missing value */
        void key(int key, HashValue128 hash);

        /** @param places ascending */
        default void places(double[] places) {}
    }

    /** @param all conditions of the request: no value of their fields may be ignored */
    public PairDocValues(QueryShardContext shard, PairConditions conditions, PairConditions all) {
        this.shard = shard;
        this.conditions = conditions;
        this.keys = conditions.keyFields().toList();
        IndexMapping mapping = IndexMapping.of(shard);
        for (String name : all.fields()) {
            PairField field = PairField.of(all, name, index(), mapping);
            MappedFieldType type = shard.getMapperService().fieldType(field.valued());
            if (field.type() == null || type == null) {
                throw PairField.unmapped(field.option(), name, Set.of(index()));
            }
            FieldValues values = new FieldValues(field, type, shard, all.within());
            for (String path : values.paths) {
                if (mapping.keepsInSource(path) == false) {
                    throw new IllegalArgumentException(
                            "[" + field.option() + "] must name fields without [ignore_above]"
                                    + " where _source does not keep them, got: [" + path + "] in [" + index() + "]");
                }
            }
            fields.put(name, values);
        }
        this.shortest = fields.values().stream()
                .mapToInt(of -> of.field.longest())
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    public PairDocValues(QueryShardContext shard, PairConditions conditions) {
        this(shard, conditions, conditions);
    }

    private String index() {
        return shard.index().getName();
    }

    /** @throws IllegalArgumentException for a field that the user may not see, whose values would look missing */
    public void setNextReader(LeafReaderContext next) throws IOException {
        leaf = next;
        stored = null;
        for (FieldValues of : fields.values()) {
            if (isHidden(next.reader(), of.name)) {
                throw new IllegalArgumentException("[" + of.field.option()
                        + "] must name fields that the user may see, but [" + of.field.name() + "] of [" + index()
                        + "] is hidden");
            }
            of.open(next);
        }
    }

    /** Whether the index has a field that the user does not see. */
    private static boolean isHidden(LeafReader reader, String field) {
        return reader.getFieldInfos().fieldInfo(field) == null
                && FilterLeafReader.unwrap(reader).getFieldInfos().fieldInfo(field) != null;
    }

    /** @throws IllegalArgumentException if the document has a value that is ignored */
    PairValues of(HitContext hit) throws IOException {
        Map<String, List<Object>> values = new HashMap<>();
        for (FieldValues of : fields.values()) {
            requireIndexed(
                    of, hit.docId(), of.field.isLimited() ? hit.sourceLookup().loadSourceIfNeeded() : Map.of());
            values.put(of.field.name(), of.values(hit.docId()));
        }
        return PairValues.of(conditions, values::get, field -> places(values.get(field)));
    }

    /** @throws IllegalArgumentException if the document has a value that is ignored */
    public void read(int doc, Sink sink) throws IOException {
        Map<String, Object> source = shortest < Integer.MAX_VALUE ? sourceOfLong(doc) : Map.of();
        for (FieldValues of : fields.values()) {
            requireIndexed(of, doc, source);
        }
        keys(doc, sink);
        if (conditions.within() != null) {
            sink.places(places(fields.get(conditions.within().field()).values(doc)));
        }
    }

    /** The keys alone. A value that is ignored looks missing. */
    public void keys(int doc, Sink sink) throws IOException {
        for (int key = 0; key < keys.size(); key++) {
            sink.key(key, hash(fields.get(keys.get(key)).values(doc)));
        }
    }

    private void requireIndexed(FieldValues of, int doc, Map<String, Object> source) throws IOException {
        String ignored = of.isMalformed(doc) ? of.field.malformedValue() : of.field.tooLongIn(source, of.paths);
        if (ignored != null) {
            throw of.field.ignored("document [" + id(doc) + "] of [" + index() + "]", ignored);
        }
    }

    private HashValue128 hash(List<Object> values) {
        if (values.size() != 1 || values.getFirst().toString().length() > SHORT) {
            return PairValues.hash(values);
        }
        if (remembered.size() == REMEMBERED) {
            remembered.clear();
        }
        return remembered.computeIfAbsent(values.getFirst(), value -> PairValues.hash(values));
    }

    private static double[] places(List<Object> values) {
        return values.stream()
                .mapToDouble(value -> Double.parseDouble(value.toString()))
                .sorted()
                .toArray();
    }

    /** Parses a source only if it has a long string. Empty if it has none. */
    @SuppressWarnings("deprecation") // A stored document does not tell its format.
    private Map<String, Object> sourceOfLong(int doc) throws IOException {
        if (stored == null) {
            // Documents in order: each block is decompressed once.
            stored = leaf.reader() instanceof SequentialStoredFieldsLeafReader sequential
                    ? sequential.getSequentialStoredFieldsReader()
                    : leaf.reader().storedFields();
        }
        FieldsVisitor visitor = new FieldsVisitor(true);
        stored.document(doc, visitor);
        return visitor.source() == null || isOfShortStrings(visitor.source().toBytesRef(), shortest)
                ? Map.of()
                : XContentHelper.convertToMap(visitor.source(), false).v2();
    }

    /** Whether no value of a source is longer than so many characters. JSON has at least as many bytes between two quotes. */
    static boolean isOfShortStrings(BytesRef source, int limit) {
        if (source.length == 0 || source.bytes[source.offset] != '{') {
            return source.length == 0;
        }
        int start = source.offset;
        int end = source.offset + source.length;
        for (int at = start; at < end; at++) {
            // An escaped quote ends no string.
            if (source.bytes[at] == '"' && source.bytes[at - 1] != '\\') {
                start = at + 1;
            } else if (at - start >= limit) {
                return false;
            }
        }
        return true;
    }

    private String id(int doc) throws IOException {
        FieldsVisitor visitor = new FieldsVisitor(false);
        leaf.reader().storedFields().document(doc, visitor);
        return visitor.id();
    }
}
