/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Writes what was found: tags into the documents themselves, groups into an index of their own; and sends the bulk requests of all
 * that write, those of removals and of restoring included.
 */
package org.opensearch.simhash.deduplicate.write;
