/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchiveIndex.ArchiveCheck;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.write.JobIndex;

/** Refuses a {@code dest} or {@code archive} that cannot or must not be written, before anything is read. */
public record TargetCheck(ClusterState state, DeduplicateOptions options, List<String> indices) {

    public void check() {
        requireElsewhere("dest", options.dest());
        requireElsewhere("archive", options.archive());
        boolean areBoth = options.dest() != null && options.archive() != null;
        if (areBoth && JobIndex.nameOf(state, options.dest()).equals(JobIndex.nameOf(state, options.archive()))) {
            throw new IllegalArgumentException(
                    "[dest] and [archive] must be different indices, got: " + options.dest());
        }
        if (options.archive() != null) {
            ArchiveIndex.requireWhole(state, Set.of(options.archive()));
            JobIndex.written(state, options.archive()).ifPresent(ArchiveCheck::require);
        }
    }

    private void requireElsewhere(String option, String name) {
        if (name == null) {
            return;
        }
        IndexAbstraction target = state.metadata().getIndicesLookup().get(name);
        if (target == null) {
            if (indices.contains(name)) {
                throw isSource(option, name, name);
            }
            requireName(option, name);
            return;
        }
        for (IndexMetadata index : target.getIndices()) {
            if (indices.contains(index.getIndex().getName())) {
                throw isSource(option, name, index.getIndex().getName());
            }
        }
        IndexMetadata written = target.getWriteIndex();
        if (written == null) {
            throw new IllegalArgumentException(
                    "[" + option + "] must be an index, or an alias with a write index, got: " + name);
        }
        IndexAbstraction.DataStream stream = state.metadata()
                .getIndicesLookup()
                .get(written.getIndex().getName())
                .getParentDataStream();
        if (stream != null) {
            throw new IllegalArgumentException("[" + option + "] must be no data stream, nor an index of one, got: "
                    + name + (name.equals(stream.getName()) ? "" : ", which is one of [" + stream.getName() + "]"));
        }
        state.blocks()
                .indexBlockedRaiseException(
                        ClusterBlockLevel.WRITE, written.getIndex().getName());
        String reason = JobIndex.unchangeable(written);
        if (option.equals("dest") && reason != null) {
            throw new IllegalArgumentException(
                    "[dest] must be an index whose documents can be overwritten, got: " + name + ", which " + reason);
        }
    }

    /** Checks the name now, because the index is created only after the join. */
    private void requireName(String option, String name) {
        BiFunction<String, String, IllegalArgumentException> invalid = (index, rule) -> new IllegalArgumentException(
                "[" + option + "] must be the name of an index: " + rule + ", got: " + index);
        MetadataCreateIndexService.validateIndexOrAliasName(name, invalid);
        if (name.equals(name.toLowerCase(Locale.ROOT)) == false) {
            throw invalid.apply(name, "must be lowercase");
        }
        String template = MetadataIndexTemplateService.findV2Template(state.metadata(), name, false);
        if (template != null && state.metadata().templatesV2().get(template).getDataStreamTemplate() != null) {
            throw invalid.apply(name, "the template [" + template + "] makes a data stream of it");
        }
    }

    private static IllegalArgumentException isSource(String option, String name, String source) {
        return new IllegalArgumentException("[" + option + "] must not be one of the deduplicated indices, got: " + name
                + (name.equals(source) ? "" : ", which is [" + source + "]"));
    }
}
