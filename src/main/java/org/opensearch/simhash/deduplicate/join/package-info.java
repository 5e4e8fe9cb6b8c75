/* SPDX-License-Identifier: Apache-2.0 */

/**
 * All near pairs among millions of fingerprints, and groups of them, on the heap or in files: rows -> fingerprints, equal ones
 * collapsed -> blocks -> bins -> buckets -> pairs -> graph -> groups. Plain Java on primitive arrays; of OpenSearch it knows how
 * memory is refused, and no more.
 */
package org.opensearch.simhash.deduplicate.join;
