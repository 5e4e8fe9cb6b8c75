/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.opensearch.action.IndicesRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;

/**
 * Archives of deleted documents. They are known by their mapping, which every job completes. What they hold is nobody's original: an
 * archive is left out where a pattern, an alias or a list meets it. One that is named alone stays. Thread-safe; parses each mapping once.
 */
public final class Archives {

    /** The object in a copy that tells where its document was. */
    public static final String ORIGIN = "simhash_archive";

    private final Map<MappingMetadata, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * The indices of a request without archives.
     *
     * @param names the names of the request if nothing is left out, else of what is left
     * @param leftOut archives
     */
    public record Choice(List<String> names, Set<String> leftOut) {

        public Optional<String> warning() {
            return leftOut.isEmpty() ? Optional.empty() : Optional.of(Archives.warning(leftOut));
        }
    }

    public static String warning(Collection<String> leftOut) {
        return leftOut + (leftOut.size() == 1 ? " is an archive" : " are archives")
                + " of deleted documents, and left out: it takes part where it is named alone";
    }

    public boolean isOne(IndexMetadata index) {
        MappingMetadata mapping = index.mapping();
        return mapping != null && known.computeIfAbsent(mapping, any -> new IndexMapping(index).maps(ORIGIN));
    }

    /**
     * The archives among some indices that are left out.
     *
     * @param names which the indices were named by
     */
    public Set<String> leftOut(Metadata metadata, Collection<String> names, Collection<String> indices) {
        if (indices.size() == 1 && isOneName(names)) {
            return Set.of();
        }
        Set<String> archives = new TreeSet<>();
        for (String index : indices) {
            IndexMetadata there = metadata.index(index);
            if (there != null && isOne(there)) {
                archives.add(index);
            }
        }
        return archives.size() == indices.size() && isOneName(names) ? Set.of() : archives;
    }

    private static boolean isOneName(Collection<String> names) {
        return names.size() == 1
                && names.stream()
                        .noneMatch(
                                name -> name == null || Metadata.ALL.equals(name) || Regex.isSimpleMatchPattern(name));
    }

    /** Leaves out the archives of a request. Refuses one of archives only, and an alias with a filter or routing that has an archive. */
    public Choice without(ClusterState state, IndexNameExpressionResolver resolver, IndicesRequest request) {
        List<String> indices = List.of(resolver.concreteIndexNames(state, request));
        Set<String> leftOut = leftOut(state.metadata(), Arrays.asList(request.indices()), indices);
        if (leftOut.isEmpty()) {
            return new Choice(List.of(request.indices()), leftOut);
        }
        Set<String> names = resolver.resolveExpressions(state, request.indices());
        Set<String> left = new LinkedHashSet<>();
        for (String index : indices) {
            if (leftOut.contains(index) == false) {
                left.addAll(namesOf(state.metadata(), index, names, leftOut));
            }
        }
        if (left.isEmpty()) {
            throw new IllegalArgumentException("[index] must name an archive alone, got: "
                    + String.join(",", request.indices()) + ", which is nothing but " + leftOut);
        }
        return new Choice(List.copyOf(left), leftOut);
    }

    /** The index itself, unless all names for it have a filter or routing. */
    private static Set<String> namesOf(Metadata metadata, String index, Set<String> names, Set<String> leftOut) {
        Set<String> partial = new TreeSet<>();
        for (String name : names) {
            IndexAbstraction found = metadata.getIndicesLookup().get(name);
            if (found == null
                    || found.getIndices().stream()
                            .noneMatch(each -> each.getIndex().getName().equals(index))) {
                continue;
            }
            AliasMetadata alias = metadata.index(index).getAliases().get(name);
            if (alias == null || (alias.filteringRequired() == false && alias.searchRouting() == null)) {
                return Set.of(index);
            }
            for (IndexMetadata other : found.getIndices()) {
                if (leftOut.contains(other.getIndex().getName())) {
                    throw new IllegalArgumentException(
                            "[index] must not be an alias with a filter or routing that has an archive, got: " + name
                                    + ", which has [" + other.getIndex().getName() + "]");
                }
            }
            partial.add(name);
        }
        return partial.isEmpty() ? Set.of(index) : partial;
    }
}
