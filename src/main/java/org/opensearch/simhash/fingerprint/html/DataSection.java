/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/**
 * The current CDATA section. Feeds and exports carry HTML in such sections, though HTML has none. The brackets are
 * dropped and the content is read as markup. The end of the section also ends a tag, so {@code a <b} stays text.
 */
final class DataSection {

    private static final String OPENING = "<![CDATA[";
    private static final String CLOSING = "]]>";

    private final String html;
    private boolean neverClosed;
    private int end = -1;
    private int lastGreaterThan;

    DataSection(String html) {
        this.html = html;
    }

    static boolean opensAt(String html, int position) {
        return html.startsWith(OPENING, position);
    }

    /** Enters the section that opens at a position, unless one is open or it has no end. Returns where it begins. */
    int enter(int position) {
        int start = position + OPENING.length();
        if (contains(position) == false && neverClosed == false) {
            end = html.indexOf(CLOSING, start);
            neverClosed = end < 0;
            lastGreaterThan = html.lastIndexOf('>', end);
        }
        return start;
    }

    /** Whether a position is in the section or at its end. */
    boolean contains(int position) {
        return position <= end;
    }

    int end() {
        return end;
    }

    /** End of the last tag in the section. */
    int lastGreaterThan() {
        return lastGreaterThan;
    }

    /** Leaves the section. Returns where the text continues. */
    int leave() {
        int behind = end + CLOSING.length();
        end = -1;
        return behind;
    }
}
