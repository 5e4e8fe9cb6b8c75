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

    private static final List<String> OPTIONS = List.of("analyzer", "analyzers");

    /** As OpenSearch names all of its own. */
    private static final String SUFFIX = "_path";

    /** As its plugins for Korean and Japanese, and that for ICU, name theirs. */
    private static final Set<String> OTHERS = Set.of("user_dictionary", "rule_files");

    private NodeFiles() {}

    /**
     * Refuses options of the processor whose analyzers name files.
     *
     * @throws IllegalArgumentException with the option, the setting and its value
     */
    static void refuse(Map<String, Object> options) {
        OPTIONS.forEach(option -> refuse(option, options.get(option)));
    }

    private static void refuse(String option, Object value) {
        switch (value) {
            case null -> {}
            case Map<?, ?> settings ->
                settings.forEach((setting, inner) -> {
                    if (isFile(setting.toString())) {
                        throw new IllegalArgumentException("[" + option
                                + "] of [config] must not name files of the node"
                                + " (put it into a pipeline, and name that as [pipeline]), got: [" + setting + "] "
                                + TypedNumber.shown(String.valueOf(inner)));
                    }
                    refuse(option, inner);
                });
            case List<?> list -> list.forEach(inner -> refuse(option, inner));
            default -> {}
        }
    }

    /** A dot in a setting stands for an object inside, or for the place in a list. */
    private static boolean isFile(String setting) {
        return Arrays.stream(setting.split("\\.")).anyMatch(name -> name.endsWith(SUFFIX) || OTHERS.contains(name));
    }
}
