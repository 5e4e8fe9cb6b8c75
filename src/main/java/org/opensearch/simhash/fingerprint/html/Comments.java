/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** Finds where the comments of a page end. Linear: after one that never ends none is looked for again. */
final class Comments {

    private final String html;
    private boolean neverClosed;

    Comments(String html) {
        this.html = html;
    }

    /** Where the text goes on behind the comment that {@code <!--} opens, -1 when it never ends. */
    int end(int open) {
        // "<!-->" and "<!--->" are whole comments: the end may share the opening's hyphens, but not that with the mark.
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
