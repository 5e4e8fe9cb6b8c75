/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A set of features to a MinHash sketch to bands, for cases where 64 bits say too little.
 * {@link org.opensearch.simhash.core.sketch.Sketch} computes components, keeps eight bits of each and estimates similarity.
 * {@link org.opensearch.simhash.core.sketch.BandLayout} makes the terms that find candidates. Plain mathematics.
 */
package org.opensearch.simhash.core.sketch;
