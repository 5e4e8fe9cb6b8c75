/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From which documents people keep one apart. Two documents are apart while each names the other's {@code _id}. A text that has
 * changed has lost its names, so that it is apart from none until people are asked again. The name of an index plays no
 * part: the same {@code _id} in another index is the same document. Jobs, {@code near_duplicate}, collapse and {@code distinct} ask here.
 *
 * @param id of the document; null if it is not known, and then it is apart from none
 * @param group its story; null if it says none
 * @param named the ids in its {@value FingerprintFields#APART}
 */
public record Apart(String id, String group, Set<String> named) {

    /** Of the values in a document's source or in its doc values, whatever its story is. */
    public static Apart of(String id, Collection<?> values) {
        return new Apart(id, null, values.stream().map(Object::toString).collect(Collectors.toSet()));
    }

    public boolean isFrom(Apart other) {
        return id != null && other.id != null && named.contains(other.id) && other.named.contains(id);
    }

    /** Whether people keep two apart, or parted the story of one of them from others, and the other one is of another story. */
    public boolean isFrom(Apart other, InSight others) {
        return isFrom(other) || isOfParted(other, others) || other.isOfParted(this, others);
    }

    /** Its job made a story of its own for one that is kept apart from any other: no document of another one stands for that. */
    private boolean isOfParted(Apart other, InSight others) {
        return other.group != null
                && other.group.equals(group) == false
                && named.stream().anyMatch(id -> others.mayBeApart(this, id));
    }

    /** Whether a document may be apart from one that it names, as far as the documents of a decision say. */
    public interface InSight {

        boolean mayBeApart(Apart one, String other);

        /** What a document that is not among them says is not known. */
        static InSight of(Stream<Apart> all) {
            Map<String, List<Apart>> byId = all.filter(one -> one.id != null).collect(Collectors.groupingBy(Apart::id));
            return (one, other) ->
                    byId.containsKey(other) == false || byId.get(other).stream().anyMatch(one::isFrom);
        }
    }
}
