/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The decision on each document. {@code RoundKnowledge} collects what a round needs to know. {@code Snapshot} holds all
 * that is known at one moment. {@code Verdicts} decides from one snapshot. {@code Judgement} carries the verdicts out.
 */
package org.opensearch.simhash.nearduplicate.decision;
