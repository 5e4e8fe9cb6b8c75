/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.regex.Regex;
import org.opensearch.simhash.query.Archives;

/**
 * Archives of deleted documents among other indices. What the plugin does there leaves them out; other searches find what was
 * deleted.
 */
record MetArchives(ClusterState state, IndexNameExpressionResolver resolver, PipelineSteps pipelines) {

    private Set<String> among(List<String> names, List<String> indices) {
        return new Archives().leftOut(state.metadata(), names, indices);
    }

    /**
     * A finding for each archive that the names of a request lead to, but for one that is named alone.
     *
     * @param indices that the names lead to
     */
    Map<String, Finding> inRequest(List<String> names, List<String> indices) {
        Map<String, Finding> findings = new TreeMap<>();
        among(names, indices).forEach(archive -> findings.put(archive, finding(archive, names)));
        return findings;
    }

    private Finding finding(String archive, List<String> names) {
        Map<String, ?> aliasesOf = state.metadata().index(archive).getAliases();
        List<Map<String, ?>> aliases = names.stream()
                .filter(aliasesOf::containsKey)
                .<Map<String, ?>>map(alias -> Map.of("remove", Map.of("index", archive, "alias", alias)))
                .toList();
        String all = String.join(",", names);
        return Finding.of(
                Code.ARCHIVE,
                archive,
                "[" + archive + "] is an archive of deleted documents and belongs to [" + all
                        + "]: searches of these find what was deleted",
                aliases.isEmpty()
                        ? "Leave it out, as in [" + all + ",-" + archive
                                + "], or keep archives under names that the pattern does not meet."
                        : MendingRequest.of("POST", "/_aliases", Map.of("actions", aliases)));
    }

    /** Archives that {@code near_duplicate} would compare documents with. */
    List<Finding> inPipelines(CheckedIndex index) {
        List<Finding> findings = new ArrayList<>();
        for (Step step : index.steps()) {
            List<String> names = step.isNearDuplicate() ? step.comparedIndices() : List.of();
            Set<String> archives = names.isEmpty()
                    ? Set.of()
                    : among(
                            names,
                            List.of(resolver.concreteIndexNames(
                                    state,
                                    IndicesOptions.lenientExpandOpen(),
                                    true,
                                    names.toArray(String[]::new))));
            if (archives.isEmpty() == false) {
                findings.add(Finding.of(
                        Code.ARCHIVE,
                        index.name(),
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] compares documents with " + names
                                + ", which has archives of deleted documents, left out: " + archives,
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
