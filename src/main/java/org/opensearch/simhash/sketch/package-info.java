/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A set of features to a MinHash sketch to bands: where 64 bits say too little. {@link
 * org.opensearch.simhash.sketch.Signature} makes the components, {@link org.opensearch.simhash.sketch.Sketch} keeps eight bits of each
 * and estimates similarity, {@link org.opensearch.simhash.sketch.BandLayout} cuts it into the terms by which candidates are found, and
 * says how many are missed. Plain mathematics.
 */
package org.opensearch.simhash.sketch;
