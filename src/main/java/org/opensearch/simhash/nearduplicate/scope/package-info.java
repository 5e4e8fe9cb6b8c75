/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What names mean. Index, alias, data stream or pattern, as the cluster is at one moment, become indices, the searches that find
 * what is in them, and the name that a document is found by. Knows none of the other rooms.
 */
package org.opensearch.simhash.nearduplicate.scope;
