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

    private static final String PAUSE = " stood still";

    /** A node was stopped, and went on. */
    static Note pause(int node, long from, long to) {
        return new Note(from, to, null, null, "node " + node + PAUSE);
    }

    /** Whether a node stood still at some time of a request. */
    boolean isPauseDuring(Operation operation) {
        return words.endsWith(PAUSE) && sent < operation.answered() && operation.sent() < answered;
    }

    @Override
    public String toString() {
        return words;
    }
}
