/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/**
 * The CDATA section that a reader is in. Feeds and exports carry HTML in such sections, and no browser knows them in HTML: their
 * brackets are left out, and what is between them is read as markup. There a tag also ends, so that {@code a <b} stays a text.
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

    /** Goes into the section that opens at a position, but where one is open, or it is never closed; returns where it begins. */
    int enter(int position) {
        int start = position + OPENING.length();
        if (contains(position) == false && neverClosed == false) {
            end = html.indexOf(CLOSING, start);
            neverClosed = end < 0;
            lastGreaterThan = html.lastIndexOf('>', end);
        }
        return start;
    }

    /** Whether a position is in the section, or where that ends. */
    boolean contains(int position) {
        return position <= end;
    }

    int end() {
        return end;
    }

    /** Where the last tag in the section ends. */
    int lastGreaterThan() {
        return lastGreaterThan;
    }

    /** Goes out of the section; returns where the text goes on. */
    int leave() {
        int behind = end + CLOSING.length();
        end = -1;
        return behind;
    }
}
