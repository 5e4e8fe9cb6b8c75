/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.util.regex.Pattern;
import org.opensearch.simhash.desk.request.Html;

/**
 * Joins the resources of the page into one file, the same for everybody. Its policy only allows its own script and style, by
 * their hashes, and requests to its own node. Immutable.
 */
final class ReviewPage {

    /** In this order: each uses what those before it declare. */
    private static final String[] SCRIPT = {
        "server.js",
        "texts.js",
        "groups.js",
        "view.js",
        "places.js",
        "list.js",
        "members.js",
        "marks.js",
        "show.js",
        "decide.js",
        "bulk.js",
        "finish.js",
        "print.js",
        "keys.js"
    };

    /** Indentation, comments and empty lines, which browsers do not need. No string of the resources has several lines. */
    private static final Pattern FOR_READERS =
            Pattern.compile("^ *//.*\n|^ +|(?<=[;{,]) // .*$|^/\\*[^!](?:.|\n)*?\\*/\n|^\n", Pattern.MULTILINE);

    /** Ends of lines that end nothing. */
    private static final Pattern LINES = Pattern.compile("(?<=[{(\\[,;])\n|;?\n(?=[})\\]])");

    /** Spaces in styles, where they part nothing. */
    private static final Pattern SPACES = Pattern.compile("(?<=[{:;,]) (?!\")| (?=[{}])");

    private final String html;
    private final String policy;

    ReviewPage() {
        String style = SPACES.matcher(read("design.css", "page.css")).replaceAll("");
        String script = read(SCRIPT);
        String worker = read("diff.js", "words.js", "passages.js", "difference.js");
        this.html = read("page.html")
                .replace("{{worker}}", worker)
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        this.policy = "default-src 'none'; script-src " + Html.hash(script) + "; style-src " + Html.hash(style)
                + "; worker-src blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script';"
                + " trusted-types simhash-worker; connect-src 'self'; frame-ancestors 'none'";
    }

    private static String read(String... names) {
        String code = FOR_READERS.matcher(Html.read(ReviewPage.class, names)).replaceAll("");
        return LINES.matcher(code).replaceAll("");
    }

    String html() {
        return html;
    }

    String policy() {
        return policy;
    }
}
