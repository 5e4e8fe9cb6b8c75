/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.options.TypedNumber;

/**
 * The settings by which parts of an analyzer read files of the node. Whoever may make pipelines may use them; in a request that
 * needs no more than the right to read indices they would show those files: in errors, in features, by what a filter keeps.
 */
final class NodeFiles {

    /** As OpenSearch names all of its own. */
    private static final String SUFFIX = "_path";

    /** As its plugins for Korean and Japanese, and that for ICU, name theirs. */
    private static final Set<String> OTHERS = Set.of("user_dictionary", "rule_files");

    /** What this part of an analyzer, and no other, has for rules may be the name of a file with them. */
    private static final String COLLATION = "icu_collation";

    private static final String RULES = "rules";

    private NodeFiles() {}

    /**
     * Refuses options of the processor whose analyzers name files.
     *
     * @throws IllegalArgumentException with the option, the setting and its value
     */
    static void refuse(Map<String, Object> options) {
        for (String option : AnalyzerParts.OPTIONS) {
            Object value = options.get(option);
            boolean collates = has(COLLATION, value);
            AnalyzerParts.forEach(value, part -> refuse(option, part, collates));
        }
    }

    private static boolean has(String name, Object value) {
        return switch (value) {
            case null -> false;
            case Map<?, ?> settings -> settings.values().stream().anyMatch(inner -> has(name, inner));
            case List<?> list -> list.stream().anyMatch(inner -> has(name, inner));
            default -> value.equals(name);
        };
    }

    /** @param collates whether rules are files */
    private static void refuse(String option, Map<?, ?> part, boolean collates) {
        part.forEach((setting, value) -> {
            if (isFile(setting.toString(), collates)) {
                throw AnalyzerParts.refusal(
                        option,
                        "name files of the node",
                        "[" + setting + "] " + TypedNumber.shown(String.valueOf(value)));
            }
        });
    }

    /** A dot in a setting stands for an object inside, or for the place in a list. */
    private static boolean isFile(String setting, boolean collates) {
        return Arrays.stream(setting.split("\\."))
                .anyMatch(name -> name.endsWith(SUFFIX) || OTHERS.contains(name) || (collates && name.equals(RULES)));
    }
}
