/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Duplicates across nodes: nodes ask one another's windows. If two near-duplicates reach two nodes at once, exactly one
 * is the original.
 *
 * <p><b>The order.</b> Each round has a stamp from a logical clock: a node counts up from the highest stamp that it
 * gave or heard. Questions and answers carry stamps. If two stamps are equal, the node with the lower id comes first.
 * So all nodes agree on the order of any two rounds.
 *
 * <p><b>A round.</b>
 *
 * <ol>
 *   <li>It enters the window of its node and gets a stamp. From then on others see it.
 *   <li>It asks all known nodes, while it searches the index: which earlier documents of your window are near these?
 *   <li>An asked node first hears the stamp, so that later entries of its window come later. It waits until all earlier
 *       near documents are decided. It answers with those that are kept.
 *   <li>The round decides. A document in an answer counts like one in its own window. A dropped or refused document is
 *       in no answer. A document whose bulk is not answered is pending. Nothing is dropped for an original that is not
 *       stored and durable.
 * </ol>
 *
 * <p><b>Why one of two rounds knows of the other.</b> Let A and B be rounds of two nodes, A the earlier one. B asks the
 * node of A. If A has entered, it is in the answer. If not, that node hears B's stamp before it gives A a stamp, and A
 * would be the later one. A never gets B in an answer, because B is later.
 *
 * <p><b>Why no round waits for ever.</b> A round waits only for earlier ones. Meanwhile it holds nothing that they
 * need: it leaves the gate of lookups when its search is done.
 *
 * <p><b>Nodes that come.</b> A new node takes no documents before it has met all nodes of the cluster state: it sends a
 * question without documents. A node answers with its stamp, and asks the new node from its next round on. Its earlier
 * rounds have lower stamps than all rounds of the new node. If two nodes join, the later one knows of the other. A node
 * that restarts is a new one.
 *
 * <p><b>Nodes that go.</b> A node without a connection is asked again until it leaves the cluster state. Its window is
 * lost; a search finds its documents after a refresh. If a node does not answer in time, documents fail, or the node is
 * left out and counted: see {@code plugins.simhash.near_duplicate.window.unanswered}. A node that does not know the
 * question is left out and counted. A node that the cluster has cut off, and that continues, does not see documents of
 * others, nor they its own.
 *
 * <p><b>Bounds.</b> A question has at most 1,024 documents, without texts. An answer has at most 4 MB plus the matches
 * of one document: at first the eight nearest of each. Further questions ask for the rest, and for more if no match
 * counts.
 */
package org.opensearch.simhash.arrivals.peers;
