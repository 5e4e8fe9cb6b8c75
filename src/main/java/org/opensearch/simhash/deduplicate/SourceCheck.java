/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.archive.WholeSource;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;

/** Refuses indices with which a job cannot end well, before anything is read or written. */
final class SourceCheck {

    private final ClusterState state;
    private final DeduplicateOptions options;
    private final List<String> indices;

    /** @param indices names of the indices themselves */
    SourceCheck(ClusterState state, DeduplicateOptions options, String[] indices) {
        this.state = state;
        this.options = options;
        this.indices = Arrays.asList(indices);
    }

    /** Looks at names, blocks and mappings. */
    void check() {
        requireElsewhere("dest", options.dest());
        requireElsewhere("archive", options.archive());
        if (options.dest() != null && options.dest().equals(options.archive())) {
            throw new IllegalArgumentException(
                    "[dest] and [archive] must be different indices, got: " + options.dest());
        }
        if (options.action() != DeduplicateOptions.Action.REPORT) {
            indices.forEach(this::requireWritable);
            indices.forEach(this::requireNoArchive);
            indices.forEach(this::requireChangeable);
        }
        if (options.archive() != null) {
            indices.forEach(this::requireRestorable);
            IndexAbstraction archive = state.metadata().getIndicesLookup().get(options.archive());
            if (archive != null) {
                WholeSource.requireInArchive(archive.getWriteIndex());
            }
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
        requireWritable(written.getIndex().getName());
        if (option.equals("dest") && written.isAppendOnlyIndex()) {
            throw new IllegalArgumentException("[dest] must be an index whose documents can be overwritten, got: "
                    + name + ", which is append-only");
        }
    }

    /** That the index can be made, after the join: what is wrong by then would have cost all of that. */
    private static void requireName(String option, String name) {
        BiFunction<String, String, IllegalArgumentException> invalid = (index, rule) -> new IllegalArgumentException(
                "[" + option + "] must be the name of an index: " + rule + ", got: " + index);
        MetadataCreateIndexService.validateIndexOrAliasName(name, invalid);
        if (name.equals(name.toLowerCase(Locale.ROOT)) == false) {
            throw invalid.apply(name, "must be lowercase");
        }
    }

    private static IllegalArgumentException isSource(String option, String name, String source) {
        return new IllegalArgumentException("[" + option + "] must not be one of the deduplicated indices, got: " + name
                + (name.equals(source) ? "" : ", which is [" + source + "]"));
    }

    /** What an archive has lost, or has under another name, cannot be restored. */
    private void requireNoArchive(String index) {
        if (ArchiveIndex.isArchive(state.metadata().index(index))) {
            throw new IllegalArgumentException("[action] must be report where indices are archives, got: "
                    + action() + " with [" + index + "], which maps ["
                    + ArchiveIndex.ORIGIN + "]: leave it out (-" + index + " behind a pattern)");
        }
    }

    /** OpenSearch refuses each update and each delete: after a whole run, and with the copies in the archive. */
    private void requireChangeable(String index) {
        IndexMetadata metadata = state.metadata().index(index);
        if (metadata != null && metadata.isAppendOnlyIndex()) {
            throw new IllegalArgumentException("[action] must be report where indices are append-only, got: " + action()
                    + " with [" + index + "]");
        }
    }

    private String action() {
        return options.action().toString().toLowerCase(Locale.ROOT);
    }

    /** Nothing can be put into a data stream where it was; nor can what the source left out be put anywhere. */
    private void requireRestorable(String index) {
        IndexAbstraction source = state.metadata().getIndicesLookup().get(index);
        if (source == null) {
            return; // It was deleted meanwhile.
        }
        IndexAbstraction.DataStream stream = source.getParentDataStream();
        if (stream != null) {
            throw new IllegalArgumentException("[archive] must be false for [" + index
                    + "], an index of the data stream [" + stream.getName()
                    + "], into which nothing can be restored, got: " + options.archive());
        }
        String missing = WholeSource.leavesOut(state.metadata().index(index));
        if (missing != null) {
            throw new IllegalArgumentException("[archive] must be false for [" + index + "], which has " + missing
                    + " and does not keep whole documents, got: " + options.archive());
        }
    }

    private void requireWritable(String index) {
        ClusterBlockException block = state.blocks().indexBlockedException(ClusterBlockLevel.WRITE, index);
        if (block != null) {
            throw block;
        }
    }
}
