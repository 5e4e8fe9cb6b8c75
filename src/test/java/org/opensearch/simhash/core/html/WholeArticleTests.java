/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Articles in several blocks, and blocks that only look like their parts. */
class WholeArticleTests {

    private static final String SENTENCE =
            "The ferry leaves at seven, and whoever comes a minute late, be it the mayor, waits on the pier until noon. ";

    private static final String BODY = ("<p>" + SENTENCE.repeat(3) + "</p>").repeat(5);

    private static final String BODY_TEXT = HtmlExtraction.TEXT.apply(BODY);

    private static final String CLOSING =
            "In the end nobody was hurt, and whoever had waited in vain got a coffee from the captain of the ferry.";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div id=page><h1>T</h1><div>%s</div><p>%s</p></div>",
                "<div id=page><h1>T</h1><div class=wrap><div class=inner>%s</div></div><p>%s</p></div>",
                "<div id=page><h1>T</h1><div><div><div><div>%s</div></div></div></div>%s</div>",
                "<div id=page><h1>T</h1><div><aside>Ad</aside><div>%s</div></div><blockquote>%s</blockquote></div>",
            })
    void testClosingParagraphsBehindWrappersAreKept(String markup) {
        String page = String.format(Locale.ROOT, markup, BODY, CLOSING);
        assertEquals("T\n" + BODY_TEXT + "\n" + CLOSING, HtmlExtraction.MAIN.apply(page));
    }

    @Test
    void testAnIntroductionWithoutHeadlineInFrontOfAWrapperIsKept() {
        String page = "<div><p>" + CLOSING + "</p><div><div>" + BODY + "</div></div></div>";
        assertEquals(CLOSING + "\n" + BODY_TEXT, HtmlExtraction.MAIN.apply(page));
    }

    /** The lead itself is, and the picture's credit beside it is not. */
    @Test
    void testALeadInFrontOfAWrapperMakesTheBlockAroundItNoPartOfTheArticle() {
        String page = "<div><h1>T</h1><div>Example Pictures</div><p>" + CLOSING + "</p><div><div>" + BODY
                + "</div></div></div>";
        assertEquals(CLOSING + "\n" + BODY_TEXT, HtmlExtraction.MAIN.apply(page));
    }

    @Test
    void testUnequalParagraphsThatAreBlocksAreKeptTogether() {
        String other = "<div class=t>" + SENTENCE + "It was long ago, and so it goes.</div>";
        String page = "<div id=text><div class=t>" + SENTENCE.repeat(18) + "</div>" + other.repeat(6)
                + "</div><div>Contact</div>";
        assertEquals(7, HtmlExtraction.MAIN.apply(page).lines().count());
    }
}
