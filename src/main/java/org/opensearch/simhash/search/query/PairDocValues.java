/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.BytesRef;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.lucene.index.SequentialStoredFieldsLeafReader;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData.NumericType;
import org.opensearch.index.fielddata.LeafFieldData;
import org.opensearch.index.fielddata.LeafNumericFieldData;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;
import org.opensearch.index.fieldvisitor.FieldsVisitor;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.fetch.FetchSubPhase.HitContext;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairValues;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;

/**
 * The values of a shard's documents that decide conditions on a pair. They are doc values. The source is read only where a field
 * ignores long values, which would look missing. Leaf by leaf, in the order of the documents. One thread.
 *
 * <p>Also the rules for such fields, for all who read them.
 */
public final class PairDocValues {

    private static final Set<String> DATES = Set.of("date", "date_nanos");

    /** A number that no source has: an arriving document would have none. */
    private static final String COUNT = "token_count";

    private static final Set<String> NUMBERS = Set.of(
            "byte",
            "short",
            "integer",
            "long",
            "unsigned_long",
            COUNT,
            "half_float",
            "float",
            "double",
            "scaled_float");

    /** Beside dates and numbers. */
    private static final Set<String> COMPARABLE =
            Set.of("keyword", "constant_keyword", "wildcard", "boolean", "ip", "version");

    /** Numbers of these types, and milliseconds of dates, need no format. */
    private static final Set<NumericType> AS_THEY_ARE = EnumSet.complementOf(
            EnumSet.of(NumericType.BOOLEAN, NumericType.DATE_NANOSECONDS, NumericType.UNSIGNED_LONG));

    /** Equal instants are equal in both types of date. */
    private static final String NANOSECONDS = "strict_date_optional_time_nanos";

    private static final String MILLISECONDS = "epoch_millis";

    /** How many keys are remembered: many documents share few values. */
    private static final int REMEMBERED = 4_096;

    /** Longer values are not remembered. */
    private static final int SHORT = 64;

    private final QueryShardContext shard;
    private final PairConditions conditions;
    /** The fields that are read, by their names in the conditions. */
    private final Map<String, Field> fields = new HashMap<>();

    /** Names of the fields of {@link PairValues#keys}. */
    private final List<String> keys;

    private final Map<Object, HashValue128> remembered = new HashMap<>();
    /** Strings of at most so many characters are ignored by no field. */
    private final int shortest;

    private LeafReaderContext leaf;
    /** Of the leaf; null until a source is read. */
    private StoredFields stored;

    /** Of one field, in the leaf that is being read. */
    private static final class Field {

        private final String option;
        /** In the conditions. */
        private final String typed;
        /** Of the doc values. */
        private final String name;

        private final IndexFieldData<?> data;
        private final DocValueFormat format;
        /** More characters are ignored. */
        private final int longest;
        /** Where the values stand in the source. */
        private final Set<String> paths;

        private DocValueFetcher.Leaf values;
        /** Of a field whose values are numbers for {@code within} as they are; else null. */
        private SortedNumericDoubleValues numbers;
        /** Documents with malformed values; null if there are none. */
        private PostingsEnum malformed;
        /** Whether each document of the leaf has a value that is not ignored. */
        private boolean isEverywhere;

        Field(String option, String typed, MappedFieldType type, QueryShardContext shard, String format, int longest) {
            this.option = option;
            this.typed = typed;
            this.name = type.name();
            this.data = shard.getForField(type);
            this.format = type.docValueFormat(format, null);
            this.longest = longest;
            this.paths = isLimited() ? shard.sourcePath(name) : Set.of();
        }

        void open(LeafReaderContext leaf) throws IOException {
            LeafFieldData loaded = data.load(leaf);
            values = loaded.getLeafValueFetcher(format);
            // Others are numbers only once they are formatted.
            boolean areNumbers = loaded instanceof LeafNumericFieldData
                    && data instanceof IndexNumericFieldData numeric
                    && AS_THEY_ARE.contains(numeric.getNumericType());
            numbers = areNumbers ? ((LeafNumericFieldData) loaded).getDoubleValues() : null;
            Terms terms = leaf.reader().terms(name);
            isEverywhere = terms != null && terms.getDocCount() == leaf.reader().maxDoc();
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

        /** For {@code within}, ascending. */
        double[] places(int doc) throws IOException {
            if (numbers == null) {
                return PairDocValues.places(values(doc));
            }
            double[] places = new double[numbers.advanceExact(doc) ? numbers.docValueCount() : 0];
            for (int i = 0; i < places.length; i++) {
                places[i] = numbers.nextValue();
            }
            return places;
        }

        boolean isLimited() {
            return longest < Integer.MAX_VALUE;
        }

        boolean isMalformed(int doc) throws IOException {
            return malformed != null && (malformed.docID() >= doc ? malformed.docID() : malformed.advance(doc)) == doc;
        }
    }

    private interface FieldTest {
        boolean test(Field field) throws IOException;
    }

