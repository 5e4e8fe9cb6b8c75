/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.opensearch.OpenSearchParseException;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.common.time.DateFormatters;
import org.opensearch.common.util.LocaleUtils;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.Same;
import org.opensearch.simhash.search.pair.PairConditions.Within;
import org.opensearch.simhash.search.pair.PairValues;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.PairDocValues;

/**
 * Reads what decides {@link PairConditions} from sources, arriving or stored: dates by the format of the mapping, numbers
 * as numbers, everything else as typed. Normalizers do not apply. Parses each mapping once. One thread.
 */
public final class PairFields {

    /** The index cuts fractions off. */
    private static final Set<String> WHOLE_NUMBERS = Set.of("byte", "short", "integer", "long", "unsigned_long");

    /** Options that index something else than the source says. */
    private static final List<String> CHANGING = List.of("null_value", "normalizer", "index", "doc_values");

    /** A longer text of digits is compared as it is. */
    private static final int MOST_DIGITS = 400;

    /** Whole numbers of a double are exact up to here. */
    private static final double FARTHEST = 1e15;

    private static final String MILLISECONDS = "epoch_millis";

    /**
     * A field in one index.
     *
     * @param path in the source
     * @param type null if it is not mapped
     * @param indexed the name to search by; null if searches need not find what the source says
     * @param longest a longer value is not indexed
     * @param formats of a date, else null
     * @param constant the value of all documents that have none, or null
     * @param malformed whether malformed values are ignored, as the mapping says; null if it does not
     */
    private record Field(
            String path,
            String type,
            String indexed,
            int longest,
            DateFormatter formats,
            Object constant,
            Object malformed) {

        boolean isNumber() {
            return PairDocValues.isNumber(type);
        }

        boolean isFoundAs(Field other) {
            return indexed != null && indexed.equals(other.indexed) && type.equals(other.type);
        }
    }

    private final PairConditions conditions;
    private final Function<String, IndexMetadata> indices;
    private final Map<CompressedXContent, Map<String, Field>> byMapping = new HashMap<>();
    private final Map<String, Map<String, Field>> byIndex = new HashMap<>();

    /** @param indices in one cluster state, null for those that do not exist */
    public PairFields(PairConditions conditions, Function<String, IndexMetadata> indices) {
        this.conditions = conditions;
        this.indices = indices;
    }

    /** What a search or a get must read of sources. */
    public FetchSourceContext wanted() {
        return conditions.isEmpty()
                ? FetchSourceContext.DO_NOT_FETCH_SOURCE
                : new FetchSourceContext(true, paths().toArray(String[]::new), new String[0]);
    }

