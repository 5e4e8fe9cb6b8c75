/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Reads HTML as a sequence of start tags, end tags and texts: the tokenizer of the HTML standard, reduced to what the
 * extraction of text needs. It never fails; what is no markup is text.
 *
 * <p>Each character is looked at a bounded number of times, whatever the markup, so a page costs time and memory in
 * proportion to its length. (jsoup, the reader one would expect here, builds the whole tree of the standard: with 5 MB of
 * nested tables, of text between table rows or of one endless tag name it needs more than a minute.) Being ours, it also
 * reads the same in each release, as the fingerprints made from it must.
 *
 * <p>Where the standard would give up the rest of the page, for a comment, quote, tag or title that is never closed, the
 * opening is ignored, so that no text is lost. Not thread-safe: one reader per page.
 */
final class MarkupReader {

    enum Token {
        START,
        END,
        TEXT,
        EOF
    }

    /** The attributes that say something about an element's role; others are skipped. */
    private static final Set<String> KEPT_ATTRIBUTES =
            Set.of("class", "id", "role", "itemprop", "href", "hidden", "aria-hidden", "style");

    private static final int LONGEST_KEPT_NAME = 32;
    private static final int LONGEST_KEPT_VALUE = 512;

    private final String html;
    private final int lastGreaterThan;
    private final int lastQuote;
    private final int lastApostrophe;
    private final Set<String> neverClosed = new HashSet<>();

    private int position;
    private String name = "";
    private int textStart;
    private int textEnd;
    private boolean selfClosing;
    private boolean rawNext;
    private boolean markup;
    private final String[] attributeNames = new String[KEPT_ATTRIBUTES.size()];
    private final String[] attributeValues = new String[KEPT_ATTRIBUTES.size()];
    private int attributes;

    MarkupReader(String html) {
        this.html = html;
        this.lastGreaterThan = html.lastIndexOf('>');
        this.lastQuote = html.lastIndexOf('"');
        this.lastApostrophe = html.lastIndexOf('\'');
    }

    /** Name of the current tag, lowercase; after a text the name of the raw element it belongs to, else empty. */
    String name() {
        return name;
    }

    /** Value of an attribute of the current start tag, empty when it has none, null when the tag has no such attribute. */
    String attribute(String attribute) {
        for (int i = 0; i < attributes; i++) {
            if (attributeNames[i].equals(attribute)) {
                return attributeValues[i];
            }
        }
        return null;
    }

    /** The current text, its character references decoded. */
    String text() {
        return CharacterReferences.decode(html, textStart, textEnd);
    }

    /** Whether any markup but text was met so far. */
    boolean sawMarkup() {
        return markup;
    }

    Token next() {
        if (rawNext) {
            rawNext = false;
            int end = endOfRaw();
            if (end > position) {
                textStart = position;
                textEnd = end;
                position = end;
                return Token.TEXT;
            }
        }
        name = "";
        textStart = position;
        while (position < html.length()) {
            int open = html.indexOf('<', position);
            if (open < 0 || open > lastGreaterThan) {
                position = html.length();
                break;
            }
            if (opensMarkup(open) == false) {
                position = open + 1;
                continue;
            }
            if (open > textStart) {
                position = open;
                textEnd = open;
                return Token.TEXT;
            }
            markup = true;
            Token token = readMarkup(open);
            if (token != null) {
                return token;
            }
            textStart = position;
        }
        textEnd = position;
        return textEnd > textStart ? Token.TEXT : Token.EOF;
    }

    private boolean opensMarkup(int open) {
        char next = open + 1 < html.length() ? html.charAt(open + 1) : ' ';
        return isLetter(next) || next == '/' || next == '!' || next == '?';
    }

