/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The decision on each document. {@code RoundKnowledge} collects what a round needs. {@code Snapshot} holds it at one
 * moment. {@code Verdicts} decides. {@code Judgement} carries the verdicts out.
 *
 * <p>A document ends only for a confirmed original. An original is confirmed when all of this holds:
 *
 * <ul>
 *   <li>A real-time get finds it, near the document.
 *   <li>Its primary shard says right before the decision that this version is current and durable, and proves that it is the
 *       primary: all in-sync copies follow it. Where one of them cannot be asked, or there are no replicas, a majority of the nodes
 *       that elect the cluster manager must know it as the primary. The same is asked of the document's own id.
 *   <li>What decides is what was done at the write, not what {@code index.translog.durability} says today.
 *   <li>It does not come in the same bulk, and the bulk neither deletes nor updates it, nor writes another text with its id. In a bulk
 *       that names one id in more than 100 indices nothing ends, nor for one that the bulk writes more than eight times.
 *   <li>No unanswered bulk that this node accepted during the window's time writes another text with its id, or a document without a
 *       fingerprint, through such a pipeline. Deletes and updates in such bulks are not foreseen, nor is a document that {@code fail}
 *       refuses and {@code ignore_failure} lets go on.
 *   <li>Behind an alias with a filter, an original that a search found is unchanged.
 * </ul>
 *
 * <p>A document is no longer an original once its bulk was answered and a real-time get does not find it, or finds it far from the
 * document; if the bulk itself deletes it in the end; or if a document without a fingerprint is written with its id. A bulk in which a
 * shard failed an item with HTTP 5xx does not count as answered: what timed out may still be stored. If a version is refused, the
 * version before it is an original again.
 *
 * <p>Near documents are no originals of a document if their tag names it, or names a document whose tag names it. During the window's
 * time this also holds for tags in another {@code target_field} or by another processor.
 */
package org.opensearch.simhash.arrivals.decision;
