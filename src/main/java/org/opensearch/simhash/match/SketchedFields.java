/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * The Lucene fields of a sketch.
 *
 * @param bands terms
 * @param sketch binary doc values, as OpenSearch writes them for the type {@code binary}
 * @param digest terms
 * @param scheme terms
 */
public record SketchedFields(String bands, String sketch, String digest, String scheme) {}
