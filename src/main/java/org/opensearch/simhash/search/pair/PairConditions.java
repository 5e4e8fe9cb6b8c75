/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * Conditions on a pair of documents. A pair that does not meet all of them is no pair of near-duplicates, whatever its texts are.
 *
 * @param same fields whose values must be equal
 * @param differ fields whose values must not be equal
 * @param within greatest distance of a date or a number; null for any
 */
public record PairConditions(List<Same> same, List<String> differ, Within within) implements ToXContentFragment {

    public static final PairConditions NONE = new PairConditions(List.of(), List.of(), null);

    /** In {@code same} and {@code differ} together. */
    private static final int MOST_FIELDS = 16;

    private static final double NANOS_IN_MILLISECOND = 1e6;

    private static final String SAME_RULE =
            "[same] must be a list of names of fields, or of objects with [field] and [missing]";
    private static final String DIFFER_RULE = "[differ] must be a list of names of fields";
    private static final String WITHIN_RULE = "[within] must be an object with [field] and [distance]";

    /** @param missingEqualsAll whether a missing value equals all values; else it is a value of its own */
    public record Same(String field, boolean missingEqualsAll) {}

    /**
     * @param maxDifference milliseconds for a date
     * @param typed the distance as in the request
     */
    public record Within(String field, double maxDifference, String typed) {

        public boolean isTime() {
            return Character.isLetter(typed.charAt(typed.length() - 1));
        }

        /** Refuses a field whose values have no such distance. */
        public void requireType(boolean isDate, boolean isNumber, String type) {
            if (isDate == false && isNumber == false) {
                throw new IllegalArgumentException(
                        "[within] must name a date or a number, but [" + field + "] is of type [" + type + "]");
            }
            if (isDate != isTime()) {
                throw new IllegalArgumentException("[distance] of [within] must be "
                        + (isDate ? "a time with its unit, as in 72h," : "a number") + " for [" + field + "] of type ["
                        + type + "], got: " + typed);
            }
        }
    }

    public PairConditions {
        same = List.copyOf(same);
        differ = List.copyOf(differ);
        TypedNumber.requireAtMost("[same] and [differ] together", MOST_FIELDS, "fields", same.size() + differ.size());
    }

    /**
     * The conditions of a request or of a processor.
     *
     * @param same as it was typed; null for none
     * @param differ the same
     */
    public static PairConditions of(Object same, Object differ, Object within) {
        List<Same> equal = new ArrayList<>();
        for (Object entry : listed(SAME_RULE, same)) {
            equal.add(entry instanceof Map<?, ?> object ? same(object) : new Same(field(SAME_RULE, entry), false));
        }
        List<String> different = new ArrayList<>();
        for (Object entry : listed(DIFFER_RULE, differ)) {
            different.add(field(DIFFER_RULE, entry));
        }
        for (Same field : equal) {
            if (different.contains(field.field)) {
                throw new IllegalArgumentException(
                        "[differ] must name other fields than [same], got in both: " + field.field);
            }
        }
        return new PairConditions(equal, different, within == null ? null : within(within));
    }

    private static List<?> listed(String rule, Object typed) {
        return switch (typed) {
            case null -> List.of();
            case List<?> list -> list;
            case String name -> List.of(name);
            case Map<?, ?> object -> List.of(object);
            default -> throw new IllegalArgumentException(rule + ", got: " + typed);
        };
    }

    private static String field(String rule, Object typed) {
        if (typed == null || typed instanceof Map || typed instanceof List) {
            throw new IllegalArgumentException(rule + ", got: " + typed);
        }
        return ProcessorOptions.requirePath(rule, typed.toString());
    }

    private static Same same(Map<?, ?> object) {
        requireKeys(SAME_RULE, object, "missing");
        Object missing = object.get("missing");
        if (missing != null && missing.equals("any") == false && missing.equals("own") == false) {
            throw new IllegalArgumentException("[missing] of [same] must be one of [any, own], got: " + missing);
        }
        return new Same(field(SAME_RULE, object.get("field")), "any".equals(missing));
    }

