/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/**
 * People saw two near texts, and said that they are no duplicates; the answer was that this is stored.
 *
 * @param document of one of the texts, as {@link Operation#document}
 * @param other of the other one
 * @param sent when the decision was sent
 */
record Decision(String document, Text text, String other, Text otherText, long sent, long answered) implements Event {

    /** As seen from the other text. */
    Decision turned() {
        return new Decision(
                /* document= */ other,
                /* text= */ otherText,
                /* other= */ document,
                /* otherText= */ text,
                sent,
                answered);
    }

    /** Whether the job was told where it is, and began after it was stored. */
    boolean isToldTo(JobRun job) {
        return job.isTold() && job.sent() >= answered;
    }

    @Override
    public String toString() {
        return "kept apart: " + document + " " + text + " and " + other + " " + otherText;
    }
}
