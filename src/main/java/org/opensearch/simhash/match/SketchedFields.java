/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * The Lucene fields that hold the parts of a sketch.
 *
 * @param bands terms
 * @param sketch binary doc values, as OpenSearch writes those of the type {@code binary}
 * @param digest terms: the digest of the normalised text
 * @param scheme terms: the recipe that made the sketch
 */
public record SketchedFields(String bands, String sketch, String digest, String scheme) {}
