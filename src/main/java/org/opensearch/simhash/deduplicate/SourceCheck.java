/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.write.TagMapping;
import org.opensearch.simhash.query.IndexMapping;

/** Refuses indices that cannot be read or changed as the job wants. */
public final class SourceCheck {

    private final ClusterState state;
    private final DeduplicateOptions options;
    private final Map<String, IndexMapping> mappings = new HashMap<>();

    public SourceCheck(ClusterState state, DeduplicateOptions options) {
        this.state = state;
        this.options = options;
    }

    /** Parsed once. Null for an index that was deleted meanwhile. */
    private IndexMapping mapping(String index) {
        IndexMetadata metadata = state.metadata().index(index);
        return metadata == null ? null : mappings.computeIfAbsent(index, any -> new IndexMapping(metadata));
    }

    public void check(Collection<String> read) {
        if (options.action() != DeduplicateOptions.Action.REPORT) {
            read.forEach(index -> state.blocks().indexBlockedRaiseException(ClusterBlockLevel.WRITE, index));
            read.forEach(this::requireNoArchive);
            read.forEach(this::requireChangeable);
        }
        if (options.archive() != null) {
            read.forEach(this::requireRestorable);
        }
        if (options.action() == DeduplicateOptions.Action.TAG) {
            read.forEach(this::requireUpdatable);
        }
        if (options.verify() != null && options.verify().field() != null) {
            read.forEach(this::requireText);
        }
    }

    /** A restore does not find copies that a job deletes or renames. */
    private void requireNoArchive(String index) {
        IndexMapping mapping = mapping(index);
        if (mapping != null && mapping.maps(ArchiveIndex.ORIGIN)) {
            throw new IllegalArgumentException("[action] must be report where indices are archives, got: "
                    + action() + " with [" + index + "], which maps ["
                    + ArchiveIndex.ORIGIN + "]");
        }
    }

    /** Otherwise OpenSearch refuses each write after the whole run. */
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

    /** A restore cannot create documents in a backing index, nor what {@code _source} lacks. */
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
        String missing = mapping(index).leavesOut();
        if (missing != null) {
            throw new IllegalArgumentException("[archive] must be false for [" + index + "], which has " + missing
                    + " and does not keep whole documents, got: " + options.archive());
        }
    }

    /** An update loses what is not in the stored source. */
    private void requireUpdatable(String index) {
        IndexMapping mapping = mapping(index);
        String missing = mapping == null ? null : mapping.leavesOut();
        if (missing != null) {
            throw new IllegalArgumentException("[action] must be report or delete for [" + index + "], which has "
                    + missing + ": its documents would lose what that leaves out, got: " + action());
        }
        if (mapping != null) {
            new TagMapping(options.field(), options.sizeField()).require(index, mapping);
        }
    }

    /** Without texts, no two documents are similar, and nothing says why. */
    private void requireText(String index) {
        IndexMapping mapping = mapping(index);
        String field = options.verify().field();
        if (mapping != null && mapping.isObject(field)) {
            throw new IllegalArgumentException("[verify] must have a [field] that holds a text, got: [" + field
                    + "], which is an object in [" + index + "]");
        }
        if (mapping != null && mapping.keeps(field) == false) {
            throw new IllegalArgumentException(
                    "[verify] must have a [field] that is kept in [_source] or stored, got: [" + field
                            + "], which is neither in [" + index + "]");
        }
    }
}
