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
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * The values of a document that decide {@link PairConditions}.
 *
 * @param keys of the fields of {@code same}, then of {@code differ}: equal keys are equal values; null for a missing value
 * @param places of the field of {@code within}: milliseconds of dates, or numbers; ascending, empty if they are missing
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by the conditions only.
public record PairValues(List<String> keys, double[] places) implements Writeable {

    /** Of no conditions. */
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
            return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
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

    /** This document and another one. */
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

    /** Approximate bytes of heap. */
    public long bytes() {
        long bytes = 64 + (long) places.length * Double.BYTES;
        for (String key : keys) {
            bytes += key == null ? Integer.BYTES : 48 + key.length();
        }
        return bytes;
    }
}
