/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds duplicates at ingest: the processor {@code near_duplicate}. OpenSearch calls this package.
 * {@code NearDuplicateProcessor} passes documents to the room {@code round}, whose {@code Round} takes them through the
 * others:
 *
 * <ol>
 *   <li>{@code request}: what pipelines do not see of the bulk
 *   <li>{@code scope}: a document's index, and the documents to compare it with
 *   <li>{@code arrival}: the document with its fingerprint or sketch, and its matches
 *   <li>{@code window}: documents that this node accepted lately; a round enters its own
 *   <li>{@code peers}: windows of other nodes, and the order of arrival on all nodes
 *   <li>{@code lookup}: searches of the index, and the stored originals
 *   <li>{@code ending}: the rule of who may end, which jobs ask, too
 *   <li>{@code decision}: candidates, and the decision on each document
 * </ol>
 *
 * <p>Words of all rooms:
 *
 * <ul>
 *   <li><b>round</b>: documents that are decided together
 *   <li><b>open</b>: a bulk without an answer, and its writes
 *   <li><b>follow</b>: a document follows the original that its tag names
 *   <li><b>end</b>: a document ends if it is dropped or refused
 *   <li><b>certain</b>: a version that will be stored, unless its shard refuses it; any other is <b>beside</b>
 * </ul>
 *
 * <p>A room knows only the rooms to its right. None knows this package:
 *
 * <pre>
 * arrivals → round → decision → ending, peers → window, lookup, request → arrival → scope
 * </pre>
 *
 * <p>The room {@code durable} stands beside them: it tells whether a stored version survives a crash. Jobs ask it, too.
 *
 * <p>The door: {@code ArrivalsPart} registers all this; {@code NearDuplicates} has a node's services, {@code DurabilityAction}
 * and {@code Durability} answer whether a version is durable, {@code NearDuplicateSettings} has the settings, {@code EndRule},
 * {@code Ending} and {@code Obstacle} say who may end.
 */
package org.opensearch.simhash.arrivals;
