/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A version of a document that this node or another one accepted, as another document sees it.
 *
 * @param order the later it came the higher, on all nodes
 * @param isCertain whether it takes the place of the versions before it, unless its shard refuses it
 * @param isOpen whether its write may still be under way: what is stored may be older
 * @param isOfRound whether it is decided on together with the other document
 * @param isWithin whether its fingerprint is near
 * @param likeness null when it is not near, or its text is not known
 * @param originals the documents that it names as its originals
 */
record AcceptedVersion(
        long order,
        boolean isCertain,
        boolean isOpen,
        boolean isOfRound,
        boolean isWithin,
        Likeness likeness,
        List<DocumentName> originals) {}
