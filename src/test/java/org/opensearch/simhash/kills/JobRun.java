/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/**
 * A job that deletes near-duplicates, or a restore.
 *
 * @param index that it works on
 * @param kind what it does
 * @param sent when it was sent
 * @param answered when it was answered; without an answer when nothing of it can happen any more
 * @param answer the answer, for people
 */
record JobRun(String index, Kind kind, long sent, long answered, String answer) implements Event {

    enum Kind {
        DELETE,
        ARCHIVE,
        RESTORE
    }

    private static final int LONGEST = 3_000;

    boolean isOpen() {
        return answered == Operation.OPEN;
    }

    JobRun endedBy(long time) {
        return new JobRun(index, kind, sent, time, answer);
    }

    /** Whether it may delete documents. */
    boolean removes() {
        return kind != Kind.RESTORE;
    }

    @Override
    public String toString() {
        return kind + " job on " + index + ": " + answer.substring(0, Math.min(LONGEST, answer.length()));
    }
}
