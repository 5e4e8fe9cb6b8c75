/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.PairField;

/** Refuses indices that cannot be read or changed as the job wants. */
public record SourceCheck(ClusterState state, DeduplicateOptions options) {

    private static final Set<String> MERGEABLE = Set.of("keyword", "wildcard", "boolean", "date", "date_nanos", "ip");

    /**
     * Returns those of the written indices that are read-only or write-blocked, unless the job writes nothing. Not all may be.
     *
     * @param written of those that are read
     */
    public List<String> check(Collection<String> read, Collection<String> written) {
        boolean isReport = options.action() == DeduplicateOptions.Action.REPORT;
        List<String> readOnly = isReport ? List.of() : readOnly(state, written);
        for (String name : read) {
            IndexMetadata index = state.metadata().index(name);
            if (index != null) { // else it was deleted meanwhile
                IndexMapping mapping = new IndexMapping(index);
                if (isReport == false && written.contains(name) && readOnly.contains(name) == false) {
                    checkWritten(index, name, mapping);
                }
                checkRead(name, mapping);
            }
        }
        return readOnly;
    }

    /** Those of the indices that take no writes. Fails if all are. */
    public static List<String> readOnly(ClusterState state, Collection<String> indices) {
        List<String> readOnly = indices.stream()
                .filter(name -> state.blocks().indexBlocked(ClusterBlockLevel.WRITE, name))
                .sorted()
                .toList();
        if (readOnly.isEmpty() == false && readOnly.size() == indices.size()) {
            state.blocks().indexBlockedRaiseException(ClusterBlockLevel.WRITE, readOnly.getFirst());
        }
        return readOnly;
    }

    private void checkWritten(IndexMetadata index, String name, IndexMapping mapping) {
        requireNoArchive(name, mapping);
        requireChangeable(name, index);
        if (options.archive() != null) {
            requireRestorable(name, mapping);
        }
        if (options.action() == DeduplicateOptions.Action.TAG) {
            requireUpdatable(name, mapping);
        }
        if (options.merge().isEmpty() == false) {
            requireMergeable(name, mapping);
        }
    }

    private void checkRead(String name, IndexMapping mapping) {
        if (options.verify() != null && options.verify().field() != null) {
            requireText(name, options.verify().field(), mapping);
        }
    }

    /** A restore does not find copies that a job deletes or renames. */
    private void requireNoArchive(String index, IndexMapping mapping) {
        if (mapping.maps(ArchiveIndex.ORIGIN)) {
            throw new IllegalArgumentException("[action] must be report where indices are archives, got: "
                    + action() + " with [" + index + "], which maps ["
                    + ArchiveIndex.ORIGIN + "]");
        }
    }

    /** Otherwise OpenSearch refuses each write after the whole run. */
    private void requireChangeable(String index, IndexMetadata metadata) {
        if (JobIndex.unchangeable(metadata) != null) {
            throw new IllegalArgumentException("[action] must be report where indices "
                    + (metadata.isAppendOnlyIndex() ? "are append-only" : "pull their documents") + ", got: " + action()
                    + " with [" + index + "]");
        }
    }

    private String action() {
        return options.action().toString().toLowerCase(Locale.ROOT);
    }

    /** A restore cannot create documents in a backing index, nor what {@code _source} lacks. */
    private void requireRestorable(String index, IndexMapping mapping) {
        IndexAbstraction.DataStream stream =
                state.metadata().getIndicesLookup().get(index).getParentDataStream();
        if (stream != null) {
            throw new IllegalArgumentException("[archive] must be false for [" + index
                    + "], an index of the data stream [" + stream.getName()
                    + "], into which nothing can be restored, got: " + options.archive());
        }
        String missing = mapping.leavesOut();
        if (missing != null) {
            throw new IllegalArgumentException("[archive] must be false for [" + index + "], which has " + missing
                    + " and does not keep whole documents, got: " + options.archive());
        }
    }

    /** An update loses what is not in the stored source. */
    private void requireUpdatable(String index, IndexMapping mapping) {
        String missing = mapping.leavesOut();
        if (missing != null) {
            throw new IllegalArgumentException("[action] must be report or delete for [" + index + "], which has "
                    + missing + ": its documents would lose what that leaves out, got: " + action());
        }
        new TagMapping(options.field(), options.sizeField()).require(index, mapping);
    }

