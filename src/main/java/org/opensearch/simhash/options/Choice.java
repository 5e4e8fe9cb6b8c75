/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.XContentParser;

/** An option whose values are the constants of an enum, typed in lower case. */
public final class Choice {

    private Choice() {}

    /**
     * The constant of a typed value.
     *
     * @throws IllegalArgumentException naming the constants and the value if there is none
     */
    public static <E extends Enum<E>> E of(String option, Class<E> type, Object value) {
        for (E constant : type.getEnumConstants()) {
            if (typed(constant).equals(value)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(rule(option, type) + ", got: " + TypedNumber.shown(String.valueOf(value)));
    }

    /** Reads a constant in a request's body. */
    public static <E extends Enum<E>> CheckedFunction<XContentParser, E, IOException> reader(
            String option, Class<E> type) {
        CheckedFunction<XContentParser, String, IOException> typed = RequestOptions.string(rule(option, type));
        return parser -> of(option, type, typed.apply(parser));
    }

    private static <E extends Enum<E>> String rule(String option, Class<E> type) {
        List<String> names =
                Arrays.stream(type.getEnumConstants()).map(Choice::typed).toList();
        return "[" + option + "] must be one of " + names;
    }

    private static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
