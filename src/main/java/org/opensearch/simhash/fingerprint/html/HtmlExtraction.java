/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.function.LongConsumer;

/**
 * The part of an HTML text that is fingerprinted: the values of the processor's option {@code html}.
 *
 * <p>Any input gives a result in linear time, even broken or hostile markup. In plain text only character references
 * change. A declared charset is ignored, since the text is already decoded. Thread-safe.
 */
public enum HtmlExtraction {

    /** Not HTML: the text stays. */
    NONE {
        @Override
        public String apply(String text, LongConsumer memory) {
            return text;
        }
    },

    /**
     * Removes tags, scripts and styles, and decodes character references: {@code <p>one<p>a<b>b</b>} becomes
     * {@code one} and {@code ab} on two lines.
     */
    TEXT {
        @Override
        public String apply(String html, LongConsumer memory) {
            return PlainText.of(html);
        }
    },

    /** Like {@link #TEXT}, for the article only, or the whole page if no article is found. */
    MAIN {
        @Override
        public String apply(String html, LongConsumer memory) {
            return MainContent.of(html, memory);
        }
    };

    public String apply(String html) {
        return apply(html, bytes -> {});
    }

    /** @param memory accounts for the page's tree; all is given back before this method returns or fails */
    public abstract String apply(String html, LongConsumer memory);
}
