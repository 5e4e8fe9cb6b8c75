/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Optional;
import org.opensearch.simhash.sketch.Sketch;

/**
 * The MinHash of a document's text.
 *
 * @param sketch empty if the text has too few features
 * @param digest as in a {@link Fingerprint}
 * @param size number of distinct features
 * @param scheme id of the recipe; only sketches of one scheme are comparable
 */
public record SketchedText(Optional<Sketch> sketch, String digest, int size, String scheme) {}
