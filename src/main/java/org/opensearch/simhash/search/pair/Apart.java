/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.simhash.core.fingerprint.TagFields;

/**
 * From which documents people keep one apart. Two documents are apart while each names the other's {@code _id}. A text that has
 * changed has lost its names, so that it is apart from none until people are asked again. The name of an index plays no
 * part: the same {@code _id} in another index is the same document. Jobs, {@code near_duplicate}, collapse and {@code distinct} ask here.
 *
 * @param id of the document; null if it is not known, and then it is apart from none
 * @param named the ids in its {@value TagFields#APART}
 */
public record Apart(String id, Set<String> named) {

    /** Of the values in a document's source or in its doc values. */
    public static Apart of(String id, Collection<?> values) {
        return new Apart(id, values.stream().map(Object::toString).collect(Collectors.toSet()));
    }

    public boolean isFrom(Apart other) {
        return id != null && other.id != null && named.contains(other.id) && other.named.contains(id);
    }
}
