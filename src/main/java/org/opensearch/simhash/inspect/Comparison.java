/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;
import org.opensearch.simhash.verify.Measure;

/**
 * Compares two texts that are loaded. One thread, of {@link InspectThreads}.
 *
 * @param choice of a recipe
 * @param indices whose pipelines count if no recipe was chosen
 * @param work bounds time and memory
 */
record Comparison(PipelineRecipes recipes, RecipeChoice choice, Set<String> indices, HelperWork work) {

    JsonResponse of(InspectedText a, InspectedText b) {
        Fingerprinter fingerprinter =
                RecipeChoice.reading(choice.resolve(recipes, FingerprintFields.DEFAULT_OBJECT, indices), a, b);
        return of(fingerprinter, a.sourceTexts(fingerprinter), b.sourceTexts(fingerprinter));
    }

    private JsonResponse of(Fingerprinter fingerprinter, SourceTexts a, SourceTexts b) {
        Fingerprint fingerprintA = fingerprinter.fingerprint(a, work);
        Fingerprint fingerprintB = fingerprinter.fingerprint(b, work);
        boolean sameDigest = fingerprintA.digest().equals(fingerprintB.digest());
        List<Integer> bits = differingBits(fingerprintA, fingerprintB, sameDigest);
        Map<String, Object> sketches = sketches(fingerprinter.sketching(), a, b);
        Map<Measure, Double> similarities = Similarities.of(fingerprinter, a, b, work, work::check);
        return new JsonResponse((json, params) -> {
            json.startObject();
            json.field("distance", bits == null ? null : bits.size());
            json.field("differing_bits", bits);
            json.field("same_digest", sameDigest);
            json.field("minhash", sketches);
            json.startObject("similarity");
            for (Map.Entry<Measure, Double> measured : similarities.entrySet()) {
                double value = measured.getValue(); // NaN if the texts are too large for it
                json.field(measured.getKey().toString().toLowerCase(Locale.ROOT), Double.isNaN(value) ? null : value);
            }
            return json.endObject().endObject();
        });
    }

    /** The comparison of the sketches; null if a text is too short for one. */
    private Map<String, Object> sketches(Fingerprinter sketcher, SourceTexts a, SourceTexts b) {
        Sketch left = sketcher.sketch(a, work).sketch().orElse(null);
        Sketch right = sketcher.sketch(b, work).sketch().orElse(null);
        if (left == null || right == null) {
            return null;
        }
        BandLayout layout = sketcher.recipe().bandLayout();
        double jaccard = Sketch.similarity(left.agreeing(right), layout.permutations());
        Set<String> bands = new HashSet<>(List.of(layout.terms(left)));
        bands.retainAll(List.of(layout.terms(right)));
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("similarity", jaccard);
        found.put("containment", Sketch.containment(jaccard, left.size(), right.size()));
        found.put("equal_bands", bands.size());
        found.put("bands", layout.bands());
        return found;
    }

    /** Empty for equal digests. Else null if a text is too short for a fingerprint. */
    private static List<Integer> differingBits(Fingerprint a, Fingerprint b, boolean sameDigest) {
        if (a.bits().isPresent() && b.bits().isPresent()) {
            return Fingerprint.differingBits(a.bits().getAsLong(), b.bits().getAsLong());
        }
        return sameDigest ? List.of() : null;
    }
}
