/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Jobs over whole indices: scan → links → groups → writes. A job is one task on the node that got the request. It passes through
 * these packages, and no package knows a later one:
 *
 * <ol>
 *   <li>{@code options}: what a job is asked to do
 *   <li>{@code scan}: what is read of a point in time
 *   <li>{@code job}: the task, its phases, threads, memory and outcome
 *   <li>{@code links}: which documents are linked
 *   <li>{@code groups}: the groups and their survivors
 *   <li>{@code write}: tags and the group index
 *   <li>{@code schedule}: what the last of repeated runs saw
 *   <li>{@code archive}: copies of deleted documents
 *   <li>{@code removal}: archives and deletes
 *   <li>{@code restore}: puts deleted documents back; {@code untag}: takes tags away
 *   <li>{@code apply}: carries out decisions
 * </ol>
 *
 * <pre>
 * request → scan → links → groups → write → schedule
 *                                 ↘ archive → removal → restore
 * decisions of people → apply
 * </pre>
 *
 * <p>This package has the request, the first checks, the job and its answer. {@code schedules} starts jobs by the clock,
 * {@code script} changes stored documents, {@code request} has what all requests of this part and of {@code desk} share.
 *
 * <p>Who writes what a document says of its story, and what people decided, is in the table of {@code search}. Until a decision takes
 * effect, it is in {@code dest} only.
 *
 * <p>The door: {@code JobsPart} registers all this. {@code JobTask}, {@code JobRunner}, {@code JobServices} and {@code JobStatus}
 * are a job under way, {@code Endpoint}, {@code LocalAction}, {@code JsonResponse} and {@code RequestOnIndices} a request,
 * {@code GroupMapping} the stored groups, {@code JobQuery} and {@code PointInTime} what is read.
 */
package org.opensearch.simhash.jobs;
