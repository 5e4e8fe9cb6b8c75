/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.transport.client.Client;

/** Refuses what cannot end well, before anything is read or written. */
final class SourceCheck {

    private static final String UNMAPPED = "unmapped";

    private final ClusterState state;
    private final DeduplicateOptions options;
    private final List<String> indices;

    /** @param indices names of the indices themselves */
    SourceCheck(ClusterState state, DeduplicateOptions options, String[] indices) {
        this.state = state;
        this.options = options;
        this.indices = Arrays.asList(indices);
    }

    /** Looks at names and blocks. */
    void checkIndices() {
        requireElsewhere("dest", options.dest());
        requireElsewhere("archive", options.archive());
        if (options.dest() != null && options.dest().equals(options.archive())) {
            throw new IllegalArgumentException(
                    "[dest] and [archive] must be different indices, got: " + options.dest());
        }
        if (options.action() != DeduplicateOptions.Action.REPORT) {
            indices.forEach(this::requireWritable);
        }
        if (options.archive() != null) {
            indices.forEach(this::requireRestorable);
            IndexAbstraction archive = state.metadata().getIndicesLookup().get(options.archive());
            if (archive != null) {
                WholeSource.requireInArchive(archive.getWriteIndex());
            }
        }
    }

    /** Looks at the fields, by the caller's permissions; waits for the answer. */
    void checkFields(Client client) {
        List<String> names = new ArrayList<>(options.same());
        options.survivor().stream().filter(field -> field.isId() == false).forEach(field -> names.add(field.field()));
        String bits = options.field() + "." + FingerprintFields.BITS;
        String digest = options.field() + "." + FingerprintFields.DIGEST;
        names.add(bits);
        names.add(digest);
        FieldCapabilitiesRequest request = new FieldCapabilitiesRequest()
                .indices(indices.toArray(String[]::new))
                .fields(names.toArray(String[]::new))
                .includeUnmapped(true);
        FieldCapabilitiesResponse fields = client.fieldCaps(request).actionGet();
        Set<String> without = unmappedIn(fields, bits);
        without.retainAll(unmappedIn(fields, digest));
        if (without.isEmpty() == false && options.candidates() == null) {
            throw new IllegalArgumentException("[field] must be the object that the [simhash] processor writes, but ["
                    + bits + "] is not mapped in " + without);
        }
        options.same().forEach(field -> requireValues("same", field, fields));
        options.survivor().stream()
                .filter(field -> field.isId() == false)
                .forEach(field -> requireValues("survivor", field.field(), fields));
    }

    private Set<String> unmappedIn(FieldCapabilitiesResponse fields, String name) {
        Map<String, FieldCapabilities> byType = fields.getField(name);
        if (byType == null) {
            return new TreeSet<>(indices);
        }
        FieldCapabilities unmapped = byType.get(UNMAPPED);
        if (unmapped == null) {
            return new TreeSet<>();
        }
        return new TreeSet<>(unmapped.indices() == null ? indices : Arrays.asList(unmapped.indices()));
    }

    private void requireValues(String option, String name, FieldCapabilitiesResponse fields) {
        Set<String> unmapped = unmappedIn(fields, name);
        if (unmapped.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[" + option + "] must name mapped fields, but [" + name + "] is not mapped in " + unmapped);
        }
        fields.getField(name).forEach((type, capabilities) -> {
            if (capabilities.isAggregatable() == false) {
                throw new IllegalArgumentException("[" + option + "] must name fields with doc values, but [" + name
                        + "] is of type [" + type + "]");
            }
        });
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
    }

    private static IllegalArgumentException isSource(String option, String name, String source) {
        return new IllegalArgumentException("[" + option + "] must not be one of the deduplicated indices, got: " + name
                + (name.equals(source) ? "" : ", which is [" + source + "]"));
    }

    /** Nothing can be put into a data stream where it was; nor can what the source left out be put anywhere. */
    private void requireRestorable(String index) {
        IndexAbstraction.DataStream stream =
                state.metadata().getIndicesLookup().get(index).getParentDataStream();
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
