/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What other nodes accepted lately: nodes ask one another's windows. Of two near-duplicates that reach two nodes at the same time
 * exactly one is the original, whoever asks first.
 *
 * <p><b>The order.</b> Each round of documents has a stamp, counted by a logical clock: a node counts up from the highest stamp that
 * it gave or heard of. Questions and answers carry stamps. Of two rounds with one stamp that of the node with the lower id comes
 * first. So any two rounds have an order, and all nodes agree on it.
 *
 * <p><b>A round.</b>
 *
 * <ol>
 *   <li>It enters the window of its node, which gives it a stamp. From then on others see it.
 *   <li>It asks all nodes that are known, in parallel with the search of the index: which documents of your window came before
 *       these, and are near them?
 *   <li>A node that is asked hears the stamp first: what enters its window from now on comes later. It waits until all earlier
 *       documents near those of the question are decided. Then it answers with the ones that are kept.
 *   <li>The round decides. What others have said counts as what this node accepted does. An original that is dropped or refused is
 *       in no answer. One whose bulk was not answered yet is pending. What the index says of it decides where it is stored: nothing
 *       is dropped for an original that is not stored and durable.
 * </ol>
 *
 * <p><b>Why one of two rounds knows of the other.</b> Let A and B be rounds of two nodes, A the earlier one. B asks the node of A. If A
 * has entered by then, A is in the answer. If A has not entered by then, that node hears the stamp of B before it gives A a stamp, so A
 * is the later one, which it is not. A never gets B in an answer, for B is later.
 *
 * <p><b>Why none waits for ever.</b> A round waits only for earlier ones, on its own node and on others. It keeps nothing meanwhile that
 * an earlier one needs: the place in the gate of lookups is free as soon as its search is done.
 *
 * <p><b>Nodes that come.</b> A node takes no documents before it has met all nodes that the cluster's state tells of: it sends a question
 * without documents. Whoever gets it asks the new node from its next round on, and answers with its own stamp. The rounds that
 * entered before do not ask the new node, but have lower stamps than all that will enter there. Of any two nodes the one that joined
 * the cluster later knows of the other. A node that starts again is a new one.
 *
 * <p><b>Nodes that go.</b> A node without a connection is asked again until the cluster's state says that it left, and then no more: its
 * window is lost. What it accepted is found in the index after a refresh. A node that does not answer in time makes the documents
 * fail, or is left out and counted, as {@code plugins.simhash.near_duplicate.window.unanswered} says. A node that the cluster has
 * cut off, and that goes on, does not know of the documents of the others, nor they of its. A node that does not know the
 * question, because it has no plugin or another version of it, is left out and counted.
 *
 * <p><b>Bounds.</b> A question has at most 1,024 documents without their texts. An answer has 4 MB and the matches of a document more, first
 * the eight nearest of each document. What is left out, or more where none of these counts, is asked for again.
 */
package org.opensearch.simhash.nearduplicate.peers;
