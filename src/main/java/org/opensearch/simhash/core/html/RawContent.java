/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the end of a raw element ({@link Tags#RAW}): its end tag. Nested elements are matched; a graphic also ends
 * where the standard says that HTML continues.
 *
 * <p>Linear: each search either consumes its range as content or, when it fails, is not repeated.
 */
final class RawContent {

    private static final Set<String> NESTING = Set.of("audio", "object", "svg", "template", "video");

    private static final String GRAPHIC = "svg";

    /** Tags that graphics do not have. If one appears, the graphic was never closed. */
    private static final Set<String> NOT_IN_GRAPHICS = Set.of("""
            b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
            meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var""".split("\\s+"));

    private static final Set<String> HTML_IN_GRAPHICS = Set.of("desc", "foreignobject", "title");

    private static final int LONGEST_NAME = "foreignobject".length();

    private final String html;
    private final int lastGreaterThan;
    private final TagAttributes attributes;
    private final Comments comments;
    private final Set<String> neverClosed = new HashSet<>();
    private final Set<String> notNested = new HashSet<>();
    private int next;

    /** @param attributes forgets the start tag of the raw element */
    RawContent(String html, TagAttributes attributes, Comments comments) {
        this.html = html;
        this.lastGreaterThan = html.lastIndexOf('>');
        this.attributes = attributes;
        this.comments = comments;
    }

    /** End of the content that begins at {@code start}. An unclosed element is empty, except scripts and styles. */
    int end(String element, int start) {
        if (neverClosed.contains(element) == false) {
            int end =
                    NESTING.contains(element) && notNested.contains(element) == false ? nestedEnd(element, start) : -1;
            end = end < 0 ? firstEnd(element, start) : end;
            if (end >= 0) {
                return end;
            }
        }
        return element.equals("script") || element.equals("style") ? html.length() : start;
    }

    private int firstEnd(String element, int start) {
        for (int at = html.indexOf("</", start); at >= 0; at = html.indexOf("</", at + 2)) {
            if (isNamed(element, at + 2)) {
                return at;
            }
        }
        neverClosed.add(element);
        return -1;
    }

    private int nestedEnd(String element, int start) {
        int open = 1;
        int openHtml = 0;
        next = start;
        for (int at = nextTag(); at >= 0; at = nextTag()) {
            boolean closes = html.charAt(at + 1) == '/';
            String name = nameAt(closes ? at + 2 : at + 1);
            if (name.equals(element)) {
                open += closes ? -1 : opened(name);
                if (open == 0) {
                    return at;
                }
            } else if (element.equals(GRAPHIC)) {
                if (HTML_IN_GRAPHICS.contains(name)) {
                    openHtml = Math.max(0, openHtml + (closes ? -1 : opened(name)));
                } else if (openHtml == 0 && NOT_IN_GRAPHICS.contains(name)) {
                    return at;
                }
            }
        }
        notNested.add(element);
        return -1;
    }

    /** Next possible tag outside comments, or -1. */
    private int nextTag() {
        while (true) {
            int at = html.indexOf('<', next);
            if (at < 0 || at > lastGreaterThan) {
                return -1;
            }
            int comment = html.startsWith("<!--", at) ? comments.end(at) : -1;
            if (comment < 0) {
                next = at + 1;
                return at;
            }
            next = comment;
        }
    }

    /** Reads the rest of the start tag. Returns the number of elements that it opens, 1 or 0. */
    private int opened(String name) {
        next = attributes.read(next + name.length(), lastGreaterThan);
        return attributes.closeTheTag() ? 0 : 1;
    }

    private String nameAt(int start) {
        int end = start;
        int furthest = Math.min(html.length(), start + LONGEST_NAME + 1);
        while (end < furthest && MarkupReader.isTagNameEnd(html.charAt(end)) == false) {
            end++;
        }
        return html.substring(start, end).toLowerCase(Locale.ROOT);
    }

    private boolean isNamed(String element, int start) {
        int end = start + element.length();
        return html.regionMatches(true, start, element, 0, element.length())
                && end < html.length()
                && MarkupReader.isTagNameEnd(html.charAt(end));
    }

    /** Finds the ends of comments. Linear: after a comment without end, it searches no more. */
    static final class Comments {

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
}