    /** In sources, as far as mappings are read. */
    public Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>(conditions.fields());
        byIndex.values().forEach(fields -> fields.values().forEach(field -> paths.add(field.path)));
        return paths;
    }

    /**
     * Of an arriving document.
     *
     * @throws IllegalArgumentException with the option, the rule and the field or value that cannot be compared
     */
    public Pairing of(Map<String, Object> document, String index) {
        return conditions.isEmpty() ? Pairing.NONE : pairing(document, index, true);
    }

    /** Of a stored document. What cannot be read is missing. */
    public Pairing ofStored(Map<String, Object> source, String index) {
        return conditions.isEmpty() ? Pairing.NONE : pairing(source == null ? Map.of() : source, index, false);
    }

    private Pairing pairing(Map<String, Object> document, String index, boolean isStrict) {
        Map<String, Field> fields = fields(index);
        if (isStrict) {
            fields.forEach((name, field) -> requireIndexed(name, field, document, index));
        }
        return new Pairing(
                conditions,
                PairValues.of(
                        conditions,
                        name -> values(fields.get(name), document),
                        name -> places(fields.get(name), document, isStrict)),
                null);
    }

    /** A job or a search could not compare what the index ignores. */
    private void requireIndexed(String name, Field field, Map<String, Object> arriving, String index) {
        boolean mayBeMalformed = field.type != null && (field.isNumber() || field.formats != null);
        if (field.longest == Integer.MAX_VALUE && mayBeMalformed == false) {
            return;
        }
        String option = conditions.optionOf(name);
        for (Object value : DocumentValues.at(field.path, arriving)) {
            int length = value.toString().length();
            if (length > field.longest) {
                throw PairDocValues.ignored(
                        option, "the document", PairDocValues.tooLong(length, field.path, field.longest));
            }
            // Where it is not ignored, the index refuses the document.
            if (mayBeMalformed
                    && option.equals("within") == false
                    && number(field, value) == null
                    && ignoresMalformed(field, index)) {
                throw PairDocValues.ignored(option, "the document", PairDocValues.malformed(field.path));
            }
        }
    }

    private boolean ignoresMalformed(Field field, String index) {
        return field.malformed == null
                ? FieldMapper.IGNORE_MALFORMED_SETTING.get(indices.apply(index).getSettings())
                : "true".equals(field.malformed.toString());
    }

    /**
     * Refuses conditions that an index cannot decide.
     *
     * @throws IllegalArgumentException with the option, the rule and the field
     */
    public void require(String index) {
        fields(index);
    }

    /**
     * Refuses a field that neither the mapping nor the arriving document knows, once the index has documents to compare
     * with.
     *
     * @throws IllegalArgumentException with the option, the rule and the field
     */
    public void requireMapped(String index, Map<String, Object> arriving) {
        fields(index).forEach((name, field) -> {
            if (field.type == null
                    && arriving != null
                    && values(field, arriving).isEmpty()) {
                throw PairDocValues.unmapped(conditions.optionOf(name), name, Set.of(index));
            }
        });
    }

    private Map<String, Field> fields(String index) {
        return byIndex.computeIfAbsent(index, any -> {
            IndexMetadata metadata = indices.apply(index);
            if (metadata == null || metadata.mapping() == null) {
                return fields(index, null);
            }
            return byMapping.computeIfAbsent(
                    metadata.mapping().source(), source -> fields(index, new IndexMapping(metadata)));
        });
    }

    private Map<String, Field> fields(String index, IndexMapping mapping) {
        Map<String, Field> fields = new HashMap<>();
        for (String name : conditions.fields()) {
            fields.put(name, field(conditions.optionOf(name), name, index, mapping));
        }
        return fields;
    }

    private Field field(String option, String name, String index, IndexMapping mapping) {
        if (mapping == null) {
            return unmapped(name);
        }
        String path = name;
        Map<?, ?> definition = mapping.definition(path);
        if (definition != null && "alias".equals(definition.get("type"))) {
            path = String.valueOf(definition.get("path"));
            definition = mapping.definition(path);
        }
        String above = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        if (definition == null
                && mapping.definition(above) != null
                && mapping.definition(above).get("fields") instanceof Map<?, ?> below) {
            path = above;
            definition = (Map<?, ?>) below.get(name.substring(above.length() + 1));
        }
        requireOneDocument(option, name, path, mapping);
        if (definition == null) {
            if (mapping.dynamic(above).equals("true") == false) {
                throw PairDocValues.unmapped(option, name, Set.of(index));
            }
            return unmapped(name);
        }
        if (mapping.isCopiedTo(path) || mapping.keepsInSource(path) == false) {
            throw new IllegalArgumentException("[" + option + "] must name fields whose values are in [_source], but ["
                    + name + "] of [" + index + "] has none there");
        }
        return mapped(name, path, definition);
    }

    private Field unmapped(String name) {
        Within within = conditions.within();
        boolean isDate = within != null && within.isTime() && within.field().equals(name);
        return new Field(
                name,
                null,
                null,
                Integer.MAX_VALUE,
                isDate ? DateFieldMapper.getDefaultDateTimeFormatter() : null,
                null,
                null);
    }

    /** Values of nested objects are those of others, and those of a flat object are all strings of one field. */
    private void requireOneDocument(String option, String name, String path, IndexMapping mapping) {
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            Map<?, ?> around = mapping.definition(path.substring(0, dot));
            if (around != null && "nested".equals(around.get("type"))) {
                throw PairDocValues.nested(option, name, path.substring(0, dot));
            }
            if (around != null && "flat_object".equals(around.get("type"))) {
                PairDocValues.requireComparable(conditions, name, "flat_object", false);
            }
        }
    }

    private Field mapped(String name, String path, Map<?, ?> whole) {
        String type = whole.get("type") == null ? "object" : whole.get("type").toString();
        String indexed = name;
        Map<?, ?> definition = whole;
        // An alias has nothing below it.
        if (path.equals(name)
                && type.equals("text")
                && whole.get("fields") instanceof Map<?, ?> below
                && below.get("keyword") instanceof Map<?, ?> keyword
                && "keyword".equals(keyword.get("type"))) {
            type = "keyword";
            indexed = name + ".keyword";
            definition = keyword;
        }
        PairDocValues.requireComparable(conditions, name, type, hasValues(type, definition));
        boolean isAsTyped = CHANGING.stream().noneMatch(definition::containsKey);
        Object longest = definition.get("ignore_above");
        return new Field(
                path,
                type,
                isAsTyped ? indexed : null,
                longest instanceof Number number ? number.intValue() : Integer.MAX_VALUE,
                PairDocValues.isDate(type) ? formats(definition) : null,
                type.equals("constant_keyword") ? definition.get("value") : null,
                definition.get("ignore_malformed"));
    }

    private static boolean hasValues(String type, Map<?, ?> definition) {
        // A wildcard without them reads its values from the source.
        return type.equals("wildcard") || "false".equals(String.valueOf(definition.get("doc_values"))) == false;
    }

    private static DateFormatter formats(Map<?, ?> definition) {
        Object format = definition.get("format");
        DateFormatter formats = format == null
                ? DateFieldMapper.getDefaultDateTimeFormatter()
                : DateFormatter.forPattern(format.toString());
        Object locale = definition.get("locale");
        return locale == null ? formats : formats.withLocale(LocaleUtils.parse(locale.toString()));
    }

    private static Collection<Object> values(Field field, Map<String, Object> document) {
        List<Object> values = new ArrayList<>();
        for (Object value : DocumentValues.at(field.path, document)) {
            Number number = field.type == null ? null : number(field, value);
            values.add(number == null ? value : number);
        }
        if (values.isEmpty() && field.constant != null) {
            values.add(field.constant);
        }
        return values;
    }

    private double[] places(Field field, Map<String, Object> document, boolean isStrict) {
        List<Double> places = new ArrayList<>();
        for (Object value : DocumentValues.at(field.path, document)) {
            Number number = number(field, value);
            if (number != null && Double.isFinite(number.doubleValue())) {
                places.add(number.doubleValue());
            } else if (isStrict) {
                String typed = String.valueOf(value);
                throw new IllegalArgumentException("[" + field.path + "] of [within] must be "
                        + (conditions.within().isTime() ? "a date" : "a number") + ", got: "
                        + TypedNumber.shown(typed));
            }
        }
        return places.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Milliseconds of a date, or the number; null for another value. */
    private static Number number(Field field, Object value) {
        String typed = value.toString();
        if (field.formats != null) {
            try {
                return DateFormatters.from(field.formats.parse(typed))
                        .toInstant()
                        .toEpochMilli();
            } catch (OpenSearchParseException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
                return null;
            }
        }
        if (value instanceof Number number) {
            return number;
        }
        if ((field.type == null || field.isNumber()) && TypedNumber.isOne(typed)) {
            BigDecimal number = TypedNumber.parse(typed);
            boolean isShort = Math.abs((long) number.scale()) <= MOST_DIGITS;
            return isShort ? number : (Number) number.doubleValue();
        }
        return null;
    }

    /**
     * A query that finds at least the stored documents that meet the conditions. Without it those that do not could fill
     * the pages of a search.
     *
     * @param document arriving
     * @param scope the documents to search
     */
    public QueryBuilder filter(Map<String, Object> document, String index, LookupScope scope) {
        BoolQueryBuilder filter = QueryBuilders.boolQuery();
        Map<String, Field> own = fields(index);
        for (Same same : conditions.same()) {
            Field found = inAll(same.field(), scope);
            if (found != null) {
                same(filter, same, found, new HashSet<>(values(own.get(same.field()), document)));
            }
        }
        for (String name : conditions.differ()) {
            Field found = inAll(name, scope);
            if (found != null) {
                differ(filter, found, new HashSet<>(values(own.get(name), document)));
            }
        }
        if (conditions.within() != null) {
            Field found = inAll(conditions.within().field(), scope);
            Field here = own.get(conditions.within().field());
            double[] places = places(here, document, false);
            if (places.length == 0) {
                // If the field is not mapped, documents are searched all the same: any that is found shows that its
                // name is mistyped.
                if (here.type != null) {
                    filter.filter(new MatchNoneQueryBuilder());
                }
            } else if (found != null) {
                within(filter, found, places);
            }
        }
        return filter;
    }

    /** Null if the indices map it differently: one query would not find it in all of them. */
    private Field inAll(String name, LookupScope scope) {
        Field first = null;
        for (String index : scope.indices()) {
            if (indices.apply(index) != null) {
                Field field = fields(index).get(name);
                if (first != null && field.isFoundAs(first) == false) {
                    return null;
                }
                first = field;
            }
        }
        return first == null || first.indexed == null ? null : first;
    }

    private static void same(BoolQueryBuilder filter, Same same, Field field, Set<Object> values) {
        BoolQueryBuilder equal = QueryBuilders.boolQuery();
        if (values.isEmpty()) {
            if (same.missingEqualsAll() == false && field.constant == null) {
                filter.mustNot(QueryBuilders.existsQuery(field.indexed));
            }
            return;
        }
        for (Object value : values) {
            if (isIndexed(field, value) == false) {
                return;
            }
            equal.filter(is(field, value));
        }
        filter.filter(
                same.missingEqualsAll()
                        ? QueryBuilders.boolQuery()
                                .should(equal)
                                .should(QueryBuilders.boolQuery().mustNot(QueryBuilders.existsQuery(field.indexed)))
                        : equal);
    }

    /** Documents with another value, also if they have the same one, too. With several values, no document can be left out. */
    private static void differ(BoolQueryBuilder filter, Field field, Set<Object> values) {
        if (field.type.equals("keyword") == false) {
            return; // equal numbers in the index may differ in the sources
        }
        if (values.isEmpty()) {
            filter.filter(QueryBuilders.boolQuery()
                    .should(QueryBuilders.existsQuery(field.indexed))
                    .should(QueryBuilders.termQuery(IgnoredFieldMapper.NAME, field.indexed)));
        } else if (values.size() == 1) {
            Object value = values.iterator().next();
            if (isIndexed(field, value)) {
                filter.filter(QueryBuilders.boolQuery()
                        .should(QueryBuilders.boolQuery().mustNot(is(field, value)))
                        .should(QueryBuilders.termQuery(IgnoredFieldMapper.NAME, field.indexed))
                        .should(QueryBuilders.rangeQuery(field.indexed).lt(plain(value)))
                        .should(QueryBuilders.rangeQuery(field.indexed).gt(plain(value))));
            }
        }
    }

    /** Whether a search for the value finds all documents that have it in their sources. */
    private static boolean isIndexed(Field field, Object value) {
        if (WHOLE_NUMBERS.contains(field.type)) {
            return value instanceof Integer || value instanceof Long; // the index cuts fractions off
        }
        if (field.formats != null || field.isNumber()) {
            return value instanceof Number;
        }
        return value instanceof Boolean || (value instanceof String text && text.length() <= field.longest);
    }

    private static QueryBuilder is(Field field, Object value) {
        return field.formats == null
                ? QueryBuilders.termQuery(field.indexed, plain(value))
                : range(field, ((Number) value).longValue(), ((Number) value).longValue() + 1);
    }

    /** A query takes no numbers of arbitrary precision. */
    private static Object plain(Object value) {
        return value instanceof BigDecimal || value instanceof BigInteger ? value.toString() : value;
    }

    private void within(BoolQueryBuilder filter, Field field, double[] places) {
        double from =
                Arrays.stream(places).min().getAsDouble() - conditions.within().maxDifference();
        double to =
                Arrays.stream(places).max().getAsDouble() + conditions.within().maxDifference();
        if (Math.abs(from) > FARTHEST || Math.abs(to) > FARTHEST) {
            return;
        }
        if (field.formats != null) {
            filter.filter(range(field, (long) Math.floor(from), (long) Math.ceil(to)));
        } else if (WHOLE_NUMBERS.contains(field.type)) {
            filter.filter(QueryBuilders.rangeQuery(field.indexed)
                    .gte((long) Math.floor(from) - 1)
                    .lte((long) Math.ceil(to) + 1));
        } else if (field.type.equals("double")) {
            filter.filter(QueryBuilders.rangeQuery(field.indexed)
                    .gte(Math.nextDown(from))
                    .lte(Math.nextUp(to)));
        }
    }

    private static RangeQueryBuilder range(Field field, long from, long to) {
        return QueryBuilders.rangeQuery(field.indexed).gte(from).lte(to).format(MILLISECONDS);
    }
}
