/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import org.opensearch.common.unit.TimeValue;

/**
 * The current settings.
 *
 * @param leavesOut whether a node that times out is left out; if not, documents fail
 * @param timeout of a request with its retries
 */
public record PeerOptions(boolean asks, boolean leavesOut, TimeValue timeout) {}
