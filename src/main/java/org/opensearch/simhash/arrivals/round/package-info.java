/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From arrival to decision. {@code ArrivedDocuments} divides a bulk into rounds, {@code Round} runs the steps. Up to 1,024 documents enter
 * the window, in their order. One search for up to 512 of them finds the nearest of each in the index, while one request to each other
 * node asks for near ones that came earlier. The round waits, without a thread, until earlier bulks have decided about documents that are
 * near, or write over one that is. Real-time multi-gets, up to 256 at once, tell which originals are stored, and whether the own id is.
 * For a document that is to end, the shard of its original tells whether that is current and durable. One that has changed is read again.
 */
package org.opensearch.simhash.arrivals.round;
