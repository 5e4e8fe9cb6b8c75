/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.List;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A version of a document that is stored, or may be, as the window knew it at one moment. Immutable.
 *
 * @param number of its entry: the later a version came the higher
 * @param order in which it came among those of all nodes
 * @param name by which it is, or will be, stored
 * @param state never {@link EntryState#GONE}
 * @param isAnswered whether the bulk that it came with was answered
 * @param answer to that bulk
 * @param version what the answer says that it was stored as; {@link Original.Version#NONE} when it says nothing
 * @param originals the documents that it names as its originals, by whatever field
 */
public record WindowVersion(
        long number,
        long order,
        DocumentName name,
        EntryState state,
        boolean isAnswered,
        BulkAnswer answer,
        Original.Version version,
        List<DocumentName> originals,
        Print print) {

    /** Whether it takes the place of the versions before it, unless it is refused. */
    public boolean isCertain() {
        return state == EntryState.KEPT || state == EntryState.REPLACED;
    }

    public boolean isUndecided() {
        return state == EntryState.UNDECIDED;
    }

    public int distance(ArrivedFingerprint arrived) {
        return print.distance(arrived);
    }
}
