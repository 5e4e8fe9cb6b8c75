/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What every job has: its start, its task, its threads, its memory and disk, its outcome. The packages after this one
 * work with its {@code JobRun}.
 */
package org.opensearch.simhash.jobs.job;
