/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Finds which documents of a point in time are near-duplicates of which: in passes on the data nodes, near new documents only, or
 * among candidates that others have written down. {@code LinkSearch} is the door.
 */
package org.opensearch.simhash.deduplicate.links;
