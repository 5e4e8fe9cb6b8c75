/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;

/** Checks whether a template for indices with fingerprints was meant for the index but not applied. */
record TemplateCheck(
        CheckedIndex index, int segments, Metadata metadata, PipelineSteps pipelines, WritingPipeline writing) {

    /** @param isUnfit whether the index lacks the mapping or the pipeline of such a template */
    Optional<Finding> finding(boolean isUnfit) {
        if (isUnfit == false) {
            return Optional.empty();
        }
        String used = MetadataIndexTemplateService.findV2Template(metadata, index.name(), false);
        Optional<Finding> composable = metadata.templatesV2().entrySet().stream()
                .filter(template -> Regex.simpleMatch(template.getValue().indexPatterns(), index.name()))
                .filter(template -> writesFingerprints(template.getKey()))
                .findFirst()
                .map(template -> finding(template.getKey(), template.getValue(), used));
        return composable.isPresent() || used != null ? composable : legacy();
    }

    /** Legacy templates count only if no composable one matches. */
    private Optional<Finding> legacy() {
        return metadata.templates().values().stream()
                .filter(template -> Regex.simpleMatch(template.patterns(), index.name()))
                .filter(template -> writesFingerprints(template.settings()))
                .findFirst()
                .map(template -> finding(template.name(), template.settings(), "but the index was made before it"));
    }

    private boolean writesFingerprints(String template) {
        return writesFingerprints(MetadataIndexTemplateService.resolveSettings(metadata, template));
    }

    private boolean writesFingerprints(Settings settings) {
        List<String> named =
                List.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings));
        return pipelines.of(named).stream().anyMatch(step -> step.writes(index.fingerprint()));
    }

    private Finding finding(String name, ComposableIndexTemplate template, String used) {
        String why = name.equals(used)
                ? "but the index was made before it"
                : "but [" + used + "] has a higher [priority] than its [" + template.priorityOrZero()
                        + "], and indices of this name are made by that";
        return finding(name, MetadataIndexTemplateService.resolveSettings(metadata, name), why);
    }

    private Finding finding(String name, Settings settings, String why) {
        Stream<String> named =
                Stream.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings));
        return Finding.of(
                Code.TEMPLATE_NOT_USED,
                index.name(),
                "the index template [" + name + "] sets up " + index.kind().noun() + "s, " + why,
                index.writer().isPresent()
                        ? MendingRequest.putMapping(index, segments)
                        : writing.used(named.filter(pipelines::has)));
    }
}
