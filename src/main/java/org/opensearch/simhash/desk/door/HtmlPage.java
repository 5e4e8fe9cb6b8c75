/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.door;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.transport.client.node.NodeClient;

/** A page as one file, the same for everybody. Its policy only allows its own script and style, and requests to its own node. */
public final class HtmlPage {

    /** Indentation, comments and empty lines, which browsers do not need. No string of the resources has several lines. */
    private static final Pattern FOR_READERS =
            Pattern.compile("^ *//.*\n|^ +|(?<=[;{,]) // .*$|^/\\*[^!](?:.|\n)*?\\*/\n|^\n", Pattern.MULTILINE);

    /** Ends of lines that end nothing. */
    private static final Pattern LINES = Pattern.compile("(?<=[{(\\[,;])\n|;?\n(?=[})\\]])");

    /** Spaces in styles, where they part nothing. */
    private static final Pattern SPACES = Pattern.compile("(?<=[{:;,]) (?!\")| (?=[{}])");

    private static final String IN_REVIEW = "/org/opensearch/simhash/desk/review/";
    private static final String OF_DOOR = "; img-src 'self'; trusted-types 'none'";

    /** What differs between two texts. Other names within it are its own. */
    private static final String DIFFERENCES =
            "const differences = (() => {\n" + read(ofReview("diff", "words", "difference"))
                    + "return (left, right) => difference(left, cutWords(left), right, BLOCK_PATIENCE);\n})();\n";

    /** Where things are: {@code GET /_plugins/_simhash}. */
    public static final HtmlPage FRONT = new HtmlPage(
            "door.html",
            "door.css",
            OF_DOOR,
            "",
            DIFFERENCES,
            "request.js",
            "indices.js",
            "judge.js",
            "steps.js",
            "door.js");

    /** Of one index: {@code GET /_plugins/_simhash/calibrate/{index}?format=html}. */
    public static final HtmlPage CALIBRATE =
            new HtmlPage("calibrate.html", "door.css", OF_DOOR, "", "", "request.js", "judge.js", "calibrate.js");

    /** What the page of groups reads from its address. */
    private static final Set<String> PARAMETERS = Set.of(new String[] {
        "run", "text", "columns", "decision", "min_similarity", "max_similarity", "min_size", "max_size",
        "q", "value", "claimed_by", "sample", "seed", "group", "member", "difference"
    });

    /** Of the groups of jobs: {@code GET /_plugins/_simhash/review/{dest}}. Each script uses what those before it declare. */
    public static final HtmlPage REVIEW = new HtmlPage(
            IN_REVIEW + "page.html",
            IN_REVIEW + "page.css",
            "; worker-src blob:; trusted-types simhash-worker",
            read(ofReview("diff", "words", "passages", "difference", "worker")),
            "",
            ofReview(
                    "texts", "groups", "view", "places", "list", "members", "marks", "show", "decide", "bulk", "finish",
                    "print", "work", "keys"));

    private final String html;
    private final String policy;

    private HtmlPage(String page, String css, String more, String worker, String before, String... scripts) {
        String style = SPACES.matcher(read(IN_REVIEW + "design.css", css)).replaceAll("");
        String script = before + read(IN_REVIEW + "server.js") + read(scripts);
        this.html = read(page)
                .replace("{{worker}}", worker)
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        this.policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                + "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'" + more;
    }

    private static String[] ofReview(String... scripts) {
        return Arrays.stream(scripts).map(name -> IN_REVIEW + name + ".js").toArray(String[]::new);
    }

    private static String read(String... names) {
        StringBuilder joined = new StringBuilder();
        for (String name : names) {
            try (InputStream part = HtmlPage.class.getResourceAsStream(name)) {
                joined.append(new String(part.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(name, e);
            }
        }
        return LINES.matcher(FOR_READERS.matcher(joined).replaceAll("")).replaceAll("");
    }

    private static String hash(String inline) {
        byte[] hash = MessageDigests.sha256().digest(inline.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    public String html() {
        return html;
    }

    public String policy() {
        return policy;
    }

    public static CheckedConsumer<RestChannel, Exception> review(
            RestRequest request, String[] names, NodeClient client) {
        PARAMETERS.forEach(request::param);
        return REVIEW::send;
    }

    public void send(RestChannel channel) {
        RestResponse response =
                new BytesRestResponse(RestStatus.OK, "text/html; charset=UTF-8", html.getBytes(StandardCharsets.UTF_8));
        response.addHeader("Content-Security-Policy", policy);
        response.addHeader("X-Content-Type-Options", "nosniff");
        response.addHeader("X-Frame-Options", "DENY");
        response.addHeader("Referrer-Policy", "no-referrer");
        response.addHeader("Cache-Control", "no-store");
        channel.sendResponse(response);
    }
}
