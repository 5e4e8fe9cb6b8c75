/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

/**
 * The window at one moment.
 *
 * @param entries how many it has
 * @param oldest age of the oldest in milliseconds; 0 when there is none
 * @param evicted how many have left before their time, or never got in, because there was no room
 */
public record WindowState(int entries, long oldest, long evicted) {}
