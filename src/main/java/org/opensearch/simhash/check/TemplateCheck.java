/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.List;
import java.util.Optional;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;

/** Whether a template that makes indices with fingerprints was meant for an index, and did not come to it. */
record TemplateCheck(CheckedIndex index, int segments, Metadata metadata, PipelineSteps pipelines) {

    /** @param isUnfit whether the index lacks the mapping or the pipeline that such a template has */
    Optional<Finding> finding(boolean isUnfit) {
        if (isUnfit == false) {
            return Optional.empty();
        }
        String used = MetadataIndexTemplateService.findV2Template(metadata, index.name(), false);
        return metadata.templatesV2().entrySet().stream()
                .filter(template -> Regex.simpleMatch(template.getValue().indexPatterns(), index.name()))
                .filter(template -> writesFingerprints(template.getKey()))
                .findFirst()
                .map(template -> finding(template.getKey(), template.getValue(), used));
    }

    private boolean writesFingerprints(String template) {
        Settings settings = MetadataIndexTemplateService.resolveSettings(metadata, template);
        List<String> named =
                List.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings));
        return pipelines.of(named).stream().anyMatch(step -> step.writes(index.fingerprint()));
    }

    private Finding finding(String name, ComposableIndexTemplate template, String used) {
        String why = name.equals(used)
                ? "but the index was made before it"
                : "but [" + used + "] has a higher [priority] than its [" + template.priorityOrZero()
                        + "], and indices of this name are made by that";
        String pipeline =
                IndexSettings.DEFAULT_PIPELINE.get(MetadataIndexTemplateService.resolveSettings(metadata, name));
        return Finding.of(
                Code.TEMPLATE_NOT_USED,
                index.name(),
                "the index template [" + name + "] sets up fingerprints, " + why,
                index.writer().isPresent()
                        ? MendingRequest.putMapping(index, segments)
                        : MendingRequest.putSettings(index.name(), IndexSettings.DEFAULT_PIPELINE.getKey(), pipeline));
    }
}
