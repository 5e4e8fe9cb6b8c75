/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * A plan for a leaf, and its expected cost.
 *
 * @param plan null for a scan
 * @param nanos time by the cost model
 */
record CostedPlan(ProbePlan plan, double nanos) {}
