/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Deletes near-duplicates whose survivor is unchanged. A durable copy is in the archive before a document is deleted. Start with
 * {@code Removal}.
 */
package org.opensearch.simhash.jobs.removal;
