/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.door;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestResponse;
import org.opensearch.simhash.request.Endpoint;

/**
 * A page as one file, the same for everybody. Its policy only allows its own script and style, by their hashes, and requests and
 * pictures of its own node. Immutable.
 */
public final class DoorPage {

    private static final String REVIEW = "/org/opensearch/simhash/review/";

    /** Where things are: {@code GET /_plugins/_simhash}. */
    public static final DoorPage FRONT = new DoorPage("door.html", "request.js", "indices.js", "door.js");

    /** Of one index: {@code GET /_plugins/_simhash/calibrate/{index}?format=html}. */
    public static final DoorPage CALIBRATE = new DoorPage("calibrate.html", "request.js", "calibrate.js");

    private final String html;
    private final String policy;

    private DoorPage(String page, String... scripts) {
        String style = read(REVIEW + "design.css") + read("door.css");
        String script = read(REVIEW + "server.js")
                + Arrays.stream(scripts).map(DoorPage::read).collect(Collectors.joining());
        this.html = read(page).replace("{{style}}", style).replace("{{script}}", script);
        this.policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                + "; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types 'none'";
    }

    private static String read(String name) {
        try (InputStream part = DoorPage.class.getResourceAsStream(name)) {
            return new String(part.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static String hash(String inline) {
        byte[] hash = MessageDigests.sha256().digest(inline.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    /** Answers with the page, whoever asks: what it shows, it asks for itself. */
    public Endpoint.Work work() {
        return (request, names, client) -> channel -> channel.sendResponse(response());
    }

    public RestResponse response() {
        RestResponse response =
                new BytesRestResponse(RestStatus.OK, "text/html; charset=UTF-8", html.getBytes(StandardCharsets.UTF_8));
        Map.of(
                        "Content-Security-Policy", policy,
                        "X-Content-Type-Options", "nosniff",
                        "X-Frame-Options", "DENY",
                        "Referrer-Policy", "no-referrer",
                        "Cache-Control", "no-store")
                .forEach(response::addHeader);
        return response;
    }
}
