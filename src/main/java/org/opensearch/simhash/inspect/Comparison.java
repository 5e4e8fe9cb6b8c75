/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.List;
import java.util.Set;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;

/**
 * Compares two texts that are loaded. One thread, of {@link InspectThreads}.
 *
 * @param choice of a recipe
 * @param indices whose pipelines count if no recipe was chosen
 * @param work bounds time and memory
 */
record Comparison(PipelineRecipes recipes, RecipeChoice choice, Set<String> indices, HelperWork work) {

    CompareAction.Response of(InspectedText a, InspectedText b) {
        Fingerprinter fingerprinter = RecipeChoice.reading(
                choice.resolve(recipes, FingerprintFields.DEFAULT_OBJECT, indices, work::check), a, b);
        return of(fingerprinter, a.sourceTexts(fingerprinter), b.sourceTexts(fingerprinter));
    }

    private CompareAction.Response of(Fingerprinter fingerprinter, SourceTexts a, SourceTexts b) {
        Fingerprint fingerprintA = fingerprinter.fingerprint(a, work);
        Fingerprint fingerprintB = fingerprinter.fingerprint(b, work);
        boolean sameDigest = fingerprintA.digest().equals(fingerprintB.digest());
        return new CompareAction.Response(
                differingBits(fingerprintA, fingerprintB, sameDigest),
                sameDigest,
                Similarities.of(fingerprinter, a, b, work, work::check));
    }

    /** Empty for equal digests, even of short texts; null if unknown. */
    private static List<Integer> differingBits(Fingerprint a, Fingerprint b, boolean sameDigest) {
        if (a.bits().isPresent() && b.bits().isPresent()) {
            return Fingerprint.differingBits(a.bits().getAsLong(), b.bits().getAsLong());
        }
        return sameDigest ? List.of() : null;
    }
}
