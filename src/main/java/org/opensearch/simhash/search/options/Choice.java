/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.options;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/** An option whose values are the constants of an enum, typed in lower case. */
public final class Choice {

    private Choice() {}

    /**
     * The constant of a typed value.
     *
     * @throws IllegalArgumentException naming the constants and the value if there is none
     */
    public static <E extends Enum<E>> E of(String option, Class<E> type, Object value) {
        return of(option, List.of(type.getEnumConstants()), value);
    }

    /** The same if only some constants are allowed. */
    public static <E extends Enum<E>> E of(String option, List<E> allowed, Object value) {
        for (E constant : allowed) {
            if (typed(constant).equals(value)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(
                rule(option, allowed) + ", got: " + TypedNumber.shown(String.valueOf(value)));
    }

    /** Reads a constant in a request's body. */
    public static <E extends Enum<E>> CheckedFunction<XContentParser, E, IOException> reader(
            String option, Class<E> type) {
        return reader(option, List.of(type.getEnumConstants()));
    }

    /** The same if only some constants are allowed. */
    public static <E extends Enum<E>> CheckedFunction<XContentParser, E, IOException> reader(
            String option, List<E> allowed) {
        CheckedFunction<XContentParser, String, IOException> typed = RequestOptions.string(rule(option, allowed));
        return parser -> of(option, allowed, typed.apply(parser));
    }

    private static <E extends Enum<E>> String rule(String option, List<E> allowed) {
        List<String> names = allowed.stream().map(Choice::typed).toList();
        return "[" + option + "] must be one of " + names;
    }

    private static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
