/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.MendingRequest;
import org.opensearch.transport.client.Client;

/**
 * The index template of a data stream, or of the next index of an alias. It is changed only where nothing else is made by it: not if
 * there are {@code others}.
 */
record SetupTemplate(
        Client client,
        Metadata metadata,
        String name,
        ComposableIndexTemplate template,
        String named,
        CheckedIndex write,
        Set<String> others) {

    /** Null for an index, and where there is none. */
    static SetupTemplate of(Client client, Metadata metadata, String named, List<CheckedIndex> indices) {
        IndexAbstraction abstraction = metadata.getIndicesLookup().get(named);
        boolean isMany = abstraction != null && abstraction.getType() != IndexAbstraction.Type.CONCRETE_INDEX;
        IndexMetadata write = isMany ? abstraction.getWriteIndex() : null;
        if (write == null) {
            return null;
        }
        boolean isStream = abstraction.getType() == IndexAbstraction.Type.DATA_STREAM;
        String made = isStream ? named : write.getIndex().getName();
        String name = MetadataIndexTemplateService.findV2Template(metadata, made, false);
        if (name == null) {
            return null;
        }
        ComposableIndexTemplate template = metadata.templatesV2().get(name);
        Set<String> others = new TreeSet<>();
        for (IndexMetadata index : metadata.indices().values()) {
            String other = index.getIndex().getName();
            IndexAbstraction stream = metadata.getIndicesLookup().get(other).getParentDataStream();
            String by = stream == null ? other : stream.getName();
            boolean isOurs = by.equals(named)
                    || indices.stream().anyMatch(one -> one.name().equals(other));
            if (isOurs == false && Regex.simpleMatch(template.indexPatterns(), by)) {
                others.add(by);
            }
        }
        CheckedIndex writing = indices.stream()
                .filter(index -> index.name().equals(write.getIndex().getName()))
                .findFirst()
                .orElse(null);
        return writing == null ? null : new SetupTemplate(client, metadata, name, template, named, writing, others);
    }

    SetupStep step(Map<String, Object> mapping, Placement placement) {
        String request = "PUT /_index_template/" + MendingRequest.encoded(name);
        String pipeline = placement.setting() == null
                ? write.defaultPipeline().or(write::finalPipeline).orElse(null)
                : placement.pipeline();
        String setting = placement.setting() == null
                ? write.defaultPipeline().isPresent() ? "index.default_pipeline" : "index.final_pipeline"
                : placement.setting();
        Settings resolved = MetadataIndexTemplateService.resolveSettings(metadata, name);
        String there = resolved.get(setting);
        Map<String, Object> changed = changed(setting, pipeline, mapping);
        if (pipeline.equals(there) && changed.equals(MendingRequest.asMap(template))) {
            return SetupStep.done(
                    "template", "GET /_index_template/" + MendingRequest.encoded(name), "new indices have it all");
        }
        String other = there == null || there.equals(pipeline) ? null : there;
        boolean isReplaced =
                other != null && write.metadata().getSettings().get(setting, "").equals(other) == false;
        if (others.isEmpty() == false || isReplaced) {
            return SetupStep.later(
                    "template",
                    null,
                    null,
                    false,
                    "the template [" + name + "] is not changed, for "
                            + (isReplaced ? "it sets [" + setting + "] to [" + other + "]" : "it also makes " + others)
                            + ": the next rollover makes an index without fingerprints. Give [" + named
                            + "] a template of its own with this mapping and setting, or send this request again after"
                            + " each rollover",
                    0);
        }
        return SetupStep.quick(
                "template",
                request,
                changed,
                "the next rollover makes an index with the same mapping and pipeline",
                result -> client.execute(
                                PutComposableIndexTemplateAction.INSTANCE,
                                new PutComposableIndexTemplateAction.Request(name).indexTemplate(parsed(changed)))
                        .actionGet());
    }

    private Map<String, Object> changed(String setting, String pipeline, Map<String, Object> mapping) {
        Map<String, Object> changed = MendingRequest.asMap(template);
        Map<String, Object> added =
                Map.of("template", Map.of("settings", Map.of(setting, pipeline), "mappings", mapping));
        XContentHelper.update(changed, SetupPlan.copy(added), false);
        return changed;
    }

    private static ComposableIndexTemplate parsed(Map<String, Object> map) {
        try (XContentParser parser = XContentHelper.createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                MendingRequest.json(map),
                MediaTypeRegistry.JSON)) {
            return ComposableIndexTemplate.parse(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
