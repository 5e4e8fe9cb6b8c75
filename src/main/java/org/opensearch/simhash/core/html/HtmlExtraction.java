/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.function.LongConsumer;
import org.opensearch.simhash.core.html.PageReader.RunBuilder;

/**
 * The part of an HTML text that is fingerprinted: the values of the processor's option {@code html}.
 *
 * <p>Any input gives a result in linear time, even broken or hostile markup. In plain text only character references
 * change. A declared charset is ignored, since the text is already decoded. Thread-safe.
 */
public enum HtmlExtraction {

    /** Not HTML: the text stays. */
    NONE,

    /**
     * Removes tags, scripts and styles, and decodes character references: {@code <p>one<p>a<b>b</b>} becomes
     * {@code one} and {@code ab} on two lines.
     */
    TEXT,

    /** Like {@link #TEXT}, for the article only, or the whole page if no article is found. */
    MAIN;

    /**
     * A whole page: what {@link #MAIN} keeps, and what it leaves out.
     *
     * @param withLinks whether texts that are mostly links are part of it, such as menus
     */
    public static String page(String html, boolean withLinks, LongConsumer memory) {
        return withLinks ? PlainText.of(html) : MainContent.withoutLinks(html, memory);
    }

    public String apply(String html) {
        return apply(html, bytes -> {});
    }

    /** @param memory accounts for the page's tree; all is given back before this method returns or fails */
    public String apply(String html, LongConsumer memory) {
        return switch (this) {
            case NONE -> html;
            case TEXT -> PlainText.of(html);
            case MAIN -> MainContent.of(html, memory);
        };
    }

    /** All texts of a page, one line per block. Inline elements do not split words. */
    static final class PlainText {

        private final MarkupReader reader;
        private final RunBuilder run = new RunBuilder();
        private final StringBuilder lines = new StringBuilder();
        private int preformatted;

        private PlainText(String html) {
            this.reader = new MarkupReader(html);
        }

        static String of(String html) {
            return hasMarkup(html) ? new PlainText(html).read() : CharacterReferences.decode(html, 0, html.length());
        }

        /** False for plain text, in which white space has meaning. */
        static boolean hasMarkup(String html) {
            MarkupReader reader = new MarkupReader(html);
            reader.next();
            reader.next();
            return reader.sawMarkup();
        }

        private String read() {
            for (MarkupReader.Token token = reader.next(); token != MarkupReader.Token.EOF; token = reader.next()) {
                if (token == MarkupReader.Token.TEXT) {
                    if (Tags.showsText(reader.name())) {
                        run.append(reader.text(), false, preformatted > 0);
                    }
                } else if (reader.name().equals("br")) {
                    run.lineBreak();
                } else if (Tags.isBlock(reader.name())) {
                    endLine();
                    if (reader.name().equals("pre")) {
                        preformatted = Math.max(0, preformatted + (token == MarkupReader.Token.START ? 1 : -1));
                    }
                }
            }
            endLine();
            return lines.toString();
        }

        private void endLine() {
            TextRun line = run.take();
            if (line != null) {
                lines.append(lines.isEmpty() ? "" : "\n").append(line.text());
            }
        }
    }
}
