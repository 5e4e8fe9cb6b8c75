/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import org.opensearch.common.unit.TimeValue;

/**
 * Settings of the cluster, as they are at the moment.
 *
 * @param asks whether other nodes are asked
 * @param leavesOut whether a node that does not answer in time is left out; otherwise the documents fail
 * @param timeout of one request, with all its attempts
 */
public record PeerOptions(boolean asks, boolean leavesOut, TimeValue timeout) {}