    /** Values of several documents must fit into one. */
    private void requireMergeable(String index, IndexMapping mapping) {
        if (mapping.leavesOut() != null) {
            throw new IllegalArgumentException("[merge] must be left out for [" + index + "], which has "
                    + mapping.leavesOut() + ": survivors would lose what that leaves out, got: " + options.merge());
        }
        for (String field : options.merge()) {
            String refusal = refusal(field, mapping);
            if (refusal != null) {
                throw new IllegalArgumentException("[merge] must name fields that may have several values, got: ["
                        + field + "], " + refusal + " in [" + index + "]");
            }
            if (options.verify() != null && field.equals(options.verify().field())) {
                throw isText(field);
            }
            for (String named : options.conditions().fields()) {
                if (mapping.isOf(field, named)) {
                    throw new IllegalArgumentException("[merge] must name fields that no condition is about, got: ["
                            + field + "], and [" + options.conditions().optionOf(named) + "] names [" + named + "]");
                }
            }
        }
    }

    /** Null for none. */
    private static String refusal(String field, IndexMapping mapping) {
        for (int dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) {
            String around = field.substring(0, dot);
            Map<?, ?> object = mapping.definition(around);
            if (object != null && (mapping.isObject(around) == false || "nested".equals(object.get("type")))) {
                return "where [" + around + "] is of type [" + IndexMapping.type(object) + "]";
            }
        }
        Map<?, ?> mapped = mapping.definition(field);
        if (mapped == null) {
            String object = field.substring(0, Math.max(0, field.lastIndexOf('.')));
            return mapping.dynamic(object).equals("strict") ? "which is not mapped, and [dynamic] is strict" : null;
        }
        boolean isWhole = MERGEABLE.contains(IndexMapping.type(mapped))
                || PairField.isNumber(IndexMapping.type(mapped))
                || (mapping.isText(field) && mapping.whole(field) != null);
        if (isWhole) {
            return mapping.isCopiedTo(field) ? "which [copy_to] fills" : null;
        }
        return "which is of type [" + IndexMapping.type(mapped) + "]" + mapping.lacksWhole(field);
    }

    private static IllegalArgumentException isText(String field) {
        return new IllegalArgumentException(
                "[merge] must name fields that are not compared, got: [" + field + "], which is part of the text");
    }

    /** @throws IllegalArgumentException if no pipeline has a recipe of passages, or if one cannot promise what is wanted */
    public void requirePassages(PipelineRecipes recipes, Collection<String> read) {
        if (options.passages() != null) {
            recipes.ofIndices(read, options.field())
                    .forEach(maker -> options.passages().resolved(maker.recipe().passages()));
        }
    }

    /** The fingerprint of a survivor must stay that of its text. */
    public void requireNoText(PipelineRecipes recipes, Collection<String> read) {
        if (options.merge().isEmpty()) {
            return;
        }
        List<Fingerprinter> known;
        try {
            known = recipes.ofIndices(read, options.field());
        } catch (IllegalArgumentException e) {
            return; // No pipeline writes it.
        }
        for (String field : options.merge()) {
            boolean isRead = known.stream()
                    .flatMap(fingerprinter -> fingerprinter.recipe().fields().stream())
                    .anyMatch(part -> ProcessorOptions.isWithin(field, part.path())
                            || ProcessorOptions.isWithin(part.path(), field));
            if (isRead) {
                throw isText(field);
            }
        }
    }

    /** Without texts, no two documents are similar, and nothing says why. */
    private static void requireText(String index, String field, IndexMapping mapping) {
        if (mapping.isObject(field)) {
            throw new IllegalArgumentException("[verify] must have a [field] that holds a text, got: [" + field
                    + "], which is an object in [" + index + "]");
        }
        if (mapping.keeps(field) == false) {
            throw new IllegalArgumentException(
                    "[verify] must have a [field] that is kept in [_source] or stored, got: [" + field
                            + "], which is neither in [" + index + "]");
        }
    }
}
