/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Finds all links among millions of fingerprints and makes groups of them, on the heap or in files: rows → distinct
 * fingerprints → blocks → bins → buckets → links → graph → groups. Plain Java on primitive arrays.
 *
 * <p>To use, fill {@code FingerprintRows} and join them with {@code NearJoin}. Then rank the
 * documents, build a {@code NearGraph} and link it with {@code SurvivorLinkage} or {@code ChainLinkage}.
 *
 * <p>A <i>pair</i> is any two fingerprints; a <i>link</i> is a pair within the distance. Only fingerprints of one
 * <i>stratum</i> are compared: those of one scheme with equal guards.
 *
 * <p>Parameters: {@code memory} is told the bytes before they are taken, and may refuse them. {@code progress} is told
 * how much was done, and may throw to end the work.
 */
package org.opensearch.simhash.core.join;
