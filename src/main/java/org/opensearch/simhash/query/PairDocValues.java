/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.fetch.FetchSubPhase.HitContext;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.simhash.pair.PairValues;

/**
 * The values of a shard's documents that decide conditions on a pair. They are doc values. The source is read only where a field
 * ignores long values, which would look missing. One thread.
 *
 * <p>Also the rules for such fields, for all who read them.
 */
public final class PairDocValues {

    private static final Set<String> DATES = Set.of("date", "date_nanos");

    private static final Set<String> NUMBERS = Set.of(
            "byte",
            "short",
            "integer",
            "long",
            "unsigned_long",
            "token_count",
            "half_float",
            "float",
            "double",
            "scaled_float");

    /** Equal instants are equal in both types of date. */
    private static final String NANOSECONDS = "strict_date_optional_time_nanos";

    private static final String MILLISECONDS = "epoch_millis";

    private final QueryShardContext shard;
    private final PairConditions conditions;
    private final Map<String, Field> fields = new HashMap<>();

    /**
     * @param typed name in the conditions
     * @param name that of the doc values
     * @param longest more characters are ignored
     * @param paths where the values stand in the source
     */
    private record Field(String typed, String name, DocValueFetcher values, int longest, Set<String> paths) {}

    private PairDocValues(QueryShardContext shard, PairConditions conditions) {
        this.shard = shard;
        this.conditions = conditions;
        conditions.fields().forEach(name -> fields.put(name, field(name)));
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

    /** Refuses a field for {@code within} whose values have no such distance. */
    public static void requirePlaces(PairConditions.Within within, String type) {
        within.requireType(isDate(type), isNumber(type), type);
    }

    public static IllegalArgumentException unmapped(String option, String field, Set<String> indices) {
        return new IllegalArgumentException(
                "[" + option + "] must name mapped fields, but [" + field + "] is not mapped in " + indices);
    }

    public static IllegalArgumentException nested(String option, String field, String around) {
        return new IllegalArgumentException("[" + option + "] must name fields of the documents themselves, but ["
                + field + "] is in [" + around + "] of type [nested]");
    }

    public static IllegalArgumentException withoutValues(String option, String field, String type) {
        return new IllegalArgumentException(
                "[" + option + "] must name fields with doc values, but [" + field + "] is of type [" + type + "]");
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

    private Field field(String name) {
        String option = conditions.optionOf(name);
        MappedFieldType type = ValuesField.of(shard, name);
        if (type == null) {
            throw unmapped(option, name, Set.of(index()));
        }
        for (int dot = type.name().lastIndexOf('.'); dot > 0; dot = type.name().lastIndexOf('.', dot - 1)) {
            ObjectMapper around = shard.getObjectMapper(type.name().substring(0, dot));
            if (around != null && around.nested().isNested()) {
                throw nested(option, name, around.fullPath());
            }
        }
        if (conditions.within() != null && conditions.within().field().equals(name)) {
            requirePlaces(conditions.within(), type.typeName());
        }
        if (type.isAggregatable() == false) {
            throw withoutValues(option, name, type.typeName());
        }
        int longest = longest(type.name());
        Set<String> paths = longest == Integer.MAX_VALUE ? Set.of() : shard.sourcePath(type.name());
        for (String path : paths) {
            if (new KeptSource(shard).has(path) == false) {
                throw new IllegalArgumentException("[" + option + "] must name fields without [ignore_above] where"
                        + " _source does not keep them, got: [" + path + "] in [" + index() + "]");
            }
        }
        String format = format(conditions.within(), name, type.typeName());
        return new Field(
                name,
                type.name(),
                new DocValueFetcher(type.docValueFormat(format, null), shard.getForField(type)),
                longest,
                paths);
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
    void setNextReader(LeafReaderContext leaf) {
        for (Field field : fields.values()) {
            if (isHidden(leaf.reader(), field.name)) {
                throw new IllegalArgumentException("[" + conditions.optionOf(field.typed)
                        + "] must name fields that the user may see, but [" + field.typed + "] of [" + index()
                        + "] is hidden");
            }
            field.values.setNextReader(leaf);
        }
    }

    /** Security leaves fields out of a reader around that of the index. */
    private static boolean isHidden(LeafReader reader, String field) {
        return reader.getFieldInfos().fieldInfo(field) == null
                && FilterLeafReader.unwrap(reader).getFieldInfos().fieldInfo(field) != null;
    }

    /** @throws IllegalArgumentException if the document has a value that is ignored */
    PairValues of(HitContext hit) throws IOException {
        Map<String, List<Object>> values = new HashMap<>();
        for (Field field : fields.values()) {
            requireAll(hit, field);
            values.put(field.typed, field.values.fetchValues(hit.sourceLookup()));
        }
        return PairValues.of(
                conditions,
                values::get,
                field -> values.get(field).stream()
                        .mapToDouble(value -> Double.parseDouble(value.toString()))
                        .toArray());
    }

    private void requireAll(HitContext hit, Field field) {
        String option = conditions.optionOf(field.typed);
        DocumentField ignored = hit.hit().field(IgnoredFieldMapper.NAME);
        if (ignored != null && ignored.getValues().contains(field.name)) {
            throw ignored(option, index(), hit.hit().getId(), malformed(field.name));
        }
        for (String path : field.paths) {
            for (Object value : DocumentValues.at(path, hit.sourceLookup().loadSourceIfNeeded())) {
                int length = value.toString().length();
                if (length > field.longest) {
                    throw ignored(option, index(), hit.hit().getId(), tooLong(length, path, field.longest));
                }
            }
        }
    }
}
