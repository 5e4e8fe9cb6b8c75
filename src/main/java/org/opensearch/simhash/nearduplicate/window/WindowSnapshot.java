/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * What the window knew of some documents at one moment. Immutable.
 *
 * @param names by the number of an entry what it is called; none of those that left the window
 * @param versions by document, without its routing, its versions by one field, the newest first
 * @param preceded documents before which another one by their name came, which may be stored yet
 */
public record WindowSnapshot(
        Map<Long, DocumentName> names, Map<DocumentName, List<WindowVersion>> versions, Set<Arrival> preceded) {

    /** The versions of a document, the newest first. */
    public List<WindowVersion> versions(DocumentName name) {
        return versions.getOrDefault(name.unrouted(), List.of());
    }
}
