/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * The window's knowledge of some documents at one moment. Immutable.
 *
 * @param names by number of entry; none for entries that left
 * @param versions by unrouted name, by one field: the newest first
 * @param preceded arrivals after other documents of the same name that may still be stored
 * @param onTheirWay the entries of these documents, by any field and by unrouted name
 */
public record WindowSnapshot(
        Map<Long, DocumentName> names,
        Map<DocumentName, List<WindowVersion>> versions,
        Set<Arrival> preceded,
        Map<DocumentName, Set<Long>> onTheirWay) {

    public List<WindowVersion> versions(DocumentName name) {
        return versions.getOrDefault(name.unrouted(), List.of());
    }
}
