/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.IndexSortConfig;
import org.opensearch.simhash.nearduplicate.NearDuplicateProcessor;
import org.opensearch.simhash.nearduplicate.NearDuplicateSettings;

/**
 * Checks whether the settings and the {@code _source} of an index suit its pipelines.
 *
 * @param window how long {@code near_duplicate} remembers documents
 */
record SettingsCheck(CheckedIndex index, TimeValue window) {

    private static final TimeValue MOST = TimeValue.timeValueHours(1);

    /** The fields of the tag. */
    private static final Map<String, Map<String, Object>> TAG = tag();

    private static Map<String, Map<String, Object>> tag() {
        Map<String, Map<String, Object>> parts = new LinkedHashMap<>();
        parts.put("index", Map.of("type", "keyword"));
        parts.put("id", Map.of("type", "keyword"));
        parts.put("distance", Map.of("type", "integer"));
        parts.put("similarity", Map.of("type", "float"));
        parts.put("pending", Map.of("type", "boolean"));
        return parts;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (index.steps().stream().anyMatch(Step::isNearDuplicate)) {
            refresh().ifPresent(findings::add);
            index.steps().stream()
                    .filter(Step::isNearDuplicate)
                    .map(step -> step.option("target_field", NearDuplicateProcessor.TYPE))
                    .distinct()
                    .forEach(target -> place(target).ifPresent(findings::add));
        }
        String leftOut = index.mapping().leavesOut();
        if (leftOut != null) {
            findings.add(Finding.of(
                    Code.SOURCE_INCOMPLETE,
                    index.name(),
                    "the mapping leaves out parts of documents: " + leftOut
                            + "; [verify] cannot read such texts, and jobs refuse [tag] and [archive]",
                    "Index the documents again, from where they came, into an index that keeps all of [_source]."));
        }
        if (isSortedByFingerprint()) {
            findings.add(Finding.of(
                    Code.SORTED_BY_BITS,
                    index.name(),
                    "[index.sort.field] names the " + index.kind().noun()
                            + ", which has no order that means anything: it makes indexing"
                            + " slower and compresses documents worse",
                    "Reindex into an index without [index.sort.field], or sorted by another field."));
        }
        return findings;
    }

    private boolean isSortedByFingerprint() {
        return IndexSortConfig.INDEX_SORT_FIELD_SETTING.get(index.metadata().getSettings()).stream()
                .anyMatch(field -> field.startsWith(index.fingerprint() + "."));
    }

    private Optional<Finding> refresh() {
        Settings settings = index.metadata().getSettings();
        TimeValue refresh = IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.get(settings);
        boolean isNever = refresh.millis() < 0;
        if (isNever == false && refresh.compareTo(window) <= 0) {
            return Optional.empty();
        }
        boolean isWithinReach = isNever == false && 2 * refresh.millis() <= MOST.millis();
        String mend = isWithinReach
                ? MendingRequest.of(
                        "PUT",
                        "/_cluster/settings",
                        Map.of(
                                "persistent",
                                Map.of(NearDuplicateSettings.WINDOW_TIME.getKey(), 2 * refresh.millis() + "ms")))
                : MendingRequest.putSettings(index.name(), IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.getKey(), "1s");
        return Optional.of(Finding.of(
                Code.WINDOW_SHORTER_THAN_REFRESH,
                index.name(),
                "[near_duplicate] remembers documents for [" + window + "], but the index is refreshed "
                        + (isNever ? "never" : "every [" + refresh + "]")
                        + ": near-duplicates that come in between are missed",
                mend));
    }

    private Optional<Finding> place(String target) {
        if (index.mapping().maps(target) && index.mapping().isObject(target) == false) {
            return Optional.of(Finding.of(
                    Code.STRICT_MAPPING,
                    index.name(),
                    "[near_duplicate] writes an object into [" + target + "], which is mapped as "
                            + index.mapping().definition(target) + ": documents that it tags are refused",
                    "Set [target_field] of [near_duplicate] to another field."));
        }
        Map<String, Object> parts = new LinkedHashMap<>(TAG);
        parts.keySet().removeIf(part -> index.mapping().maps(target + "." + part));
        String dynamic = index.mapping().dynamic(target);
        parts.keySet()
                .removeIf(part -> dynamic.endsWith("_allow_templates")
                        && index.mapping().hasDynamicTemplate(target + "." + part));
        if (parts.isEmpty() || dynamic.equals("true")) {
            return Optional.empty();
        }
        boolean isRefused = dynamic.startsWith("strict");
        String what = index.mapping().maps(target) ? parts.keySet() + " of [" + target + "]" : "[" + target + "]";
        return Optional.of(new Finding(
                isRefused ? Severity.ERROR : Severity.WARNING,
                Code.STRICT_MAPPING,
                index.name(),
                "[near_duplicate] writes " + what + ", which is not mapped, and [dynamic] is [" + dynamic + "]: "
                        + (isRefused ? "documents that it tags are refused" : "tags are not found"),
                MendingRequest.of(
                        "PUT",
                        "/" + index.name() + "/_mapping",
                        MendingRequest.within(target, Map.of("properties", parts)))));
    }
}
