/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Optional;
import org.opensearch.simhash.sketch.Sketch;

/**
 * What is known of a document's text by MinHash, and the recipe that made it.
 *
 * @param sketch empty when the text has too few features to be compared by them
 * @param digest 32 lowercase hex digits, as that of a {@link Fingerprint}: equal for texts of equal tokens
 * @param size number of distinct features
 * @param scheme id of the recipe; sketches are comparable only within a scheme
 */
public record SketchedText(Optional<Sketch> sketch, String digest, int size, String scheme) {}
