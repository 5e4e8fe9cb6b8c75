/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.nodes.Entities;

/** Sets an article as the page of a weblog would: the same text, other neighbours. */
final class OtherLayout {

    private static final int OPENING = 200;
    private static final int TEASERS = 6;

    private OtherLayout() {}

    /** A page with text {@code i}, whose teasers and comments open as the texts behind it in the list do. */
    static String page(List<String> texts, int i) {
        String teasers = IntStream.rangeClosed(1, TEASERS)
                .mapToObj(k -> opening(texts.get((i + k) % texts.size())))
                .map(text -> "<li><h4><a href='/other'>" + text.substring(0, text.length() / 4) + "</a></h4><p>" + text
                        + "</p></li>")
                .collect(Collectors.joining("\n"));
        String article = texts.get(i)
                .lines()
                .filter(line -> line.isBlank() == false)
                .map(line -> "<p>" + Entities.escape(line) + "</p>")
                .collect(Collectors.joining("\n"));
        return """
                <html><head><title>A weblog</title></head><body>
                <div id="header"><a href="/">A weblog</a> <a href="/about">About</a> <a href="/archive">Archive</a></div>
                <div class="wrapper"><div class="left"><div class="post"><h1>A post</h1><div class="post-meta">today, by somebody</div>
                """
                + article
                + "<div class='share'><a href='#'>Share</a></div></div><div id='comments'><p>"
                + opening(texts.get((i + TEASERS + 1) % texts.size()))
                + "</p></div></div><div class='right'><h3>Other posts</h3><ul>"
                + teasers
                + "</ul></div></div><div id='footer'>Made by somebody. No rights reserved.</div></body></html>";
    }

    private static String opening(String text) {
        return Entities.escape(text.substring(0, Math.min(OPENING, text.length())));
    }
}
