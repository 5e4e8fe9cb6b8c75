/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

import java.util.List;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;

/**
 * The indices to check against as a processor names them, and what they say of an index that is not there yet: no resolver knows
 * it, and it is never made if its first document is refused for that.
 *
 * @param names indices, aliases, patterns, and what is excluded from those before it
 */
record ConfiguredNames(IndexNameExpressionResolver resolver, List<String> names) {

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Whether an index of this name will be one of those to check against, once it is there. */
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

    /** What is there to be searched when an index is not; it need not be excluded either. */
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
