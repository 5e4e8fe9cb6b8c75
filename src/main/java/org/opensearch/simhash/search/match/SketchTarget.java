/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;

/**
 * The sketch that documents are compared with.
 *
 * @param sketch null for a short text, which matches by digest only
 * @param layout cuts the sketch into bands; null if unknown, then all documents are compared
 * @param digest null if unknown
 * @param scheme the recipe's id; null if unknown, then sketches of all schemes are compared
 */
public record SketchTarget(Sketch sketch, BandLayout layout, String digest, String scheme) implements Print {

    public SketchTarget {
        if (sketch == null && digest == null) {
            throw new IllegalArgumentException("a target needs a sketch or a digest, got neither");
        }
        layout = sketch == null ? null : layout;
    }

    @Override
    public SketchKind kind() {
        return SketchKind.MINHASH;
    }

    @Override
    public boolean isWhole() {
        return sketch != null;
    }
}
