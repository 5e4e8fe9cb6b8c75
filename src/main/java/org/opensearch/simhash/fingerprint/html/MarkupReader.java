/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.Locale;

/**
 * Reads HTML as a sequence of start tags, end tags and texts: the tokenizer of the HTML standard, reduced to what the
 * extraction of text needs. It never fails; what is no markup is text.
 *
 * <p>Each character is looked at a bounded number of times, whatever the markup, so a page costs time and memory in
 * proportion to its length. jsoup, which one would expect here, builds the standard's whole tree: 5 MB of nested tables keep
 * version 1.22 busy for a minute and a half, 5 MB of text and breaks in a table for longer, one endless tag name for half.
 * Being ours, the reader also reads the same in each release, as the fingerprints made from it must.
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

    private static final int LONGEST_NAME = 32;

    private final String html;
    private final int lastGreaterThan;
    private final TagAttributes attributes;
    private final Comments comments;
    private final RawContent raw;
    private final DataSection section;

    private int position;
    private String name = "";
    private int textStart;
    private int textEnd;
    private boolean rawNext;
    private boolean markup;

    MarkupReader(String html) {
        this.html = html;
        this.lastGreaterThan = html.lastIndexOf('>');
        this.attributes = new TagAttributes(html);
        this.comments = new Comments(html);
        this.raw = new RawContent(html, attributes, comments);
        this.section = new DataSection(html);
    }

    /** Name of the current tag, lowercase; after a text the name of the raw element it belongs to, else empty. */
    String name() {
        return name;
    }

    /** Value of an attribute of the current start tag, empty when it has none, null when the tag has no such attribute. */
    String attribute(String attribute) {
        return attributes.value(attribute);
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
            int end = raw.end(name, position);
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
            position = nextMarkup();
            if (position > textStart) {
                textEnd = position;
                return Token.TEXT;
            }
            markup = true;
            Token token = position == section.end() ? leaveSection() : readMarkup(position);
            if (token != null) {
                return token;
            }
            textStart = position;
        }
        return Token.EOF;
    }

    /** Where the next markup is; where there is none, the end of the section or the page. */
    private int nextMarkup() {
        boolean inSection = section.contains(position);
        int last = inSection ? section.lastGreaterThan() : lastGreaterThan;
        int open = html.indexOf('<', position);
        while (open >= 0 && open <= last && opensMarkup(open) == false) {
            open = html.indexOf('<', open + 1);
        }
        if (open >= 0 && open <= last) {
            return open;
        }
        return inSection ? section.end() : html.length();
    }

    private Token leaveSection() {
        position = section.leave();
        return null;
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
        name = html.substring(start, Math.min(position, start + LONGEST_NAME)).toLowerCase(Locale.ROOT);
        position = attributes.read(position, lastGreaterThan);
        if (end) {
            return Token.END;
        }
        rawNext = attributes.closeTheTag() == false && Tags.RAW.contains(name) && isTitleOfFeed() == false;
        return Token.START;
    }

    private boolean isTitleOfFeed() {
        return name.equals("title") && DataSection.opensAt(html, position);
    }

    private Token readDeclaration(int open) {
        if (html.startsWith("<!--", open)) {
            int end = comments.end(open);
            position = end < 0 ? open + 4 : end;
            return null;
        }
        if (DataSection.opensAt(html, open)) {
            position = section.enter(open);
            return null;
        }
        position = html.indexOf('>', open) + 1;
        return null;
    }

    static boolean isTagNameEnd(char c) {
        return TagAttributes.isSpace(c) || c == '>' || c == '/';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
