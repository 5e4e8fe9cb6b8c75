/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.settings.Settings;

/**
 * What an index is set to, such as its pipelines, be it there or only templates for it: the first documents of an index run
 * through its pipelines before it is made, as OpenSearch has it.
 */
public final class IndexSettingsOrTemplates {

    private IndexSettingsOrTemplates() {}

    /** The settings of an index, or what templates will give it when it is made. */
    public static Settings of(Metadata metadata, String index) {
        IndexMetadata there = metadata.index(index);
        if (there != null) {
            return there.getSettings();
        }
        String template = MetadataIndexTemplateService.findV2Template(metadata, index, false);
        return template == null
                ? MetadataIndexTemplateService.resolveSettings(
                        MetadataIndexTemplateService.findV1Templates(metadata, index, false))
                : MetadataIndexTemplateService.resolveSettings(metadata, template);
    }

    /** Whether what is made by this name is a data stream. */
    public static boolean makeDataStream(Metadata metadata, String name) {
        String template = MetadataIndexTemplateService.findV2Template(metadata, name, false);
        return template != null && metadata.templatesV2().get(template).getDataStreamTemplate() != null;
    }
}
