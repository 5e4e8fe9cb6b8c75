/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.door;

import org.opensearch.rest.RestChannel;
import org.opensearch.simhash.desk.request.Html;

/**
 * A page as one file, the same for everybody. Its policy only allows its own script and style, by their hashes, and requests and
 * pictures of its own node. Immutable.
 */
public final class DoorPage {

    private static final String REVIEW = "/org/opensearch/simhash/desk/review/";

    /** Where things are: {@code GET /_plugins/_simhash}. */
    public static final DoorPage FRONT =
            new DoorPage("door.html", "request.js", "indices.js", "judge.js", "steps.js", "door.js");

    /** Of one index: {@code GET /_plugins/_simhash/calibrate/{index}?format=html}. */
    public static final DoorPage CALIBRATE = new DoorPage("calibrate.html", "request.js", "judge.js", "calibrate.js");

    private final String html;
    private final String policy;

    private DoorPage(String page, String... scripts) {
        String style = Html.read(DoorPage.class, REVIEW + "design.css", "door.css");
        String script = Html.read(DoorPage.class, REVIEW + "server.js") + Html.read(DoorPage.class, scripts);
        this.html = Html.read(DoorPage.class, page).replace("{{style}}", style).replace("{{script}}", script);
        this.policy = "default-src 'none'; script-src " + Html.hash(script) + "; style-src " + Html.hash(style)
                + "; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types 'none'";
    }

    /** Answers with the page, whoever asks: what it shows, it asks for itself. */
    public void send(RestChannel channel) {
        channel.sendResponse(Html.response(html, policy));
    }
}
