/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/**
 * What the sketches of documents are compared with.
 *
 * @param sketch null for a text too short to have one: then only an equal digest matches
 * @param layout how the sketch is cut into bands, or null when unknown: then all documents are compared
 * @param digest or null when unknown: then only the sketch matches
 * @param scheme the recipe that made the sketch, or null when unknown: then those of any recipe are compared
 */
public record SketchTarget(Sketch sketch, BandLayout layout, String digest, String scheme) {

    public SketchTarget {
        if (sketch == null && digest == null) {
            throw new IllegalArgumentException("a target needs a sketch or a digest, got neither");
        }
    }
}
