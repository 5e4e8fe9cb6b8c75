/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import org.jsoup.Jsoup;

/** What of HTML is text. */
public enum HtmlExtraction {
    NONE {
        @Override
        public String apply(String html) {
            return html;
        }
    },
    TEXT {
        @Override
        public String apply(String html) {
            return Jsoup.parse(html).text();
        }
    },
    MAIN {
        @Override
        public String apply(String html) {
            return Jsoup.parse(html).text();
        }
    };

    public abstract String apply(String html);
}