    /** Takes the values of a document, with hashes of the keys of {@link PairValues}. */
    @FunctionalInterface
    public interface Sink {

        /** @param hash null for a missing value */
        void key(int key, HashValue128 hash);

        /** @param places ascending */
        default void places(double[] places) {}
    }

    /**
     * @param conditions that the values decide
     * @param all conditions of the request: no value of their fields may be ignored
     * @throws IllegalArgumentException for a field that cannot decide, with the option, the rule and the value
     */
    public PairDocValues(QueryShardContext shard, PairConditions conditions, PairConditions all) {
        this.shard = shard;
        this.conditions = conditions;
        this.keys = conditions.keyFields().toList();
        all.fields().forEach(name -> fields.put(name, field(all, name)));
        this.shortest =
                fields.values().stream().mapToInt(field -> field.longest).min().orElse(Integer.MAX_VALUE);
    }

    public PairDocValues(QueryShardContext shard, PairConditions conditions) {
        this(shard, conditions, conditions);
    }

    /** The form of conditions in the format of a doc value field. */
    public static String format(PairConditions conditions) {
        return Strings.toString(MediaTypeRegistry.JSON, conditions);
    }

    /**
     * @param format what {@link #format} wrote
     * @throws IllegalArgumentException for a field that cannot decide, with the option, the rule and the value
     */
    static PairDocValues of(QueryShardContext shard, String format) {
        Map<String, Object> typed;
        try {
            typed = XContentHelper.convertToMap(JsonXContent.jsonXContent, format, false);
        } catch (OpenSearchParseException e) {
            throw new IllegalArgumentException("[format] must hold conditions on a pair, got: " + format, e);
        }
        return new PairDocValues(shard, PairConditions.of(typed.get("same"), typed.get("differ"), typed.get("within")));
    }

    /** How the doc values of a field are read; null for as they are. */
    public static String format(PairConditions.Within within, String field, String type) {
        boolean isPlace = within != null && within.field().equals(field);
        return DATES.contains(type) ? isPlace ? MILLISECONDS : NANOSECONDS : null;
    }

    /** Whether the values of a type are dates. */
    public static boolean isDate(String type) {
        return DATES.contains(type);
    }

    /** Whether the values of a type are numbers. */
    public static boolean isNumber(String type) {
        return NUMBERS.contains(type);
    }

    /**
     * Refuses a field whose values jobs, searches and arriving documents do not all have, or do not compare alike.
     *
     * @param hasValues whether it has doc values
     * @throws IllegalArgumentException with the option, the rule and the field
     */
    public static void requireComparable(PairConditions conditions, String field, String type, boolean hasValues) {
        boolean isNumber = isNumber(type) && type.equals(COUNT) == false;
        PairConditions.Within within = conditions.within();
        if (within != null && within.field().equals(field)) {
            within.requireType(isDate(type), isNumber, type);
        }
        if (hasValues == false || (isDate(type) || isNumber || COMPARABLE.contains(type)) == false) {
            throw new IllegalArgumentException("[" + conditions.optionOf(field)
                    + "] must name fields with doc values of keywords, numbers, dates, booleans or addresses, but ["
                    + field + "] is of type [" + type + "]");
        }
    }

    public static IllegalArgumentException unmapped(String option, String field, Set<String> indices) {
        return new IllegalArgumentException(
                "[" + option + "] must name mapped fields, but [" + field + "] is not mapped in " + indices);
    }

    public static IllegalArgumentException nested(String option, String field, String around) {
        return new IllegalArgumentException("[" + option + "] must name fields of the documents themselves, but ["
                + field + "] is in [" + around + "] of type [nested]");
    }

    /** @param what the document has */
    public static IllegalArgumentException ignored(String option, String index, String id, String what) {
        return ignored(option, "document [" + id + "] of [" + index + "]", what);
    }

    /** @param what the document has */
    public static IllegalArgumentException ignored(String option, String document, String what) {
        return new IllegalArgumentException(
                "[" + option + "] must name fields whose values all have doc values, but " + document + " has " + what);
    }

    /** Names a value that is ignored. */
    public static String tooLong(int length, String path, int longest) {
        return length + " characters in [" + path + "], whose [ignore_above] is " + longest;
    }

    public static String malformed(String field) {
        return "a malformed value in [" + field + "], which is ignored";
    }

    private String index() {
        return shard.index().getName();
    }

    private Field field(PairConditions all, String name) {
        String option = all.optionOf(name);
        MappedFieldType type = ValuesField.of(shard, name);
        if (type == null) {
            ObjectMapper object = shard.getObjectMapper(name);
            if (object != null) {
                requireComparable(all, name, object.nested().isNested() ? "nested" : "object", false);
            }
            throw unmapped(option, name, Set.of(index()));
        }
        for (int dot = type.name().lastIndexOf('.'); dot > 0; dot = type.name().lastIndexOf('.', dot - 1)) {
            ObjectMapper around = shard.getObjectMapper(type.name().substring(0, dot));
            if (around != null && around.nested().isNested()) {
                throw nested(option, name, around.fullPath());
            }
        }
        requireComparable(all, name, type.typeName(), type.isAggregatable());
        String format = format(all.within(), name, type.typeName());
        Field field = new Field(option, name, type, shard, format, longest(type.name()));
        for (String path : field.paths) {
            if (new KeptSource(shard).has(path) == false) {
                throw new IllegalArgumentException("[" + option + "] must name fields without [ignore_above] where"
                        + " _source does not keep them, got: [" + path + "] in [" + index() + "]");
            }
        }
        return field;
    }

