/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Locale;
import org.opensearch.simhash.core.html.RawContent.Comments;

/**
 * Reads HTML as start tags, end tags and texts: the tokenizer of the HTML standard, reduced to the needs of text
 * extraction. It never fails; text that is not markup is text.
 *
 * <p>Linear in time and memory for any markup. It replaces jsoup, which takes minutes for hostile pages of 5 MB
 * (docs/figures/decisions.md) and whose results may change with its release.
 *
 * <p>Where the standard drops the rest of the page (a comment, quote, tag or title without end), the opening is ignored
 * and the text is kept. Not thread-safe: one reader per page.
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

    /** Name of the current tag, lowercase. For a text: the raw element around it, or empty. */
    String name() {
        return name;
    }

    /** Value of an attribute of the current start tag; empty without value, null if missing. */
    String attribute(String attribute) {
        return attributes.value(attribute);
    }

    String text() {
        return CharacterReferences.decode(html, textStart, textEnd);
    }

    /** Whether any markup was read so far. */
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
            if (position == section.end()) {
                position = section.leave();
            } else {
                Token token = readMarkup(position);
                if (token != null) {
                    return token;
                }
            }
            textStart = position;
        }
        return Token.EOF;
    }

    /** Index of the next markup, or the end of the section or page. */
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

    private boolean opensMarkup(int open) {
        char next = open + 1 < html.length() ? html.charAt(open + 1) : ' ';
        return isLetter(next) || next == '/' || next == '!' || next == '?';
    }

    /** Reads the markup at {@code open} and moves past it. Returns null for a comment or declaration. */
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

    /**
     * The current CDATA section. Feeds and exports carry HTML in such sections, though HTML has none. The brackets are
     * dropped and the content is read as markup. The end of the section also ends a tag, so {@code a <b} stays text.
     */
    private static final class DataSection {

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
}
