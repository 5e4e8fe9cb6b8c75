/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How many of some texts are HTML: they begin with a tag, and end with one unless a page was cut off. A text about HTML, source code and
 * Markdown are none. One thread.
 */
public final class MarkupCounts {

    private static final int LOOKED_AT = 50_000;

    private static final int FEWEST_TAGS = 3;

    /** Most part of a text that people read. */
    private static final double MOST_SHOWN = 0.9;

    /** Least part of the texts for which the option is worth it. */
    private static final double LEAST_TEXTS = 0.2;

    /** No page begins before these. */
    private static final Set<String> FIRST = Set.of("html", "head", "body", "title", "meta", "link", "base");

    private static final Set<String> OF_PAGES = Set.of("nav", "header", "footer", "main", "article", "aside");

    private static final Set<String> INLINE =
            Set.of("a", "b", "br", "em", "font", "i", "img", "script", "span", "strong", "style");

    private int texts;
    private int marked;
    private int pages;
    private String example;

    /** @param text null or blank for none */
    public void add(String text) {
        if (text == null || text.isBlank()) {
            return;
        }
        texts++;
        int shown = 0;
        int tags = 0;
        boolean isPage = false;
        boolean isWhole = text.stripTrailing().endsWith(">");
        String beginning = text.substring(0, Math.min(text.length(), LOOKED_AT));
        MarkupReader reader = new MarkupReader(beginning);
        for (MarkupReader.Token token = reader.next(); token != MarkupReader.Token.EOF; token = reader.next()) {
            String name = reader.name();
            if (token == MarkupReader.Token.TEXT) {
                shown += Tags.showsText(name) ? reader.text().strip().length() : 0;
                if (tags == 0 && shown > 0) {
                    return;
                }
            } else if (token == MarkupReader.Token.START) {
                boolean isFirst = FIRST.contains(name);
                if (isFirst || Tags.isBlock(name) || INLINE.contains(name)) {
                    isWhole |= tags == 0 && isFirst;
                    tags++;
                }
                isPage |= isFirst || OF_PAGES.contains(name);
            }
        }
        if (isWhole && tags >= FEWEST_TAGS && shown <= MOST_SHOWN * beginning.length()) {
            marked++;
            pages += isPage ? 1 : 0;
            example = example == null ? text : example;
        }
    }

    public HtmlExtraction suiting() {
        return marked == 0 || marked < LEAST_TEXTS * texts
                ? HtmlExtraction.NONE
                : 2 * pages >= marked ? HtmlExtraction.MAIN : HtmlExtraction.TEXT;
    }

    /** The same as a value of {@code html}. */
    public String option() {
        return suiting().toString().toLowerCase(Locale.ROOT);
    }

    /** A text with markup; null if there is none. */
    public String example() {
        return example;
    }

    /** What is wrong if markup is compared; empty if all is well. */
    public Optional<String> warning() {
        return suiting() == HtmlExtraction.NONE
                ? Optional.empty()
                : Optional.of(this + ", whose tags are compared like words: [html] " + option() + " leaves them out");
    }

    @Override
    public String toString() {
        return marked + " of " + texts + " texts looked at are "
                + (suiting() == HtmlExtraction.MAIN ? "pages of HTML" : "HTML");
    }
}
