/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The decision on each document. {@code RoundKnowledge} collects what a round needs. {@code Snapshot} holds it at one
 * moment. {@code Verdicts} decides. {@code Judgement} carries the verdicts out.
 */
package org.opensearch.simhash.nearduplicate.decision;
