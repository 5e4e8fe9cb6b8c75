/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Duplicates caught while they are indexed: the ingest processor {@code near_duplicate}. Here is what OpenSearch calls:
 * {@code NearDuplicateProcessor} hands the documents that come together to the room {@code round}, whose {@code Round} takes
 * them through the others:
 *
 * <ol>
 *   <li>{@code request}: what the bulk does besides, which pipelines are not shown
 *   <li>{@code scope}: which index a document goes to, and which documents it is compared with
 *   <li>{@code arrival}: the document with the fingerprint that the {@code simhash} processor wrote, and what is found for it
 *   <li>{@code window}: what this node accepted lately; the round enters its documents there
 *   <li>{@code peers}: what other nodes accepted lately; here is how nodes agree on what came first
 *   <li>{@code lookup}: searches of the index, and what is really stored of originals
 *   <li>{@code decision}: candidates of both, and what becomes of each document
 * </ol>
 *
 * <p>Each room knows only rooms from which its material comes, none knows this package:
 *
 * <pre>
 * nearduplicate → round → decision → peers → window, lookup, request → arrival → scope
 * </pre>
 */
package org.opensearch.simhash.nearduplicate;
