/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.IndexSortConfig;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.arrivals.NearDuplicateSettings;
import org.opensearch.simhash.desk.check.Finding.Severity;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.search.query.IndexMapping;

/** Checks whether the settings and the {@code _source} of an index suit its pipelines, and whether what they write has a place. */
public record SettingsCheck(CheckedIndex index, ClusterSettings cluster, Findings found) {

    private static final TimeValue MOST = TimeValue.timeValueHours(1);

    public static final Map<String, Object> TAG = tag();

    private static Map<String, Object> tag() {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("index", Map.of("type", "keyword"));
        parts.put("id", Map.of("type", "keyword"));
        parts.put("distance", Map.of("type", "integer"));
        parts.put("similarity", Map.of("type", "float"));
        parts.put("pending", Map.of("type", "boolean"));
        return parts;
    }

    void find() {
        if (index.steps().stream().anyMatch(Step::isNearDuplicate)) {
            findRefresh();
        }
        index.steps().stream()
                .filter(step -> step.writes(index.fingerprint()) == false) // Its mapping is checked as a whole.
                .forEach(this::findPlaces);
        if (index.metadata().useIngestionSource()) {
            findPulled();
        }
        String leftOut = index.mapping().leavesOut();
        if (leftOut != null) {
            found.add(
                    Code.SOURCE_INCOMPLETE,
                    "the mapping leaves out parts of documents: " + leftOut
                            + "; [verify] cannot read such texts, and jobs refuse [tag] and [archive]",
                    "Index the documents again, from where they came, into an index that keeps all of [_source].");
        }
        if (isSortedByFingerprint()) {
            found.add(
                    Code.SORTED_BY_BITS,
                    "[index.sort.field] names the " + index.kind().noun()
                            + ", which has no order that means anything: it makes indexing"
                            + " slower and compresses documents worse",
                    "Reindex into an index without [index.sort.field], or sorted by another field.");
        }
    }

    /** OpenSearch runs the final pipeline alone, and does not wait for what a processor does on other threads. */
    private void findPulled() {
        String never = IndexSettings.DEFAULT_PIPELINE.get(index.metadata().getSettings());
        if (IngestService.NOOP_PIPELINE_NAME.equals(never) == false) {
            found.add(
                    Code.PULLED,
                    "the index pulls its documents ([index.ingestion_source]), and OpenSearch runs"
                            + " [index.final_pipeline] only: [" + never + "] of [index.default_pipeline] never runs",
                    index.finalPipeline().isEmpty()
                            ? MendingRequest.putSettings(index, IndexSettings.FINAL_PIPELINE.getKey(), never)
                            : "Move its processors to [" + index.finalPipeline().get() + "].");
        }
        Map<String, Object> dest = Map.of("index", GroupMapping.usualDest(index.name()));
        index.steps().stream()
                .filter(Step::isNearDuplicate)
                .findFirst()
                .ifPresent(step -> found.add(
                        Code.PULLED,
                        "the index pulls its documents ([index.ingestion_source]), and OpenSearch does not wait until"
                                + " they are looked up: [near_duplicate] of pipeline [" + step.pipeline()
                                + "] leaves them as they are",
                        MendingRequest.of(
                                "POST",
                                "/_plugins/_simhash/deduplicate/" + index.inPath(),
                                Map.of("action", "report", "dest", dest))));
    }

    private boolean isSortedByFingerprint() {
        return IndexSortConfig.INDEX_SORT_FIELD_SETTING.get(index.metadata().getSettings()).stream()
                .anyMatch(field -> field.startsWith(index.fingerprint() + "."));
    }

    private void findRefresh() {
        TimeValue window = cluster.get(NearDuplicateSettings.WINDOW_TIME);
        TimeValue refresh = NearDuplicateSettings.refreshInterval(index.metadata(), cluster);
        boolean isNever = refresh.millis() < 0;
        if (isNever == false && refresh.compareTo(window) <= 0) {
            return;
        }
        boolean isWithinReach = isNever == false && 2 * refresh.millis() <= MOST.millis();
        Map<String, Object> longer = Map.of(NearDuplicateSettings.WINDOW_TIME.getKey(), 2 * refresh.millis() + "ms");
        String mend = isWithinReach
                ? MendingRequest.of("PUT", "/_cluster/settings", Map.of("persistent", longer))
                : MendingRequest.putSettings(index, IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.getKey(), "1s");
        found.add(
                Code.WINDOW_SHORTER_THAN_REFRESH,
                "[near_duplicate] remembers documents for [" + window + "], but the index is refreshed "
                        + (isNever ? "never" : "every [" + refresh + "]")
                        + ": near-duplicates that come in between are missed",
                mend);
    }

    private void findPlaces(Step step) {
        if (step.isNearDuplicate()) {
            findPlace(step, step.option("target_field", NearDuplicateProcessor.TYPE), TAG);
        } else if (step.isWriter()) {
            findPlace(step, step.target(), step.kind().parts(step.segments()));
        }
        if (step.givesGroups()) {
            findPlace(step, step.nearDuplicateField(), CheckedKind.TAGS);
        }
    }

    private void findPlace(Step step, String target, Map<String, Object> written) {
        IndexMapping mapping = index.mapping();
        boolean isTag = step.isNearDuplicate();
        String writes = "[" + step.type() + "] of pipeline [" + step.pipeline() + "] writes ";
        String refused = isTag ? "documents that it tags are refused" : "documents are refused";
        Map<?, ?> definition = mapping.definition(target);
        boolean holdsAll = definition != null
                && ("flat_object".equals(definition.get("type"))
                        || "false".equals(String.valueOf(definition.get("enabled"))));
        if (mapping.maps(target) && mapping.isObject(target) == false && holdsAll == false) {
            found.add(
                    Code.STRICT_MAPPING,
                    writes + "an object into [" + target + "], which is mapped as " + definition + ": " + refused,
                    "Set [target_field] of [" + step.type() + "] to another field.");
            return;
        }
        Map<String, Object> parts = new LinkedHashMap<>(written);
        if (isTag == false && step.readsTexts() == false) {
            parts.keySet().removeAll(CheckedIndex.OF_TEXTS);
        }
        String dynamic = mapping.dynamic(target);
        parts.keySet()
                .removeIf(part -> mapping.maps(target + "." + part)
                        || (dynamic.endsWith("_allow_templates") && mapping.hasDynamicTemplate(target + "." + part)));
        boolean isRefused = dynamic.startsWith("strict");
        if (holdsAll || parts.isEmpty() || dynamic.equals("true") || (isTag || isRefused) == false) {
            return;
        }
        String what = mapping.maps(target) ? parts.keySet() + " of [" + target + "]" : "[" + target + "]";
        found.add(
                isRefused ? Severity.ERROR : Severity.WARNING,
                Code.STRICT_MAPPING,
                writes + what + ", which is not mapped, and [dynamic] is [" + dynamic + "]: "
                        + (isRefused ? refused : "tags are not found"),
                MendingRequest.of(
                        "PUT",
                        "/" + index.inPath() + "/_mapping",
                        MendingRequest.within(target, Map.of("properties", parts))));
    }
}
