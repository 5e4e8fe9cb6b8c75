/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** Finds the ends of comments. Linear: after a comment without end, it searches no more. */
final class Comments {

    private final String html;
    private boolean neverClosed;

    Comments(String html) {
        this.html = html;
    }

    /** Index after the comment that {@code <!--} opens; -1 if it has no end. */
    int end(int open) {
        // "<!-->" and "<!--->" are whole comments: opening and end may share hyphens.
        for (int at = neverClosed ? -1 : html.indexOf("--", open + 2); at >= 0; at = html.indexOf("--", at + 1)) {
            if (html.startsWith(">", at + 2)) {
                return at + 3;
            }
            if (html.startsWith("!>", at + 2) && at >= open + 4) {
                return at + 4;
            }
        }
        neverClosed = true;
        return -1;
    }
}
