/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.PipelineProcessor;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.PipelineSteps;
import org.opensearch.simhash.desk.check.Step;

/**
 * Where the pipeline of an index goes. It joins those that the index has, which stay as they are.
 *
 * @param setting that gets {@code pipeline}; null if the index has all that it needs
 * @param updating the pipeline for documents that are stored: that of the fingerprint alone where there is one
 * @param joined the pipeline of the index that is joined; null without one
 */
record Placement(
        Map<String, Map<String, Object>> pipelines, String setting, String pipeline, String updating, String joined) {

    static final String IGNORE_FAILURE = "ignore_failure";

    private static final String PROCESSORS = "processors";

    /** @param isGiven whether the pipeline exists and is taken as it is */
    record Wanted(
            Map<String, Object> writer,
            Map<String, Object> nearDuplicate,
            String name,
            boolean isGiven,
            PipelineSteps known) {

        private Map<String, Object> definition(List<Map<String, Object>> processors) {
            Map<String, Object> definition = new LinkedHashMap<>();
            definition.put("description", "Near-duplicates: made by setup");
            definition.put(PROCESSORS, processors);
            return definition;
        }

        Map<String, Object> all() {
            List<Map<String, Object>> processors = new ArrayList<>(List.of(writer));
            if (nearDuplicate != null) {
                processors.add(Map.of(NearDuplicateProcessor.TYPE, nearDuplicate));
            }
            return definition(processors);
        }

        /** The name, or one like it, that no other pipeline has. */
        private String unused(String like, Map<String, Object> definition) {
            return known.has(like) && known.definition(like).equals(definition) ? like : known.unused(like);
        }
    }

    static Placement of(CheckedIndex index, Wanted wanted) {
        requirePipelines(index, wanted.known());
        if (wanted.nearDuplicate() != null && index.metadata().useIngestionSource()) {
            throw new IllegalArgumentException(
                    "[near_duplicate] must be left out where an index pulls its documents, as"
                            + " OpenSearch does not wait until they are looked up, got: " + wanted.nearDuplicate()
                            + " with ["
                            + index.name() + "]: use jobs with [dest]");
        }
        Optional<Step> writer = index.writer();
        writer.filter(index::isCalledIf).ifPresent(step -> {
            throw new IllegalArgumentException("[index] must have no condition around the call of the pipeline that"
                    + " writes [" + index.fingerprint() + "], got: " + index.name() + " with [" + step.pipeline()
                    + "]: move the condition to its processor");
        });
        Optional<Step> comparing = index.steps().stream()
                .filter(step ->
                        step.isNearDuplicate() && step.nearDuplicateField().equals(index.fingerprint()))
                .findFirst();
        List<Map<String, Object>> missing = new ArrayList<>();
        if (writer.isEmpty()) {
            missing.add(wanted.writer());
        }
        if (wanted.nearDuplicate() != null && comparing.isPresent()) {
            requireSame(comparing.get(), wanted.nearDuplicate());
        } else if (wanted.nearDuplicate() != null) {
            missing.add(Map.of(NearDuplicateProcessor.TYPE, wanted.nearDuplicate()));
        }
        boolean isWrittenLast = writer.isPresent()
                && index.defaultPipeline().stream()
                        .noneMatch(name -> wanted.known().of(List.of(name)).stream()
                                .anyMatch(step -> step.writes(index.fingerprint())));
        String updating = isWrittenLast
                ? IngestService.NOOP_PIPELINE_NAME
                : writer.map(Step::pipeline).orElse(null);
        if (missing.isEmpty()) {
            return new Placement(Map.of(), null, null, updating, null);
        }
        if (isWrittenLast) {
            throw new IllegalArgumentException("[near_duplicate] must follow the fingerprint: add it to the pipeline ["
                    + index.finalPipeline().orElseThrow() + "], which writes that and runs last, got: "
                    + wanted.nearDuplicate());
        }
        return placed(index, wanted, missing, updating, comparing.isPresent());
    }

    private static Placement placed(
            CheckedIndex index,
            Wanted wanted,
            List<Map<String, Object>> missing,
            String updating,
            boolean isComparedAlready) {
        Map<String, Map<String, Object>> pipelines = new LinkedHashMap<>();
        Map<String, Object> definition = wanted.definition(missing);
        boolean isWhole = definition.equals(wanted.all());
        String name = wanted.name();
        if (wanted.isGiven() == false || isWhole == false) {
            name = wanted.unused(isWhole ? name : name + "-near-duplicate", definition);
            pipelines.put(name, definition);
        }
        Optional<String> first = index.defaultPipeline();
        Optional<String> last = index.finalPipeline();
        boolean isPulled = index.metadata().useIngestionSource(); // Only a final pipeline runs.
        boolean isFirst = first.isEmpty() && isPulled == false;
        boolean isLast = isFirst == false && last.isEmpty() && isComparedAlready == false;
        if (isPulled && isLast == false) {
            throw new IllegalArgumentException("[index] must have a place for one more pipeline, got: " + index.name()
                    + ", which pulls its documents, so that only its final pipeline [" + last.orElse("_none")
                    + "] runs: add " + missing + " to that");
        }
        String made = name;
        if (isFirst == false && isLast == false) {
            Map<String, Object> own = call(first.get());
            Map<String, Object> both =
                    wanted.definition(isComparedAlready ? List.of(call(made), own) : List.of(own, call(made)));
            name = wanted.unused(made + "-with-" + first.get(), both);
            pipelines.put(name, both);
        }
        return new Placement(
                pipelines,
                (isLast ? IndexSettings.FINAL_PIPELINE : IndexSettings.DEFAULT_PIPELINE).getKey(),
                name,
                updating != null ? updating : isLast ? IngestService.NOOP_PIPELINE_NAME : made,
                (isFirst ? last : first).orElse(null));
    }

    private static Map<String, Object> call(String pipeline) {
        return Map.of(PipelineProcessor.TYPE, Map.of("name", pipeline));
    }

    private static void requirePipelines(CheckedIndex index, PipelineSteps known) {
        for (Optional<String> set : List.of(index.defaultPipeline(), index.finalPipeline())) {
            if (set.isPresent() && known.has(set.get()) == false) {
                throw new IllegalArgumentException("[index] must have pipelines that exist, got: " + index.name()
                        + ", which refuses documents, for it has [" + set.get() + "]");
            }
        }
    }

    private static void requireSame(Step comparing, Map<String, Object> wanted) {
        boolean isSame = wanted.entrySet().stream()
                .allMatch(option -> option.getKey().equals(IGNORE_FAILURE)
                        || option.getValue().equals(comparing.options().get(option.getKey())));
        if (isSame == false) {
            throw new IllegalArgumentException("[near_duplicate] must be what the pipeline [" + comparing.pipeline()
                    + "] has, " + comparing.options() + ": change that pipeline, got: " + wanted);
        }
    }
}