    private static Within within(Object typed) {
        if (typed instanceof Map<?, ?> == false) {
            throw new IllegalArgumentException(WITHIN_RULE + ", got: " + typed);
        }
        Map<?, ?> object = (Map<?, ?>) typed;
        requireKeys(WITHIN_RULE, object, "distance");
        String field = field(WITHIN_RULE, object.get("field"));
        String distance = Objects.toString(object.get("distance"), "");
        double maxDifference = distance(distance);
        if (Double.isFinite(maxDifference) == false || maxDifference < 0) {
            throw new IllegalArgumentException(
                    "[distance] of [within] must be a number, or a time with its unit, as in 72h, and not negative, got: "
                            + distance);
        }
        return new Within(field, maxDifference, distance);
    }

    /** NaN for what is no distance. */
    private static double distance(String typed) {
        // Java's own parser takes 72d for a number.
        if (TypedNumber.isOne(typed)) {
            return TypedNumber.parse(typed).doubleValue();
        }
        try {
            return TimeValue.parseTimeValue(typed, "distance").nanos() / NANOS_IN_MILLISECOND;
        } catch (IllegalArgumentException noTime) {
            return Double.NaN;
        }
    }

    private static void requireKeys(String rule, Map<?, ?> object, String beside) {
        if (object.get("field") == null || Set.of("field", beside).containsAll(object.keySet()) == false) {
            throw new IllegalArgumentException(rule + ", got: " + object);
        }
    }

    /** @param format what {@link #format} wrote */
    public static PairConditions ofFormat(String format) {
        try {
            Map<String, Object> typed = XContentHelper.convertToMap(JsonXContent.jsonXContent, format, false);
            return of(typed.get("same"), typed.get("differ"), typed.get("within"));
        } catch (OpenSearchParseException e) {
            throw new IllegalArgumentException("[format] must hold conditions on a pair, got: " + format, e);
        }
    }

    /** The form between nodes, and in the format of a doc value field, which a search carries to every shard and cluster. */
    public String format() {
        return Strings.toString(MediaTypeRegistry.JSON, this);
    }

