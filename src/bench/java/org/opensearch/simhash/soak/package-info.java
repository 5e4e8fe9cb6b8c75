/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Everything at once on three real nodes, of which one is killed now and then, and all answers checked:
 * {@code tools/soak}. {@link org.opensearch.simhash.soak.Soak} is the table of contents.
 */
package org.opensearch.simhash.soak;
