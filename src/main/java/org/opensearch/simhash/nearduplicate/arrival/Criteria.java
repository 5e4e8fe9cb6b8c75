/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import org.opensearch.simhash.verify.Verification;

/**
 * What counts as a near-duplicate for the documents of one round, dynamic settings looked up.
 *
 * @param field path of the fingerprint object
 * @param maxDistance most bits in which fingerprints differ
 * @param verification what texts must fulfil, or null
 */
public record Criteria(String field, int maxDistance, Verification verification) {}
