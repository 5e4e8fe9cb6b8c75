/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.settings.Settings;

/**
 * The settings of an index, or of its templates while it does not exist: its first documents run through pipelines
 * before it is created.
 */
public final class IndexSettingsOrTemplates {

    private IndexSettingsOrTemplates() {}

    /** The settings of an index, or those that templates will give it. */
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

    /** Whether creating this name makes a data stream. */
    public static boolean makeDataStream(Metadata metadata, String name) {
        String template = MetadataIndexTemplateService.findV2Template(metadata, name, false);
        return template != null && metadata.templatesV2().get(template).getDataStreamTemplate() != null;
    }
}
