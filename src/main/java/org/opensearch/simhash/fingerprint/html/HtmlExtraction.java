/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.function.LongConsumer;

/**
 * Which part of an HTML text is fingerprinted: the values of the processor's option {@code html}.
 *
 * <p>Any input gives a result, in time proportional to its length: broken or hostile markup, fragments, and plain text, of
 * which only the character references change. What a page says about its charset is ignored, since it was decoded before. Thread-safe.
 */
public enum HtmlExtraction {

    /** The text is no HTML: left as it is. */
    NONE {
        @Override
        public String apply(String text, LongConsumer memory) {
            return text;
        }
    },

    /**
     * Tags, scripts and styles away, character references decoded: {@code <p>one<p>a<b>b</b>} becomes {@code one} and
     * {@code ab} on two lines.
     */
    TEXT {
        @Override
        public String apply(String html, LongConsumer memory) {
            return PlainText.of(html);
        }
    },

    /** As {@link #TEXT}, of the page's article only; of the whole page where nothing looks like an article. */
    MAIN {
        @Override
        public String apply(String html, LongConsumer memory) {
            return MainContent.of(html, memory);
        }
    };

    /** The text to fingerprint. */
    public String apply(String html) {
        return apply(html, bytes -> {});
    }

    /**
     * The text to fingerprint.
     *
     * @param memory is told the bytes of a page's tree before they are taken, and may refuse them with an exception; all that it
     *     was told is taken back, as a negative number, before this returns or fails
     */
    public abstract String apply(String html, LongConsumer memory);
}
