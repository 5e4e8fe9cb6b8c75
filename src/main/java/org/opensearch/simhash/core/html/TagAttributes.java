/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Locale;
import java.util.Set;

/** Reads the attributes of start tags, and keeps those that hint at an element's part in the page. The first of equal names counts. */
final class TagAttributes {

    private static final Set<String> KEPT =
            Set.of("class", "id", "role", "itemprop", "href", "hidden", "aria-hidden", "aria-label", "style");

    private static final int LONGEST_NAME = 11;
    private static final int LONGEST_VALUE = 512;

    private final String html;
    private final int lastQuote;
    private final int lastApostrophe;

    private int position;
    private boolean closed;
    private final String[] names = new String[KEPT.size()];
    private final String[] values = new String[KEPT.size()];
    private int size;

    TagAttributes(String html) {
        this.html = html;
        this.lastQuote = html.lastIndexOf('"');
        this.lastApostrophe = html.lastIndexOf('\'');
    }

    /** Value of an attribute of the last tag; empty without value, null if missing. */
    String value(String name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    boolean closeTheTag() {
        return closed;
    }

    /** Returns the index after the tag. No tag ends behind the page's last {@code >}. */
    int read(int start, int lastGreaterThan) {
        position = start;
        size = 0;
        closed = false;
        int slash = -1;
        while (position <= lastGreaterThan) {
            char c = html.charAt(position);
            if (c == '>') {
                closed = slash == position - 1; // not the slash of an unquoted value
                return position + 1;
            }
            if (isSpace(c) || c == '/') {
                slash = c == '/' ? position : slash;
                position++;
            } else {
                readAttribute();
            }
        }
        return position;
    }

    private void readAttribute() {
        int start = position++;
        while (position < html.length() && isNameEnd(html.charAt(position)) == false) {
            position++;
        }
        int end = position;
        skipSpace();
        String value = "";
        if (position < html.length() && html.charAt(position) == '=') {
            position++;
            skipSpace();
            value = readValue();
        }
        if (end - start <= LONGEST_NAME) {
            String name = html.substring(start, end).toLowerCase(Locale.ROOT);
            if (KEPT.contains(name) && value(name) == null) {
                names[size] = name;
                values[size++] = value;
            }
        }
    }

    /** Reads a value. An opening quote without end is part of it, and the following page is not. */
    private String readValue() {
        int start = position;
        int end;
        if (isQuoted()) {
            start++;
            end = html.indexOf(html.charAt(position), start);
            position = end + 1;
        } else {
            while (position < html.length()
                    && isSpace(html.charAt(position)) == false
                    && html.charAt(position) != '>') {
                position++;
            }
            end = position;
        }
        return html.substring(start, Math.min(end, start + LONGEST_VALUE));
    }

    private boolean isQuoted() {
        if (position >= html.length()) {
            return false;
        }
        char quote = html.charAt(position);
        return (quote == '"' && position < lastQuote) || (quote == '\'' && position < lastApostrophe);
    }

    private void skipSpace() {
        while (position < html.length() && isSpace(html.charAt(position))) {
            position++;
        }
    }

    private static boolean isNameEnd(char c) {
        return isSpace(c) || c == '>' || c == '/' || c == '=';
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    }
}
