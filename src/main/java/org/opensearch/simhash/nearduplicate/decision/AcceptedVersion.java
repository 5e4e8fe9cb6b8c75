/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import org.opensearch.simhash.nearduplicate.arrival.Membership;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A version that a node accepted lately, compared with the arriving document. The other components are as in
 * {@code WindowVersion}.
 *
 * @param isOpen whether its write may be under way; then the stored version may be older
 * @param isOfRound whether it belongs to the arriving document's round
 * @param isWithin whether the fingerprints are near
 * @param likeness null if it is not near, or its text is unknown
 */
record AcceptedVersion(
        long order,
        boolean isCertain,
        boolean isOpen,
        boolean isOfRound,
        boolean isWithin,
        Likeness likeness,
        List<DocumentName> originals,
        Membership membership) {}