    /** Reads what opens at {@code open} and moves behind it; null for a comment or declaration. */
    private Token readMarkup(int open) {
        char next = html.charAt(open + 1);
        if (next == '!') {
            return readDeclaration(open);
        }
        boolean end = next == '/';
        int start = end ? open + 2 : open + 1;
        if (isLetter(html.charAt(start)) == false) {
            position = html.indexOf('>', start) + 1;
            return null;
        }
        position = start;
        while (isTagNameEnd(html.charAt(position)) == false) {
            position++;
        }
        name = html.substring(start, Math.min(position, start + LONGEST_KEPT_NAME)).toLowerCase(Locale.ROOT);
        readAttributes();
        if (end) {
            return Token.END;
        }
        rawNext = selfClosing == false && Tags.RAW.contains(name);
        return Token.START;
    }

    private Token readDeclaration(int open) {
        if (html.startsWith("<!--", open)) {
            // "<!-->" and "<!--->" are whole comments, so the end may share the opening's hyphens
            int end = neverClosed.contains("--") ? -1 : html.indexOf("-->", open + 2);
            if (end < 0) {
                neverClosed.add("--");
                position = open + 4;
            } else {
                position = end + 3;
            }
            return null;
        }
        if (html.startsWith("<![CDATA[", open)) {
            int end = neverClosed.contains("]]") ? -1 : html.indexOf("]]>", open);
            if (end >= 0) {
                textStart = open + "<![CDATA[".length();
                textEnd = end;
                position = end + 3;
                return Token.TEXT;
            }
            neverClosed.add("]]");
        }
        position = html.indexOf('>', open) + 1;
        return null;
    }

    /** Reads to behind the tag's {@code >}; there is one, since the tag opened before the last. */
    private void readAttributes() {
        attributes = 0;
        selfClosing = false;
        while (position <= lastGreaterThan) {
            char c = html.charAt(position);
            if (c == '>') {
                selfClosing = html.charAt(position - 1) == '/';
                position++;
                return;
            }
            if (isSpace(c) || c == '/') {
                position++;
            } else {
                readAttribute();
            }
        }
    }

    private void readAttribute() {
        int start = position++;
        while (position < html.length() && isAttributeNameEnd(html.charAt(position)) == false) {
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
        if (end - start <= LONGEST_KEPT_NAME && attributes < attributeNames.length) {
            String attribute = html.substring(start, end).toLowerCase(Locale.ROOT);
            if (KEPT_ATTRIBUTES.contains(attribute) && attribute(attribute) == null) {
                attributeNames[attributes] = attribute;
                attributeValues[attributes++] = value;
            }
        }
    }

    private String readValue() {
        int start = position;
        if (start >= html.length()) {
            return "";
        }
        char quote = html.charAt(start);
        int end;
        if (quote == '"' && start < lastQuote || quote == '\'' && start < lastApostrophe) {
            start++;
            end = html.indexOf(quote, start);
            position = end + 1;
        } else {
            while (position < html.length() && isSpace(html.charAt(position)) == false && html.charAt(position) != '>') {
                position++;
            }
            end = position;
        }
        return html.substring(start, Math.min(end, start + LONGEST_KEPT_VALUE));
    }

    private void skipSpace() {
        while (position < html.length() && isSpace(html.charAt(position))) {
            position++;
        }
    }

    /** Where the raw element's content ends; for one that is never closed: at once, but for scripts and styles. */
    private int endOfRaw() {
        if (neverClosed.contains(name) == false) {
            for (int at = html.indexOf("</", position); at >= 0; at = html.indexOf("</", at + 2)) {
                int end = at + 2 + name.length();
                if (html.regionMatches(true, at + 2, name, 0, name.length())
                        && end < html.length()
                        && isTagNameEnd(html.charAt(end))) {
                    return at;
                }
            }
            neverClosed.add(name);
        }
        return name.equals("script") || name.equals("style") ? html.length() : position;
    }

    private static boolean isTagNameEnd(char c) {
        return isSpace(c) || c == '>' || c == '/';
    }

    private static boolean isAttributeNameEnd(char c) {
        return isTagNameEnd(c) || c == '=';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    }
}
