/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.regex.Regex;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.query.IndexMapping;

/** Archives of deleted documents among indices that were not named one by one: copies look like documents there. */
record MetArchives(ClusterState state, IndexNameExpressionResolver resolver, PipelineSteps pipelines) {

    private static boolean isArchive(IndexMetadata index) {
        return new IndexMapping(index).maps(ArchiveIndex.RUN);
    }

    /** An archive that an alias, a data stream or a pattern of the request leads to. */
    Optional<Finding> inRequest(CheckedIndex index, String[] names) {
        if (Arrays.asList(names).contains(index.name()) || isArchive(index.metadata()) == false) {
            return Optional.empty();
        }
        String message = "[" + index.name() + "] is an archive of deleted documents and belongs to ["
                + String.join(",", names) + "]: searches of these find what was deleted";
        List<Map<String, ?>> aliases = Arrays.stream(names)
                .filter(index.metadata().getAliases()::containsKey)
                .<Map<String, ?>>map(alias -> Map.of("remove", Map.of("index", index.name(), "alias", alias)))
                .toList();
        String mend = aliases.isEmpty()
                ? "Leave it out, as in [" + String.join(",", names) + ",-" + index.name()
                        + "], or keep archives under names that the pattern does not meet."
                : MendingRequest.of("POST", "/_aliases", Map.of("actions", aliases));
        return Optional.of(Finding.of(Code.ARCHIVE, index.name(), message, mend));
    }

    /** Archives that {@code near_duplicate} would compare documents with. */
    List<Finding> inPipelines(CheckedIndex index) {
        List<Finding> findings = new ArrayList<>();
        for (Step step : index.steps()) {
            List<String> names = step.isNearDuplicate() ? step.comparedIndices() : List.of();
            Set<String> archives = new TreeSet<>();
            if (names.isEmpty() == false) {
                Stream.of(resolver.concreteIndexNames(
                                state, IndicesOptions.lenientExpandOpen(), true, names.toArray(String[]::new)))
                        .filter(name -> names.contains(name) == false
                                && isArchive(state.metadata().index(name)))
                        .forEach(archives::add);
            }
            if (archives.isEmpty() == false) {
                findings.add(Finding.of(
                        Code.ARCHIVE,
                        index.name(),
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] compares documents with " + names
                                + ", which has archives of deleted documents: " + archives,
                        mend(index, step, names, archives)));
            }
        }
        return findings;
    }

    private String mend(CheckedIndex index, Step step, List<String> names, Set<String> archives) {
        if (names.stream().noneMatch(Regex::isSimpleMatchPattern)) {
            return "Take " + archives + " out of the aliases among " + names + ".";
        }
        List<String> without = new ArrayList<>(names);
        archives.forEach(archive -> without.add("-" + archive)); // After a pattern this leaves out.
        return pipelines.changed(index, step, Map.of("index", without));
    }
}
