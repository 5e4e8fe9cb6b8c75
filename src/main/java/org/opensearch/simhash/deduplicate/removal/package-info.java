/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Deletes near-duplicates, and nothing whose survivor has changed: a copy is in the archive, and was read back, before its document
 * goes. {@code Removal} is the door.
 */
package org.opensearch.simhash.deduplicate.removal;
