/* SPDX-License-Identifier: Apache-2.0 */
/** What happens on a node since it started, counted by those who do it, for {@code stats} to show. */
package org.opensearch.simhash.counts;
