/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.match.Print.SketchTarget;

/**
 * The sketch in a document, read strictly: exactly what the {@code minhash} processor writes.
 *
 * @param sketch null for a text that is too short
 * @param layout of its bands; null if the document has none, then it is compared with all sketches
 */
public record ArrivedSketch(String field, Sketch sketch, BandLayout layout, ArrivedDigest digest, String scheme)
        implements ArrivedPrint {

    /** More than a score loses as a float, and less than a component makes. */
    private static final double ROUNDING = 1e-6;

    public ArrivedSketch {
        layout = BandLayout.DEFAULT.equals(layout) ? BandLayout.DEFAULT : layout; // one for nearly all
    }

    /** @param target with a valid digest */
    public static ArrivedSketch of(String field, SketchTarget target) {
        return new ArrivedSketch(
                field, target.sketch(), target.layout(), ArrivedDigest.of(target.digest()), target.scheme());
    }

    static ArrivedSketch read(WrittenPrint written) {
        String text = written.text(FingerprintFields.SKETCH);
        ArrivedDigest digest = ArrivedDigest.of(written.digest());
        if (text == null) {
            return digest == null ? null : new ArrivedSketch(written.field(), null, null, digest, written.scheme());
        }
        Sketch sketch;
        try {
            sketch = Sketch.fromBase64(text);
        } catch (IllegalArgumentException e) {
            throw written.wrong(FingerprintFields.SKETCH, "must be what the [minhash] processor writes", text);
        }
        BandLayout layout = BandLayout.of(sketch, written.fields().get(FingerprintFields.BANDS));
        return new ArrivedSketch(written.field(), sketch, layout, digest, written.scheme());
    }

    @Override
    public SketchTarget target() {
        return new SketchTarget(sketch, layout, digest == null ? null : digest.toString(), scheme);
    }

    @Override
    public boolean isWhole() {
        return sketch != null;
    }

    @Override
    public int distance(ArrivedPrint other) {
        if (hasDigestOf(other)) {
            return 0;
        }
        return other instanceof ArrivedSketch arrived
                        && suits(other.scheme())
                        && isWhole()
                        && arrived.isWhole()
                        && arrived.permutations() == permutations()
                ? permutations() - sketch.agreeing(arrived.sketch)
                : INCOMPARABLE;
    }

    @Override
    public int maxDistance(Criteria criteria) {
        return sketch == null ? 0 : permutations() - Sketch.leastAgreeing(criteria.minSimilarity(), permutations());
    }

    public double similarity(int distance) {
        return distance == 0 ? 1 : Sketch.similarity(permutations() - distance, permutations());
    }

    @Override
    public float score(int distance) {
        return (float) similarity(distance);
    }

    @Override
    public int distance(float score) {
        return score >= 1 ? 0 : permutations() - Sketch.leastAgreeing(score - ROUNDING, permutations());
    }

    private int permutations() {
        return sketch.permutations();
    }
}
