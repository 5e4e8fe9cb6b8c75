/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From arrival to decision. {@code ArrivedDocuments} divides a bulk into rounds. A {@code Round} runs its steps.
 * {@code RoundsUnderWay} knows the undecided ones.
 *
 * <ol>
 *   <li>Up to 1,024 documents enter the window of this node, in their order.
 *   <li>One search for up to 512 of them finds the nearest of each in the index. At the same time one request to each other node
 *       asks for near documents that came earlier.
 *   <li>The round waits, without a thread, until earlier bulks have decided about documents that are near, or write over one
 *       that is.
 *   <li>Real-time multi-gets, up to 256 at once: which originals are stored, and is the own id?
 *   <li>A document that is to end asks the shard of its original: current and durable? If the original has changed, the round
 *       gets it again.
 * </ol>
 */
package org.opensearch.simhash.arrivals.round;
