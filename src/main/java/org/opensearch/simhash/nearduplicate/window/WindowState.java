/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

/**
 * The window's figures at one moment.
 *
 * @param entries in the window
 * @param oldest age of the oldest entry in milliseconds, or 0
 * @param evicted entries that left early, or never entered, for lack of room
 */
public record WindowState(int entries, long oldest, long evicted) {}
