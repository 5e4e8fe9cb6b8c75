/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * A way to find the matches of a leaf, and what it is expected to cost.
 *
 * @param plan null for a scan
 * @param nanos time, by the cost model
 */
record CostedPlan(ProbePlan plan, double nanos) {}
