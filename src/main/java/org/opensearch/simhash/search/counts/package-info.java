/* SPDX-License-Identifier: Apache-2.0 */
/** Counts of what happens on a node since its start, for {@code stats}. */
package org.opensearch.simhash.search.counts;
