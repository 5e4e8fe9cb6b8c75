/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.options;

import static org.opensearch.ingest.ConfigurationUtils.newConfigurationException;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.lucene.search.spell.LevenshteinDistance;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.options.RequestOptions.Choice;

/**
 * The options of an ingest or search processor, as typed. Unknown options are refused first, so that a mistyped option
 * is not reported as missing. Null means not given.
 *
 * <p>Methods throw an {@link IllegalArgumentException} that names the option, the rule and the value. A {@code rule} is of both.
 */
public record ProcessorOptions(Map<String, Object> definition, Set<String> known) {

    private static final Set<String> METADATA = Arrays.stream(IngestDocument.Metadata.values())
            .map(IngestDocument.Metadata::getFieldName)
            .collect(Collectors.toUnmodifiableSet());

    /** Name of the element in a pipeline's metadata. */
    public static final String ELEMENT_KEY = "_value";

    /** The element of a {@code foreach}, for its inner processor. Nothing else outside the document survives. */
    public static final String ELEMENT = IngestDocument.INGEST_KEY + "." + ELEMENT_KEY;

    /** Every node keeps them, and reads them with each change of the cluster's metadata: 50,000 weights of features fit. */
    private static final int MOST_CHARACTERS = 4_000_000;

    /** Bounds the depth of a path. */
    private static final int MAX_PATH_LENGTH = 1_000;

    private static final Pattern SOURCE = Pattern.compile("^(?:" + SourceFieldMapper.NAME + "\\.)+");

    /** Least similarity for a suggestion. */
    private static final float ALIKE = 0.5f;

    /**
     * Makes something of a processor's options.
     *
     * @param tag of the processor, for messages; may be null
     * @param known names of all options
     * @throws org.opensearch.OpenSearchParseException with the processor and the message of an {@link IllegalArgumentException}
     */
    public static <T> T read(
            String type,
            String tag,
            Map<String, Object> definition,
            Set<String> known,
            Function<ProcessorOptions, T> reader) {
        try {
            ProcessorOptions options = new ProcessorOptions(definition, known);
            long characters = 0;
            for (Map.Entry<String, Object> typed : definition.entrySet()) {
                characters += characters("option", typed.getKey()) + characters(typed.getKey(), typed.getValue());
            }
            TypedNumber.requireAtMost("a processor", MOST_CHARACTERS, "characters in its options", characters);
            options.requireKnown();
            return reader.apply(options);
        } catch (IllegalArgumentException e) {
            throw newConfigurationException(type, tag, null, e.getMessage());
        }
    }

    private void requireKnown() {
        Set<String> others = new TreeSet<>(definition.keySet());
        others.removeAll(known);
        if (others.isEmpty() == false) {
            throw unknown(others.iterator().next());
        }
    }

    private IllegalArgumentException unknown(String option) {
        String unknown = TypedNumber.shown(option);
        LevenshteinDistance similarity = new LevenshteinDistance();
        String meant = known.stream()
                .sorted()
                .filter(one -> similarity.getDistance(unknown, one) > ALIKE)
                .max(Comparator.comparingDouble(one -> similarity.getDistance(unknown, one)))
                .map(one -> ", did you mean [" + one + "]?")
                .orElse("");
        return new IllegalArgumentException("unknown option [" + unknown + "]" + meant);
    }

    public boolean has(String option) {
        return known.contains(option);
    }

    /** The value, or null. Removes it from the definition, as OpenSearch expects. */
    public Object any(String option) {
        assert known.contains(option) : option;
        return definition.remove(option);
    }

