/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

import java.util.List;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;

/**
 * The option {@code index}, also for indices that do not exist yet. No resolver knows them, and they would never be
 * created if their first document failed for that.
 *
 * @param names indices, aliases, patterns, and exclusions from those before
 */
record ConfiguredNames(IndexNameExpressionResolver resolver, List<String> names) {

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Whether an index of this name will belong to the option. */
    boolean cover(String index) {
        boolean covers = false;
        boolean excludes = false;
        for (String name : names) {
            if (excludes && name.startsWith("-")) {
                covers &= Regex.simpleMatch(name.substring(1), index) == false;
            } else {
                covers |= name.equals(Metadata.ALL) || Regex.simpleMatch(resolved(name), index);
            }
            excludes |= Regex.isSimpleMatchPattern(name);
        }
        return covers;
    }

    /** The names without a missing index, and without its exclusion. */
    List<String> without(String index) {
        return names.stream()
                .filter(name -> resolved(name).equals(index) == false && name.equals("-" + index) == false)
                .toList();
    }

    String[] toArray() {
        return names.toArray(String[]::new);
    }

    private String resolved(String name) {
        return resolver.resolveDateMathExpression(name);
    }
}
