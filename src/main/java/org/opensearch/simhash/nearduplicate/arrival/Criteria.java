/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import org.opensearch.simhash.verify.Verification;

/**
 * What counts as a near-duplicate in one round. Dynamic settings are resolved.
 *
 * @param field path of the fingerprint object
 * @param maxDistance most bits in which fingerprints differ
 * @param verification the rule for texts, or null
 */
public record Criteria(String field, int maxDistance, Verification verification) {}
