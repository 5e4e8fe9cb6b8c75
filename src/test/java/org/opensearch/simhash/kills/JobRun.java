/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job that deletes or tags near-duplicates, an {@code apply}, a schedule, or a restore.
 *
 * @param index that it works on
 * @param kind what it does
 * @param isTold whether it was told where decisions of people are
 * @param sent when it was sent
 * @param answered when it was answered; without an answer when nothing of it can happen any more
 * @param answer the answer, for people
 */
record JobRun(String index, Kind kind, boolean isTold, long sent, long answered, String answer) implements Event {

    enum Kind {
        DELETE,
        ARCHIVE,
        TAG,
        RESTORE
    }

    private static final int LONGEST = 3_000;
    private static final Pattern ALL_WRITTEN = Pattern.compile(
            "^[^ ]+(?<!/apply) 200 .*\"version_conflicts\":0,.*\"read_only\":0,.*\"failures\":\\[\\]", Pattern.DOTALL);
    private static final Pattern RUN = Pattern.compile("\"run\" ?: ?\"([^\"]+)\"");

    boolean isOpen() {
        return answered == Operation.OPEN;
    }

    JobRun endedBy(long time) {
        return new JobRun(index, kind, isTold, sent, time, answer);
    }

    /** Whether it may delete documents. */
    boolean removes() {
        return kind == Kind.DELETE || kind == Kind.ARCHIVE;
    }

    /** Whether it may bring back a document with an older text. */
    boolean restores() {
        return kind == Kind.RESTORE;
    }

    /** Whether it wrote into all documents from which others people keep them apart, as its answer says. */
    boolean wroteDecisions() {
        return kind == Kind.TAG && isTold && ALL_WRITTEN.matcher(answer).find();
    }

    /** The run that it was answered with, if it was. */
    Optional<String> run() {
        Matcher run = RUN.matcher(answer);
        return run.find() ? Optional.of(run.group(1)) : Optional.empty();
    }

    @Override
    public String toString() {
        return kind + " job on " + index + ": " + answer.substring(0, Math.min(LONGEST, answer.length()));
    }
}
