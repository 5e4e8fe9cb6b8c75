/* SPDX-License-Identifier: Apache-2.0 */

/**
 * A job on its node, whatever its phase: how it is started, what {@code _tasks} shows of it, its threads and its memory, what came
 * of it. Every later room works with its {@code JobRun}.
 */
package org.opensearch.simhash.deduplicate.job;
