/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.opensearch.common.hash.MessageDigests;

/**
 * Joins the resources of the page into one file, the same for everybody. Its policy only allows its own script and style, by
 * their hashes, and requests to its own node. Immutable.
 */
final class ReviewPage {

    private static final String BETWEEN = "\n";

    private final String live;
    private final String livePolicy;
    private final String beforeData;
    private final String afterData;

    ReviewPage() {
        String style = read("page.css");
        String script = read("server.js") + BETWEEN + read("texts.js") + BETWEEN + read("review.js");
        String worker = read("diff.min.js") + BETWEEN + read("words.js") + BETWEEN + read("difference.js");
        String page = read("page.html")
                .replace("{{worker}}", worker)
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        String sources = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                + "; worker-src blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script';"
                + " trusted-types simhash-worker";
        this.livePolicy = sources + "; connect-src 'self'; frame-ancestors 'none'";
        this.live = page.replace("{{policy}}", "").replace("{{data}}", "");
        String meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"" + sources + "\">\n";
        String[] around = page.replace("{{policy}}", meta).split("\\{\\{data}}", 2);
        this.beforeData = around[0];
        this.afterData = around[1];
    }

    private static String read(String name) {
        try (InputStream part = ReviewPage.class.getResourceAsStream(name)) {
            return new String(part.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static String hash(String inline) {
        byte[] hash = MessageDigests.sha256().digest(inline.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    String live() {
        return live;
    }

    String livePolicy() {
        return livePolicy;
    }

    /**
     * A file with data and policy.
     *
     * @param json the data; each {@code <} is escaped, so that it contains no markup
     */
    String report(String json) {
        return beforeData + json.replace("<", "\\u003c") + afterData;
    }
}
