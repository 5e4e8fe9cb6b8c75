/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/**
 * A plan and its estimated cost.
 *
 * @param nanos of all threads together
 */
record Priced<P extends JoinPlan>(P plan, double nanos) {}
