/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.common.time.DateFormatters;
import org.opensearch.common.util.LocaleUtils;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.Within;

/**
 * A field of conditions on a pair in one index, and the rules for such fields, for all who read their values. In sources, dates are
 * read by the format of the mapping, numbers as numbers, everything else as typed. Normalizers do not apply there.
 *
 * @param name in the conditions
 * @param path in the source
 * @param type null if it is not mapped
 * @param valued the name that has its doc values
 * @param isAsTyped whether searches find what the source says
 * @param longest a longer value is not indexed
 * @param formats of a date, else null
 * @param constant the value of all documents that have none, or null
 * @param malformed whether malformed values are ignored, as the mapping says; null if it does not
 * @param isInSource whether documents have their values there
 */
public record PairField(
        String option,
        String name,
        String path,
        String type,
        String valued,
        boolean isAsTyped,
        int longest,
        DateFormatter formats,
        Object constant,
        Object malformed,
        boolean isInSource) {

    private static final Set<String> DATES = Set.of("date", "date_nanos");

    /** A number that no source has: an arriving document would have none. */
    private static final String COUNT = "token_count";

    private static final Set<String> NUMBERS = Set.of(new String[] {
        "byte", "short", "integer", "long", "unsigned_long", COUNT, "half_float", "float", "double", "scaled_float"
    });

    private static final Set<String> COMPARABLE =
            Set.of("keyword", "constant_keyword", "wildcard", "boolean", "ip", "version");

    /** Options that index something else than the source says. */
    private static final List<String> CHANGING = List.of("null_value", "normalizer", "index", "doc_values");

    /** Equal instants are equal in both types of date. */
    private static final String NANOSECONDS = "strict_date_optional_time_nanos";

    private static final String MILLISECONDS = "epoch_millis";

    /** @param mapping null for an index without one */
    public static PairField of(PairConditions conditions, String name, String index, IndexMapping mapping) {
        if (mapping == null) {
            return unmapped(conditions, name);
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
        requireOneDocument(conditions, name, path, mapping);
        if (definition == null) {
            if (mapping.dynamic(above).equals("true") == false) {
                throw unmapped(conditions.optionOf(name), name, Set.of(index));
            }
            return unmapped(conditions, name);
        }
        return mapped(
                conditions, name, path, definition, mapping.isCopiedTo(path) == false && mapping.keepsInSource(path));
    }

    private static PairField unmapped(PairConditions conditions, String name) {
        Within within = conditions.within();
        boolean isDate = within != null && within.isTime() && within.field().equals(name);
        DateFormatter formats = isDate ? DateFieldMapper.getDefaultDateTimeFormatter() : null;
        return new PairField(
                conditions.optionOf(name), name, name, null, name, false, Integer.MAX_VALUE, formats, null, null, true);
    }

    /** Values of nested objects are those of others, and those of a flat object are all strings of one field. */
    private static void requireOneDocument(PairConditions conditions, String name, String path, IndexMapping mapping) {
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            Map<?, ?> around = mapping.definition(path.substring(0, dot));
            if (around != null && "nested".equals(around.get("type"))) {
                throw nested(conditions.optionOf(name), name, path.substring(0, dot));
            }
            if (around != null && "flat_object".equals(around.get("type"))) {
                requireComparable(conditions, name, "flat_object", false);
            }
        }
    }

    private static PairField mapped(
            PairConditions conditions, String name, String path, Map<?, ?> whole, boolean isInSource) {
        String type = IndexMapping.type(whole);
        String valued = name;
        Map<?, ?> definition = whole;
        // An alias has nothing below it.
        if (path.equals(name)
                && whole.get("fields") instanceof Map<?, ?> below
                && below.get("keyword") instanceof Map<?, ?> keyword
                && IndexMapping.isBelow(type, IndexMapping.type(keyword))) {
            type = IndexMapping.type(keyword);
            valued = name + IndexMapping.SUB_FIELD;
            definition = keyword;
        }
        requireComparable(conditions, name, type, hasValues(type, definition));
        return new PairField(
                conditions.optionOf(name),
                name,
                path,
                type,
                valued,
                CHANGING.stream().noneMatch(definition::containsKey),
                definition.get("ignore_above") instanceof Number longest ? longest.intValue() : Integer.MAX_VALUE,
                isDate(type) ? formats(definition) : null,
                type.equals("constant_keyword") ? definition.get("value") : null,
                definition.get("ignore_malformed"),
                isInSource);
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

    /** @param index for the error */
    public void requireInSource(String index) {
        if (isInSource == false) {
            throw new IllegalArgumentException("[" + option + "] must name fields whose values are in [_source], but ["
                    + name + "] of [" + index + "] has none there");
        }
    }

    public boolean isNumber() {
        return isNumber(type);
    }

    boolean isLimited() {
        return longest < Integer.MAX_VALUE;
    }

    public List<Object> values(Map<String, Object> document) {
        List<Object> values = new ArrayList<>();
        for (Object value : DocumentValues.at(path, document)) {
            Number number = type == null ? null : number(value);
            values.add(number == null ? value : number);
        }
        if (values.isEmpty() && constant != null) {
            values.add(constant);
        }
        return values;
    }

    /**
     * For {@code within}.
     *
     * @param isStrict whether to refuse what has no place; else it is missing
     */
    public double[] places(Map<String, Object> document, boolean isStrict) {
        List<Double> places = new ArrayList<>();
        for (Object value : DocumentValues.at(path, document)) {
            Number number = number(value);
            if (number != null && Double.isFinite(number.doubleValue())) {
                places.add(number.doubleValue());
            } else if (isStrict) {
                throw new IllegalArgumentException(
                        "[" + path + "] of [within] must be " + (formats == null ? "a number" : "a date") + ", got: "
                                + TypedNumber.shown(String.valueOf(value)));
            }
        }
        return places.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Milliseconds of a date, or the number; null for another value. */
    private Number number(Object value) {
        String typed = value.toString();
        if (formats != null) {
            try {
                return DateFormatters.from(formats.parse(typed)).toInstant().toEpochMilli();
            } catch (OpenSearchParseException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
                return null;
            }
        }
        if (value instanceof Number number) {
            return number;
        }
        if ((type == null || isNumber()) && TypedNumber.isOne(typed)) {
            BigDecimal number = TypedNumber.parse(typed);
            return TypedNumber.isShort(number) ? number : (Number) number.doubleValue();
        }
        return null;
    }

    /** What a source has that the index ignores because it is long; null for nothing. */
    public String tooLongIn(Map<String, Object> source, Set<String> paths) {
        for (String from : isLimited() ? paths : Set.<String>of()) {
            for (Object value : DocumentValues.at(from, source)) {
                int length = value.toString().length();
                if (length > longest) {
                    return length + " characters in [" + from + "], whose [ignore_above] is " + longest;
                }
            }
        }
        return null;
    }

    /**
     * The same of a malformed value. Where it is not ignored, the index refuses the document.
     *
     * @param isIgnored what the index does unless the mapping says it
     */
    public String malformedIn(Map<String, Object> source, boolean isIgnored) {
        boolean mayBeMalformed = type != null && (isNumber() || formats != null) && option.equals("within") == false;
        return mayBeMalformed
                        && (malformed == null ? isIgnored : "true".equals(malformed.toString()))
                        && DocumentValues.at(path, source).stream().anyMatch(value -> number(value) == null)
                ? malformedValue()
                : null;
    }

    String malformedValue() {
        return "a malformed value in [" + path + "], which is ignored";
    }

    /** Of a document with a value that would look missing. */
    public IllegalArgumentException ignored(String document, String what) {
        return new IllegalArgumentException(
                "[" + option + "] must name fields whose values all have doc values, but " + document + " has " + what);
    }

    /** How the doc values of a field are read; null for as they are. */
    public static String format(Within within, String field, String type) {
        boolean isPlace = within != null && within.field().equals(field);
        return isDate(type) ? isPlace ? MILLISECONDS : NANOSECONDS : null;
    }

    private static boolean isDate(String type) {
        return DATES.contains(type);
    }

    public static boolean isNumber(String type) {
        return NUMBERS.contains(type);
    }

    /** Refuses a field whose values jobs, searches and arriving documents do not all have, or do not compare alike. */
    public static void requireComparable(PairConditions conditions, String field, String type, boolean hasValues) {
        boolean isNumber = isNumber(type) && type.equals(COUNT) == false;
        Within within = conditions.within();
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
}
