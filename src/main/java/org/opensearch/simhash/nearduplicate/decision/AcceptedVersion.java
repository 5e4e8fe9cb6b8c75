/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A version of a candidate that a node accepted lately, compared with the arriving document.
 *
 * @param order of its arrival, on all nodes
 * @param isCertain whether it replaces earlier versions, unless its shard refuses it
 * @param isOpen whether its write may be under way, so that the stored version may be older
 * @param isOfRound whether it belongs to the round of the arriving document
 * @param isWithin whether the fingerprints are near
 * @param likeness null if it is not near, or its text is unknown
 * @param originals that it names
 */
record AcceptedVersion(
        long order,
        boolean isCertain,
        boolean isOpen,
        boolean isOfRound,
        boolean isWithin,
        Likeness likeness,
        List<DocumentName> originals) {}
