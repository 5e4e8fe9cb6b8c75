/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The whole corpus: scan -> links -> groups -> writes. A job is one task on the node that got the request; it goes from room to room,
 * and no room knows one that comes later:
 *
 * <ol>
 *   <li>{@code options}: what a job is asked to do
 *   <li>{@code join} and {@code scan}: near pairs in memory, and what is read of a point in time
 *   <li>{@code job}: the task, its phases, threads, memory and outcome
 *   <li>{@code links}: which documents are near-duplicates of which
 *   <li>{@code groups}: the groups of them, and which document of each stays
 *   <li>{@code write}: tags and the group index
 *   <li>{@code schedule}: what the last of jobs that start again and again saw
 *   <li>{@code archive}: where copies of what is deleted are kept
 *   <li>{@code removal}: copies into the archive, then deletes
 *   <li>{@code restore}: puts back what was deleted
 *   <li>{@code apply}: does what people decided about groups
 * </ol>
 *
 * <p>Here are the request, the checks that come before everything else, the job that goes through the phases, and its answer.
 */
package org.opensearch.simhash.deduplicate;