    /**
     * The characters of a value and what is in it, and one for each. Refuses half a surrogate pair: neither the cluster state nor an
     * error can contain it.
     */
    private static long characters(String option, Object value) {
        return switch (value == null ? 0 : value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> characters(option, entry.getKey()) + characters(option, entry.getValue()))
                        .sum();
            case List<?> list ->
                list.stream().mapToLong(inner -> characters(option, inner)).sum();
            case String string -> {
                string.codePoints()
                        .filter(point -> Character.getType(point) == Character.SURROGATE)
                        .findFirst()
                        .ifPresent(point -> {
                            throw refusal(
                                    option,
                                    "must be text without lone surrogates",
                                    String.format(Locale.ROOT, "\\u%04x", point));
                        });
                yield string.length() + 1L;
            }
            default -> 1;
        };
    }

    public String string(String option, String byDefault) {
        return as(String.class, option, "must be a string", byDefault);
    }

    /** A path to a field, without empty parts. */
    public String field(String option, String byDefault) {
        String path = string(option, byDefault);
        return path == null ? null : requirePath("[" + option + "] must name a field", path);
    }

    /** Whether {@code path} is {@code around} or inside it. */
    public static boolean isWithin(String path, String around) {
        return (path + ".").startsWith(around + ".");
    }

    /** A path into the document's own fields, not its metadata or the pipeline's. */
    public String writableField(String option, String byDefault) {
        String path = writableFieldOrElement(option, byDefault);
        if (isWithin(path, ELEMENT)) {
            throw notOfTheDocument(option, path);
        }
        return path;
    }

    /** Like {@link #writableField}; also allows a path in the {@link #ELEMENT}. */
    public String writableFieldOrElement(String option, String byDefault) {
        String path = field(option, byDefault);
        int dot = path.indexOf('.');
        boolean isLost = isWithin(path, IngestDocument.INGEST_KEY) && isWithin(path, ELEMENT) == false;
        if (isLost
                || path.equals(SourceFieldMapper.NAME)
                || METADATA.contains(dot < 0 ? path : path.substring(0, dot))) {
            throw notOfTheDocument(option, path);
        }
        return path;
    }

    private static IllegalArgumentException notOfTheDocument(String option, String path) {
        return refusal(option, "must name a field of the document", path);
    }

    public boolean flag(String option, boolean byDefault) {
        Object value = any(option);
        return value == null ? byDefault : flag(option, value);
    }

    /** True or false, also as a string. */
    public static boolean flag(String option, Object value) {
        return switch (value.toString()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refusal(option, "must be true or false", value);
        };
    }

    public Integer wholeNumber(String option, Integer byDefault) {
        Object value = any(option);
        return value == null
                ? byDefault
                : Integer.valueOf(TypedNumber.whole("[" + option + "] must be a whole number", value.toString()));
    }

    /** A number, or a string with one. */
    public Double number(String option, String rule) {
        Object value = any(option);
        return value == null ? null : (Double) number("[" + option + "] " + rule, value);
    }

    /** A number, or a string with one, inside an option's value. */
    public static double number(String rule, Object value) {
        return value instanceof Number number ? number.doubleValue() : TypedNumber.real(rule, String.valueOf(value));
    }

    public List<?> list(String option) {
        return as(List.class, option, "must be a list", null);
    }

    @SuppressWarnings("unchecked")
    public Map<String, Object> object(String option) {
        return as(Map.class, option, "must be an object", null);
    }

    /** A constant of an enum, typed in lower case. */
    public <E extends Enum<E>> E choice(String option, Class<E> type, E byDefault) {
        Object value = any(option);
        return value == null ? byDefault : Choice.of(option, type, value);
    }

    /** The same if only some constants are allowed. */
    public <E extends Enum<E>> E choice(String option, List<E> allowed, E byDefault) {
        Object value = any(option);
        return value == null ? byDefault : Choice.of(option, allowed, value);
    }

    private <T> T as(Class<T> type, String option, String rule, T byDefault) {
        Object value = any(option);
        if (value != null && type.isInstance(value) == false) {
            throw refusal(option, rule, value);
        }
        return value == null ? byDefault : type.cast(value);
    }

    /** The path without a leading {@code _source.}, which OpenSearch also drops. Empty parts are refused. */
    public static String requirePath(String rule, String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException(rule + ", got an empty name");
        }
        if (path.length() > MAX_PATH_LENGTH) {
            throw new IllegalArgumentException(
                    rule + ", of at most " + MAX_PATH_LENGTH + " characters, got: " + path.length());
        }
        if (Arrays.asList(path.split("\\.", -1)).contains("")) {
            throw new IllegalArgumentException(rule + " without empty parts between its dots, got: " + path);
        }
        return SOURCE.matcher(path).replaceFirst("");
    }

    private static IllegalArgumentException refusal(String option, String rule, Object value) {
        return new IllegalArgumentException(
                "[" + option + "] " + rule + ", got: " + TypedNumber.shown(String.valueOf(value)));
    }
}