    /** As it was typed, without what is not asked for. */
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startArray("same");
        for (Same field : same) {
            if (field.missingEqualsAll) {
                builder.map(new TreeMap<>(Map.of("field", field.field, "missing", "any"))); // in one order on all nodes
            } else {
                builder.value(field.field);
            }
        }
        builder.endArray();
        if (differ.isEmpty() == false) {
            builder.field("differ", differ);
        }
        if (within != null) {
            builder.startObject("within");
            builder.field("field", within.field);
            builder.field("distance", within.typed);
            builder.endObject();
        }
        return builder;
    }

    public boolean isEmpty() {
        return same.isEmpty() && differ.isEmpty() && within == null;
    }

    /** The fields of {@code same} where a missing value is a value of its own: they divide documents into classes. */
    public List<String> classes() {
        return same.stream()
                .filter(field -> field.missingEqualsAll == false)
                .map(Same::field)
                .toList();
    }

    /** The conditions that classes do not decide. */
    public PairConditions withoutClasses() {
        return new PairConditions(same.stream().filter(Same::missingEqualsAll).toList(), differ, within);
    }

    /** All fields, each once, in the order of {@link PairValues#keys} with that of {@code within} last. */
    public Set<String> fields() {
        Set<String> fields = new LinkedHashSet<>();
        keyFields().forEach(fields::add);
        if (within != null) {
            fields.add(within.field);
        }
        return fields;
    }

    public Stream<String> keyFields() {
        return Stream.concat(same.stream().map(Same::field), differ.stream());
    }

    /** The option that names a field, for errors. */
    public String optionOf(String field) {
        return same.stream().anyMatch(entry -> entry.field.equals(field))
                ? "same"
                : differ.contains(field) ? "differ" : "within";
    }

    /** Two documents. Keys count as in {@link PairValues#keys}. */
    public interface Pair {

        boolean isOneMissing(int key);

        boolean areEqual(int key);

        /** Of the two nearest places; infinite if one of the documents has none. */
        double distance();
    }

    public boolean areMet(PairValues a, PairValues b) {
        return areMet(a.with(b));
    }

    public boolean areMet(Pair pair) {
        int key = 0;
        for (Same field : same) {
            boolean passes = field.missingEqualsAll && pair.isOneMissing(key);
            if (passes == false && pair.areEqual(key) == false) {
                return false;
            }
            key++;
        }
        for (; key < same.size() + differ.size(); key++) {
            if (pair.areEqual(key)) {
                return false;
            }
        }
        return within == null || pair.distance() <= within.maxDifference;
    }

    /**
     * The values of a document that decide {@link PairConditions}.
     *
     * @param keys of the fields of {@code same}, then of {@code differ}: equal keys are equal values; null for a missing value
     * @param places of the field of {@code within}: milliseconds of dates, or numbers; ascending, empty if they are missing
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by the conditions only.
    public record PairValues(List<String> keys, double[] places) implements Writeable {

        public static final PairValues NONE = new PairValues(List.of(), new double[0]);

        /** A longer key is replaced by its digest. */
        static final int LONGEST_KEY = 256;

        /**
         * The values of a document.
         *
         * @param values of a field, in any order; empty if it is missing
         * @param places of the field of {@code within}
         */
        public static PairValues of(
                PairConditions conditions,
                Function<String, ? extends Collection<?>> values,
                Function<String, double[]> places) {
            List<String> keys = new ArrayList<>();
            conditions.keyFields().forEach(field -> keys.add(key(values.apply(field))));
            double[] at = conditions.within() == null
                    ? new double[0]
                    : places.apply(conditions.within().field()).clone();
            Arrays.sort(at);
            return new PairValues(keys, at);
        }

        public PairValues(StreamInput in) throws IOException {
            this(in.readList(StreamInput::readOptionalString), in.readDoubleArray());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeVInt(keys.size());
            for (String key : keys) {
                out.writeOptionalString(key);
            }
            out.writeDoubleArray(places);
        }

        /** A set of values as a string; null if there are none. Numbers are equal whatever their type. */
        static String key(Collection<?> values) {
            if (values.isEmpty()) {
                return null;
            }
            // Lengths in front keep [a, b] apart from [ab].
            String key = values.stream()
                    .map(PairValues::canonical)
                    .distinct()
                    .sorted()
                    .map(value -> value.length() + ":" + value)
                    .collect(Collectors.joining());
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            return bytes.length <= LONGEST_KEY
                    ? key
                    : "#" + MessageDigests.toHexString(MessageDigests.sha256().digest(bytes));
        }

        /** Of a key: equal hashes stand for equal keys. Null for a missing value. */
        public static HashValue128 hash(Collection<?> values) {
            String key = key(values);
            return key == null ? null : Hashing.murmur3_128().hashCharsTo128Bits(key);
        }

        private static String canonical(Object value) {
            if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
                BigDecimal exact = new BigDecimal(number.toString()).stripTrailingZeros();
                return TypedNumber.isShort(exact) ? exact.toPlainString() : canonical(number.doubleValue());
            }
            return value.toString();
        }

        /** The distance of the two nearest places; infinite if one of the documents has none. */
        public static double distance(double[] a, double[] b) {
            double nearest = Double.POSITIVE_INFINITY;
            for (int i = 0, j = 0; i < a.length && j < b.length; ) {
                nearest = Math.min(nearest, Math.abs(a[i] - b[j]));
                if (a[i] < b[j]) {
                    i++;
                } else {
                    j++;
                }
            }
            return nearest;
        }

        PairConditions.Pair with(PairValues other) {
            return new PairConditions.Pair() {
                @Override
                public boolean isOneMissing(int key) {
                    return keys.get(key) == null || other.keys.get(key) == null;
                }

                @Override
                public boolean areEqual(int key) {
                    return Objects.equals(keys.get(key), other.keys.get(key));
                }

                @Override
                public double distance() {
                    return PairValues.distance(places, other.places);
                }
            };
        }

        public long bytes() {
            long bytes = 64 + (long) places.length * Double.BYTES;
            for (String key : keys) {
                bytes += key == null ? Integer.BYTES : 48 + key.length();
            }
            return bytes;
        }
    }
}
