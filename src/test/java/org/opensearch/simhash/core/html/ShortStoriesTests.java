/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages whose story has fewer words than what asks for consent, subscriptions and clicks around it. */
class ShortStoriesTests {

    private static final List<String> STORIES = List.of(
            "The footbridge at the old mill is closed until Friday. A plank broke under a cyclist, who was not hurt.",
            "Der Wochenmarkt fällt am Samstag aus, weil der Platz neu gepflastert wird; die Händler stehen am Bahnhof.",
            "The library opens an hour earlier from Monday on. Readers had asked for it in two hundred letters, and the council"
                    + " found the money in the budget for street lamps.",
            "昨天晚上八点，河边的旧桥因为一块木板断裂而关闭，修理工作将持续到星期五，行人可以从新桥过河。",
            "The ferry does not run today.\nHigh water has taken the landing stage away, and nobody knows where it is.");

    private static final String CONSENT =
            "<h2>We value your privacy</h2><p>We and our partners store and access information on a"
                    + " device, such as unique identifiers, and process personal data, such as browsing data, to show personalised"
                    + " content, to measure its performance, and to learn about those who read it.</p><p>You may accept all of this,"
                    + " refuse it, or choose what you agree to for each of the purposes that are listed below. Some of our partners do"
                    + " not ask for your consent and rely on their legitimate interest. Your choice applies to this site only, and you"
                    + " can change it at any time with a click on the small shield at the bottom of each page.</p>"
                    + "<button>Accept all</button> <button>Manage choices</button>";

    private static final String LETTER =
            "<h3>Never miss a story</h3><p>Each morning at six we send you the five stories that matter"
                    + " for the day, free of charge and without advertisements; more than ninety thousand people begin their day with"
                    + " it, and you can leave at any time with a single click.</p><form><input type=email><button>Sign up</button></form>";

    private static final String NAVIGATION =
            "<header><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a>"
                    + "</ul></nav></header>";

    private static final String RELATED =
            "<section class=related><h3>More stories</h3><ul><li><a href=/1>A bridge that nobody crosses"
                    + " any more since the war</a><li><a href=/2>Why the market moved twice in ten years</a></ul></section>";

    private static final String FOOTER =
            "<footer><p>The Valley Post, Mill Street 3. All rights reserved, also those of translation and"
                    + " of reproduction in whole or in part.</p></footer>";

    /** Named in one of the ways that sites and consent tools name them. */
    private static final List<String> NAMED = List.of(
            "<div class=cookie-banner>%s</div>",
            "<div id=onetrust-consent-sdk><div class=otFlat>%s</div></div>",
            "<section id=CookieNotice><div>%s</div></section>",
            "<div class='gdpr__overlay modal'>%s</div>",
            "<div role=dialog>%s</div>",
            "<div role=alertdialog class=box>%s</div>",
            "<dialog open>%s</dialog>",
            "<div role=region aria-label='Cookie banner'>%s</div>",
            "<div style='position: fixed; bottom: 0'>%s</div>",
            "<aside>%s</aside>",
            "<div id=usercentrics-root>%s</div>");

    private static final String UNNAMED = "<div class=x17><div>%s</div></div>";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<main>%s</main>",
                "<main><article>%s</article></main>",
                "<main><div><div class=c3>%s</div></div></main>",
                "<article>%s</article>",
                "<div role=main>%s</div>",
                "<div class=article-body>%s</div>",
                "<div id=content><div class=story>%s</div></div>",
                "<div>%s</div>",
                "<div class=a><div class=b>%s</div></div>",
                "%s"
            })
    void testAConsentBannerIsDroppedWhereverTheStoryIs(String container) {
        for (String story : STORIES) {
            String held = format(container, paragraphs(story));
            for (String banner : NAMED) {
                String named = format(banner, CONSENT);
                assertStory(story, named + NAVIGATION + held + FOOTER);
                assertStory(story, NAVIGATION + held + RELATED + FOOTER + named);
                assertStory(story, "<div class=page>" + NAVIGATION + held + "</div>" + named);
            }
            String letter = "<div class='newsletter-signup box'>" + LETTER + "</div>";
            assertStory(story, NAVIGATION + held + letter + RELATED + FOOTER);
            assertStory(story, NAVIGATION + letter + held + FOOTER + format(NAMED.getFirst(), CONSENT));
        }
    }

    /** Even without a name: the page says where its story is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<main>%s</main>",
                "<main><article>%s</article></main>",
                "<main class=site-main><div class=entry>%s</div></main>",
                "<article>%s</article>",
                "<div role=main>%s</div>",
                "<div><article class=post-17>%s</article></div>"
            })
    void testWhatIsBesideTheDeclaredStoryIsDropped(String container) {
        for (String story : STORIES) {
            String held = format(container, paragraphs(story));
            for (String other : List.of(CONSENT, LETTER)) {
                String unnamed = format(UNNAMED, other);
                assertStory(story, unnamed + NAVIGATION + held + FOOTER);
                assertStory(story, NAVIGATION + held + RELATED + unnamed + FOOTER);
                assertStory(story, "<div class=page>" + NAVIGATION + held + unnamed + "</div>" + FOOTER);
            }
        }
    }

    @Test
    void testABoxInsideTheDeclaredStoryIsDropped() {
        for (String story : STORIES) {
            for (String box : List.of(
                    "<div class=newsletter>" + LETTER + "</div>",
                    "<div class=cookie-wall>" + CONSENT + "</div>",
                    RELATED)) {
                assertStory(story, NAVIGATION + "<main>" + paragraphs(story) + box + "</main>" + FOOTER);
                assertStory(
                        story, NAVIGATION + "<main>" + box + "<div>" + paragraphs(story) + "</div></main>" + FOOTER);
            }
        }
    }

    /** Names that tell what else there is, and a page about consent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div class=cookies-accepted><div>%s</div></div>",
                "<main class=cookie-policy>%s</main>",
                "<article class=newsletter-archive>%s</article>",
                "<div class='page with-newsletter'><p>%s</p></div>",
                "<div class=subscriber-content><h1>The text</h1>%s</div>",
                "<div role=dialog>%s</div>",
                "<div class=cookie-banner>%s</div>"
            })
    void testWhatHoldsTheTextOfThePageIsKept(String container) {
        String text =
                HtmlExtraction.MAIN.apply(NAVIGATION + format(container, CONSENT) + "<footer>The Valley Post</footer>");
        assertTrue(text.contains("change it at any time"), text);
    }

    /** An article in a block with such a name has the length of one. */
    @Test
    void testALongArticleIsKeptWhateverItsBlockIsCalled() {
        String article = "<p>" + (STORIES.get(2) + " ").repeat(12) + "</p>";
        for (String container : NAMED) {
            if (container.startsWith("<aside") || container.contains("ialog")) {
                continue; // elements and roles count more than names
            }
            String text = HtmlExtraction.MAIN.apply(NAVIGATION + format(container, article) + FOOTER);
            assertTrue(text.contains("two hundred letters"), container + text);
        }
    }

    private static void assertStory(String story, String body) {
        String page =
                "<!doctype html><html><head><title>The Valley Post</title></head><body>" + body + "</body></html>";
        assertEquals(story, HtmlExtraction.MAIN.apply(page), page);
    }

    private static String paragraphs(String story) {
        List<String> paragraphs = new ArrayList<>();
        story.lines().forEach(line -> paragraphs.add("<p>" + line + "</p>"));
        return String.join("\n", paragraphs);
    }

    private static String format(String markup, String inner) {
        return String.format(Locale.ROOT, markup, inner);
    }
}
