/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The objects that analyzers are put together of in options of the processor. */
final class AnalyzerParts {

    /** Those that have analyzers. */
    static final List<String> OPTIONS = List.of("analyzer", "analyzers");

    private AnalyzerParts() {}

    /** Shows each object in the value of an option, wherever it is in there. */
    static void forEach(Object value, Consumer<Map<?, ?>> consumer) {
        switch (value) {
            case null -> {}
            case Map<?, ?> settings -> {
                consumer.accept(settings);
                settings.values().forEach(inner -> forEach(inner, consumer));
            }
            case List<?> list -> list.forEach(inner -> forEach(inner, consumer));
            default -> {}
        }
    }

    /** What a request is told that may not have such a part. */
    static IllegalArgumentException refusal(String option, String rule, String got) {
        return new IllegalArgumentException("[" + option + "] of [config] must not " + rule
                + " (put it into a pipeline, and name that as [pipeline]), got: " + got);
    }
}
