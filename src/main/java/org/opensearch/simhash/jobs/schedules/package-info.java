/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Jobs that the cluster starts by itself. {@code Schedule} is one of them, {@code Schedules} stores all, {@code Scheduler} starts
 * what is due.
 *
 * <p>Each schedule is a document of a hidden index with a copy on each node. The node with its primary shard starts what is due: it
 * keeps the times of all, and reads them again, as doc values, if the shard's sequence number has moved. Before it starts a run, it
 * notes it in the document, and the write names the version that was read: so no run is started twice, also while the primary moves. A node that dies takes its runs with it. Its mark in the document is that of its process, so
 * the next one sees that it is gone.
 *
 * <p>OpenSearch's persistent tasks would do the same in the cluster state. But a node without the plugin cannot read a state with
 * tasks of the plugin, so they would forbid to remove it.
 */
package org.opensearch.simhash.jobs.schedules;
