/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that hold the article although they say something else, and blocks that outweigh it and tell the truth. */
class MisnamedBlocksTests {

    private static final String SENTENCE =
            "The ferry leaves at seven, and whoever comes a minute late, be it the mayor, waits on the pier until noon. ";

    private static final String ABOUT =
            "Founded in a garage by three people, the company looks back on many years and forward to as many more. ";

    private static final String ARTICLE = IntStream.rangeClosed(1, 6)
            .mapToObj(i -> "<p>" + i + ". " + SENTENCE.repeat(8) + "</p>")
            .collect(Collectors.joining("\n"));

    private static final String ARTICLE_TEXT = HtmlExtraction.TEXT.apply(ARTICLE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div class='content with-sidebar'>%s</div>",
                "<div class='row has-sidebar'><div><div class=left>%s</div></div></div>",
                "<div class='row has-sidebar'><div><article>%s</article></div></div>",
                "<div class=layout-sidebar>%s</div>",
                "<div class=commentary>%s</div>",
                "<div id=login-required>%s</div>",
                "<div class=sponsored-story>%s</div>",
            })
    void testNamesDoNotOutweighAnArticleWithAParagraphAboutTheSiteBesideIt(String markup) {
        String page = "<h1>Title</h1>" + String.format(Locale.ROOT, markup, ARTICLE) + "<div class=about><p>"
                + ABOUT.repeat(8) + "</p></div>";
        assertEquals(ARTICLE_TEXT, HtmlExtraction.MAIN.apply(page));
    }

    /** However much is beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"content with-sidebar", "has-related", "withComments", "commentary", "wine-commentaries"})
    void testNamesOfWhatIsInsideOrBelongsToNoReaderSayNothingAboutTheBlock(String name) {
        String page = "<h1>Title</h1><div class='" + name + "'>" + ARTICLE + "</div><div class=about><p>"
                + ABOUT.repeat(16) + "</p></div>";
        assertEquals(ARTICLE_TEXT, HtmlExtraction.MAIN.apply(page));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<nav><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul><div id=content><h1>T</h1>%s</div>",
                "<div role=dialog><article><h1>T</h1>%s</article></div>",
                "<aside><h1>T</h1>%s</aside>",
                "<div role=banner><div class=entry-content>%s</div></div>",
            })
    void testElementsAndRolesDoNotOutweighTheArticleWithItsHeadline(String markup) {
        String page = "<div class=top>" + ABOUT.repeat(5) + "</div>" + String.format(Locale.ROOT, markup, ARTICLE);
        assertEquals(
                "T\n" + ARTICLE_TEXT, "T\n" + HtmlExtraction.MAIN.apply(page).replaceFirst("^T\n", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<ol class=comments>%s</ol>",
                "<div id=related>%s</div>",
                "<aside>%s</aside>",
                "<div role=complementary>%s</div>",
            })
    void testTenTimesTheArticleIsStillNoneOfIt(String markup) {
        String comment = "<li><p>" + ABOUT.repeat(4) + "</p></li>";
        String page =
                "<h1>Title</h1><div>" + ARTICLE + "</div>" + String.format(Locale.ROOT, markup, comment.repeat(150));
        assertEquals(ARTICLE_TEXT, HtmlExtraction.MAIN.apply(page));
    }

    @Test
    void testAConsentDialogWithItsOwnHeadlineIsNotTheArticle() {
        String text = "<p>" + SENTENCE.repeat(8) + "</p>";
        String page = "<div role=dialog><h1>Privacy</h1><p>" + ABOUT.repeat(30) + "</p></div><h1>Title</h1><div>" + text
                + "</div>";
        assertEquals(HtmlExtraction.TEXT.apply(text), HtmlExtraction.MAIN.apply(page));
    }
}
