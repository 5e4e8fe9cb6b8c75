/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.simhash.options.TypedNumber;

/**
 * How large parts of an analyzer may be: buffers, tables and automata, made when they are built and on no account, are as large as
 * the numbers in their settings say, multiplied at worst. Whoever may make pipelines may use any; a request that needs no more than
 * the right to read indices could end the node with them.
 */
final class PartSizes {

    static final int MOST = 100_000;

    private static final List<String> OPTIONS = List.of("analyzer", "analyzers");

    /** Its automaton has as many states as the counts in its pattern say; those of other patterns stay counts. */
    private static final String AUTOMATON = "simple_pattern";

    private static final Pattern COUNT = Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private PartSizes() {}

    /**
     * Refuses options of the processor with too large parts of analyzers.
     *
     * @throws IllegalArgumentException with the option, the limit and the settings
     */
    static void refuse(Map<String, Object> options) {
        OPTIONS.forEach(option -> refuse(option, options.get(option)));
    }

    private static void refuse(String option, Object value) {
        switch (value) {
            case null -> {}
            case Map<?, ?> settings -> {
                double size = 1;
                for (Entry<?, ?> setting : settings.entrySet()) {
                    size *= size(setting.getValue());
                    refuse(option, setting.getValue());
                }
                if (String.valueOf(settings.get("type")).startsWith(AUTOMATON)) {
                    size *= states(String.valueOf(settings.get("pattern")));
                }
                if (size > MOST) {
                    throw new IllegalArgumentException("[" + option
                            + "] of [config] must not have a part whose numbers multiply to more than " + MOST
                            + " (put it into a pipeline, and name that as [pipeline]), got: "
                            + TypedNumber.shown(settings.toString()));
                }
            }
            case List<?> list -> list.forEach(inner -> refuse(option, inner));
            default -> {}
        }
    }

    /** At least one. */
    private static double size(Object value) {
        boolean isNumber = value instanceof Number
                || (value instanceof String text && NUMBER.matcher(text).matches());
        return isNumber ? Math.max(1, Double.parseDouble(value.toString())) : 1;
    }

    private static double states(String pattern) {
        double states = 1;
        for (Matcher counts = COUNT.matcher(pattern); counts.find(); ) {
            String most = counts.group(2);
            states *= size(most == null || most.isEmpty() ? counts.group(1) : most);
        }
        return states;
    }
}
