/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Map;
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
        for (String option : AnalyzerParts.OPTIONS) {
            AnalyzerParts.forEach(options.get(option), part -> refuse(option, part));
        }
    }

    private static void refuse(String option, Map<?, ?> part) {
        double size = 1;
        for (Object value : part.values()) {
            size *= size(value);
        }
        if (String.valueOf(part.get("type")).startsWith(AUTOMATON)) {
            size *= states(String.valueOf(part.get("pattern")));
        }
        if (size > MOST) {
            throw AnalyzerParts.refusal(
                    option,
                    "have a part whose numbers multiply to more than " + MOST,
                    TypedNumber.shown(part.toString()));
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
