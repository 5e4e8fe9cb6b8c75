/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.Locale;

/**
 * One write of a client.
 *
 * @param request number of the request that it was part of
 * @param index where it went
 * @param text null to delete
 * @param sent when the request was sent, in microseconds of the client's clock
 * @param answered when the answer was there; of an unknown outcome when nothing of it can happen any more
 * @param outcome what the client was told
 * @param wrote whether the request wrote anything, so that its answer came later than what was decided about it
 * @param how the request, for people
 */
record Operation(
        long request,
        String index,
        String id,
        Text text,
        long sent,
        long answered,
        Outcome outcome,
        boolean wrote,
        String how)
        implements Event {

    /** That of a write that may still happen. */
    static final long OPEN = Long.MAX_VALUE;

    /** The document that it is about. */
    String document() {
        return index + "/" + id;
    }

    boolean isOpen() {
        return answered == OPEN;
    }

    /** Nothing of it can happen after this. */
    Operation endedBy(long time) {
        return new Operation(request, index, id, text, sent, time, outcome, wrote, how);
    }

    /** Whether the client was told that a near-duplicate stands for its text. */
    boolean isLeftOut() {
        return outcome == Outcome.DROPPED || outcome == Outcome.REFUSED;
    }

    /** Whether the document may have another content since then. */
    boolean mayHaveChanged() {
        return isLeftOut() == false;
    }

    boolean isOf(String kin, boolean verified) {
        return text != null && text.kin(verified).equals(kin);
    }

    @Override
    public String toString() {
        String what = text == null ? "delete" : "write " + text;
        return String.format(Locale.ROOT, "%s %s: %s (request %d, %s)", what, document(), outcome, request, how);
    }
}
