/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import org.opensearch.simhash.core.estimate.Steps;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sample.Nearness;
import org.opensearch.simhash.core.sample.SketchSteps;

/** What differs between fingerprints, near by bits of distance, and sketches, near by estimated similarity. */
record Scale(
        Steps steps,
        Nearness nearness,
        String value,
        String rows,
        String rowName,
        String jobOption,
        String noun,
        String shortTexts) {

    static Scale of(CalibrateOptions options) {
        return options.kind() == SketchKind.MINHASH ? similarities() : distances(options.maxDistance());
    }

    private static Scale distances(int last) {
        return new Scale(
                Steps.OF_BITS,
                new Nearness.Bits(last),
                FingerprintFields.BITS,
                "distances",
                "distance",
                "max_distance",
                "fingerprint",
                "a large distance with a character measure is the right choice for them, because one word that differs"
                        + " changes many bits and most shingles.");
    }

    private static Scale similarities() {
        return new Scale(
                Steps.OF_SKETCHES,
                new SketchSteps(),
                FingerprintFields.SKETCH,
                "estimates",
                "estimate",
                "min_similarity",
                "sketch",
                "a character measure is the right choice for them, because one word that differs changes most shingles."
                        + " A sketch has nothing but shingles: fingerprints may tell such texts better.");
    }
}
