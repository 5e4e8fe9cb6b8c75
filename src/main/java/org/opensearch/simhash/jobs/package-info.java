/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Jobs over whole indices: scan → links → groups → writes. A job is one task on the node that got the request. It passes through
 * these packages, and no package knows a later one:
 *
 * <ol>
 *   <li>{@code options}: what a job is asked to do
 *   <li>{@code join}, {@code scan}: links in memory; what is read of a point in time
 *   <li>{@code job}: the task, its phases, threads, memory and outcome
 *   <li>{@code links}: which documents are linked
 *   <li>{@code groups}: the groups and their survivors
 *   <li>{@code write}: tags and the group index
 *   <li>{@code schedule}: what the last of repeated runs saw
 *   <li>{@code archive}: copies of deleted documents
 *   <li>{@code removal}: archives and deletes
 *   <li>{@code restore}: puts deleted documents back
 *   <li>{@code apply}: carries out decisions
 * </ol>
 *
 * <p>This package has the request, the first checks, the job and its answer.
 */
package org.opensearch.simhash.jobs;
