/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/**
 * A kill, a restart, or a document that was seen.
 *
 * @param sent when
 * @param answered the end of it
 * @param document that a real-time get found at a time after {@code sent}; null for other notes
 * @param text that it had
 * @param words for people
 */
record Note(long sent, long answered, String document, Text text, String words) implements Event {

    @Override
    public String toString() {
        return words;
    }
}
