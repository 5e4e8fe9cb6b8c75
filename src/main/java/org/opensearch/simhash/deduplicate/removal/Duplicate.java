/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

/** A document to delete and its survivor, by rank. */
record Duplicate(int rank, int survivor) {}
