/* SPDX-License-Identifier: Apache-2.0 */

/**
 * All near pairs among millions of fingerprints, and groups of them, in memory: fingerprints -> equal ones collapsed -> blocks
 * -> buckets -> pairs -> graph -> groups. Plain Java on primitive arrays; knows no OpenSearch class.
 */
package org.opensearch.simhash.deduplicate.join;