    /** Several types of field have the option. */
    private int longest(String name) {
        Mapper mapper = shard.getMapperService().documentMapper().mappers().getMapper(name);
        Map<String, Object> definition = mapper == null
                ? Map.of()
                : XContentHelper.convertToMap(
                        JsonXContent.jsonXContent, Strings.toString(MediaTypeRegistry.JSON, mapper), false);
        return definition.get(mapper == null ? "" : mapper.simpleName()) instanceof Map<?, ?> options
                        && options.get("ignore_above") instanceof Number longest
                ? longest.intValue()
                : Integer.MAX_VALUE;
    }

    /** @throws IllegalArgumentException for a field that the user may not see, whose values would look missing */
    public void setNextReader(LeafReaderContext next) throws IOException {
        leaf = next;
        stored = null;
        for (Field field : fields.values()) {
            if (ShownDocuments.isHidden(next.reader(), field.name)) {
                throw new IllegalArgumentException(
                        "[" + field.option + "] must name fields that the user may see, but [" + field.typed + "] of ["
                                + index() + "] is hidden");
            }
            field.open(next);
        }
    }

    /** @throws IllegalArgumentException if the document has a value that is ignored */
    PairValues of(HitContext hit) throws IOException {
        Map<String, List<Object>> values = new HashMap<>();
        for (Field field : fields.values()) {
            requireWellFormed(field, hit.docId());
            if (field.isLimited()) {
                requireShort(field, hit.docId(), hit.sourceLookup().loadSourceIfNeeded());
            }
            values.put(field.typed, field.values(hit.docId()));
        }
        return PairValues.of(conditions, values::get, field -> places(values.get(field)));
    }

    /** @throws IllegalArgumentException if the document has a value that is ignored */
    public void read(int doc, Sink sink) throws IOException {
        require(doc, Field::isLimited);
        keys(doc, sink);
        if (conditions.within() != null) {
            sink.places(fields.get(conditions.within().field()).places(doc));
        }
    }

    /** The keys alone. A value that is ignored looks missing. */
    public void keys(int doc, Sink sink) throws IOException {
        for (int key = 0; key < keys.size(); key++) {
            sink.key(key, hash(fields.get(keys.get(key)).values(doc)));
        }
    }

    /** Whether documents of the leaf may have values that are ignored. */
    public boolean mayIgnore() {
        return fields.values().stream().anyMatch(field -> field.isLimited() || field.malformed != null);
    }

    /** Whether documents of the leaf may have nothing but values that are ignored. */
    public boolean mayIgnoreAll() {
        return fields.values().stream()
                .anyMatch(field -> field.malformed != null || (field.isLimited() && field.isEverywhere == false));
    }

    /**
     * Reads no source of a document that has a value in each field: one that is ignored beside it is found by
     * {@link #read} only.
     *
     * @throws IllegalArgumentException if all values of a field are ignored
     */
    public void requireAny(int doc) throws IOException {
        require(doc, field -> field.isLimited() && field.values.advanceExact(doc) == false);
    }

    private void require(int doc, FieldTest suspected) throws IOException {
        Map<String, Object> source = null;
        for (Field field : fields.values()) {
            requireWellFormed(field, doc);
            if (suspected.test(field)) {
                source = source == null ? sourceOfLong(doc) : source;
                requireShort(field, doc, source);
            }
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

    private void requireWellFormed(Field field, int doc) throws IOException {
        if (field.isMalformed(doc)) {
            throw ignored(field.option, index(), id(doc), malformed(field.name));
        }
    }

    private void requireShort(Field field, int doc, Map<String, Object> source) throws IOException {
        for (String path : field.paths) {
            for (Object value : DocumentValues.at(path, source)) {
                int length = value.toString().length();
                if (length > field.longest) {
                    throw ignored(field.option, index(), id(doc), tooLong(length, path, field.longest));
                }
            }
        }
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
        BytesRef source =
                visitor.source() == null ? new BytesRef() : visitor.source().toBytesRef();
        return source.length == 0 || isOfShortStrings(source, shortest)
                ? Map.of()
                : XContentHelper.convertToMap(
                        MediaTypeRegistry.xContent(source.bytes, source.offset, source.length)
                                .xContent(),
                        source.bytes,
                        source.offset,
                        source.length,
                        false);
    }

    /** Whether no value of a source is longer than so many characters. JSON has at least as many bytes between two quotes. */
    static boolean isOfShortStrings(BytesRef source, int limit) {
        if (source.length == 0 || source.bytes[source.offset] != '{') {
            return false;
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
