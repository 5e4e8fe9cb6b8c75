/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import org.opensearch.common.unit.TimeValue;

/**
 * Settings of the cluster, as currently set.
 *
 * @param asks whether other nodes are asked
 * @param leavesOut whether a node that times out is left out; if not, the documents fail
 * @param timeout of one request with all its retries
 */
public record PeerOptions(boolean asks, boolean leavesOut, TimeValue timeout) {}
