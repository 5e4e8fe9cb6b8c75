/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.util.Optional;

/** What holds of a text and a variant of it. */
enum Claim {
    /** The same text, written with other code points: distance 0 and equal digests. */
    SAME_TEXT(0, 0, true),
    /** The same text for people, spelled in another way: distance 0, and digests that differ. */
    OTHER_SPELLING(0, 0, false),
    /** Distance 0; nothing is claimed of the digests. */
    SAME_FEATURES(0, 0, null),
    /** Another text, with marks that are not optional: distance above 2, and digests that differ. */
    OTHER_TEXT(3, 64, false),
    /** Another text; nothing is claimed of the distance. */
    OTHER_DIGEST(0, 64, false),
    /** The report shows the distance. */
    NONE(0, 64, null);

    private final int leastDistance;
    private final int mostDistance;
    private final Boolean equalDigests;

    Claim(int leastDistance, int mostDistance, Boolean equalDigests) {
        this.leastDistance = leastDistance;
        this.mostDistance = mostDistance;
        this.equalDigests = equalDigests;
    }

    /** What of the claim does not hold. */
    Optional<String> broken(int distance, boolean digestsAreEqual) {
        if (distance < leastDistance || distance > mostDistance) {
            return Optional.of("distance " + distance);
        }
        if (equalDigests != null && equalDigests != digestsAreEqual) {
            return Optional.of(digestsAreEqual ? "equal digests" : "digests differ");
        }
        return Optional.empty();
    }
}
