/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainContentTests {

    private static final String PARAGRAPH =
            "The ferry leaves at seven, and whoever comes a minute late, be it the mayor, waits on the pier until noon. ";

    private static final String ARTICLE = IntStream.rangeClosed(1, 5)
            .mapToObj(i ->
                    "<p>" + i + ". " + PARAGRAPH + "That was so in year " + i + ", and nobody complained about it.</p>")
            .collect(Collectors.joining("\n"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "navigation       | Weather desk",
                "header           | Search the archive",
                "breadcrumb       | Local news",
                "cookie banner    | 843 partners",
                "script           | SCRIPT TEXT",
                "style            | STYLE TEXT",
                "script fallback  | enable JavaScript",
                "byline           | A. Writer",
                "share buttons    | Share on a network",
                "caption          | Example Pictures",
                "related stories  | Ferry captain",
                "advertisement    | second umbrella",
                "comments         | My cousin",
                "sidebar          | Mayor loses hat",
                "newsletter       | each morning at six",
                "footer           | All rights reserved",
            })
    void testBoilerplateOfANewsPageIsDropped(String what, String text) {
        String page = TestPages.read("news.html");
        assertTrue(page.contains(text), what);
        assertFalse(HtmlExtraction.MAIN.apply(page).contains(text), what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lead        | Lorries, trams and a great many cyclists",
                "paragraph   | Nobody had looked below the water line since the war, the city\u2019s chief engineer",
                "inline      | ferries have carried eleven thousand people",
                "subheading  | What was done",
                "list        | forty steel piles",
                "quote       | A bridge is a promise",
                "last line   | the insurance refuses to cover.",
            })
    void testArticleOfANewsPageIsKept(String what, String text) {
        assertTrue(HtmlExtraction.MAIN.apply(TestPages.read("news.html")).contains(text), what);
    }

    @Test
    void testTwoLayoutsOfAnArticleGiveNearlyTheSameText() {
        String page = TestPages.read("news.html");
        String other = TestPages.read("news-old-layout.html");
        double ofMain = similarity(HtmlExtraction.MAIN.apply(page), HtmlExtraction.MAIN.apply(other));
        double ofAll = similarity(HtmlExtraction.TEXT.apply(page), HtmlExtraction.TEXT.apply(other));
        assertTrue(ofMain > 0.9, () -> "main: " + ofMain);
        assertTrue(ofAll < 0.5, () -> "the pages are too much alike to show anything: " + ofAll);
    }

    @Test
    void testTablesListsCodeAndDefinitionsOfAManualAreKept() {
        assertEquals("""
                Queues
                A queue holds messages until a worker takes them. Messages leave in the order in which they came, unless a priority says otherwise.
                Creating a queue
                Name the queue and the time after which an unanswered message is offered to another worker:
                queue create mail
                --timeout 30s
                --retries 5
                Options
                Option
                Meaning
                timeout
                seconds until a message is offered again
                retries
                how often, before it is put aside for good
                worker
                a process that takes messages and answers each of them
                Stop the old workers.
                Start the new ones.
                See also the page on backups, since a queue on one disk is lost together with that disk one day.""", HtmlExtraction.MAIN.apply(TestPages.read("manual.html")));
    }

    @Test
    void testReferencePageOfShortLinesAndLinksKeepsItsEntries() {
        String entry = "<tr><td><a href=#x>openTheQueue</a></td><td>Opens <a href=#q>a queue</a></td></tr>";
        String html = "<div class=top><a href=/>Contents</a> <a href=/i>Index</a></div><h2>Functions</h2><table>"
                + entry.repeat(30)
                + "</table><div>Each function returns a code, and 0 means that all went well, as it mostly does.</div>";
        String main = HtmlExtraction.MAIN.apply(html);
        assertEquals(30, main.split("openTheQueue\\nOpens a queue", -1).length - 1, main);
        assertTrue(main.contains("Functions") && main.contains("returns a code"), main);
        assertFalse(main.contains("Contents"), main);
    }

    @Test
    void testChineseArticleIsFoundByItsLetters() {
        String main = HtmlExtraction.MAIN.apply(TestPages.read("news-zh.html"));
        assertTrue(main.startsWith("\u53BB\u5E74\u516D\u6708"), main);
        assertTrue(main.endsWith("\u7531\u8C01\u652F\u4ED8\u3002"), main);
        assertEquals(3, main.lines().count(), main);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div hidden>%s</div>",
                "<div style='color: red; DISPLAY : none'>%s</div>",
                "<div style=visibility:hidden>%s</div>",
                "<div aria-hidden=true>%s</div>",
                "<div role=dialog>%s</div>",
                "<div class=cookieBanner>%s</div>",
                "<div id=onetrust-consent-sdk>%s</div>",
                "<div class='post-comments'>%s</div>",
                "<section class='article__related-articles'>%s</section>",
                "<aside>%s</aside>",
                "<nav>%s</nav>",
                "<footer>%s</footer>",
                "<form><select><option>%s<option>other</select></form>",
                "<form><textarea>%s</textarea></form>",
                "<button>%s</button>",
                "<ul><li><a href=/1>%s</a><li><a href=/2>Another page</a></ul>",
                "<a href=/card><div><h3>Another page</h3><p>%s</p></div></a>",
                "<p><a href=/next>%s</a></p>",
                "<video>%s</video>",
                "<object>%s</object>",
            })
    void testWhatIsNoneOfTheArticleIsDroppedInsideAndBesideIt(String markup) {
        String other = String.format(
                Locale.ROOT, markup, "This text belongs to something else than the article, as it seems.");
        String expected = HtmlExtraction.MAIN.apply("<body>" + ARTICLE);
        assertEquals(5, expected.lines().count());
        assertEquals(expected, HtmlExtraction.MAIN.apply("<body>" + other + "<div>" + ARTICLE + "</div>"), "before");
        assertEquals(expected, HtmlExtraction.MAIN.apply("<body><div>" + ARTICLE + "</div>" + other), "behind");
        assertEquals(expected, HtmlExtraction.MAIN.apply("<body><div>" + ARTICLE + other + "</div>"), "inside");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div class='page with-sidebar'>%s</div>",
                "<div class=cookie-consent-given><h1>Ferries</h1>%s</div>",
                "<div class=sharing>%s</div>",
                "<div class=shadow-navy>%s</div>",
                "<div id=a-comment-on-the-ferry>%s</div>",
                "<form method=post>%s</form>",
                "<div style='display:none'>%s</div>",
                "<aside>%s</aside>",
                "<table><tr><td><a href=/>Home</a><td>%s<td><a href=/x>Elsewhere</a></table>",
                "<my-app><my-article>%s</my-article></my-app>",
                "<center><font>%s",
                "<div><div><div>%s</p></b></span></article></table>",
            })
    void testTheArticleIsKeptWhateverHoldsIt(String markup) {
        String main = HtmlExtraction.MAIN.apply(String.format(Locale.ROOT, markup, ARTICLE));
        assertEquals(5, main.split(PARAGRAPH, -1).length - 1, main);
    }

    @Test
    void testPartsOfAnArticleInSeveralBlocksAreKeptTogether() {
        String part = "<div class='text part'>" + ARTICLE + "</div>";
        String teaser =
                "<div class=teasers><div><h3><a href=/1>Another page</a></h3><p>" + PARAGRAPH + "</p></div></div>";
        String html = "<body><div>" + part + teaser + part + "</div>" + teaser.repeat(9);
        assertEquals(10, HtmlExtraction.MAIN.apply(html).split(PARAGRAPH, -1).length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<ul><li><a href=/1>One of the many pages</a><li><a href=/2>And the next one</a><li><a href=/3>And one more that comes after that</a></ul><p>3 pages",
                "<nav><a href=/>All that is here</a></nav>",
                "<p><a href=/>A link and nothing else</a></p>",
                "<footer>Only a footer, and a short one</footer>",
                "<div hidden>Nothing but hidden text</div>",
                "<title>A title</title>",
            })
    void testWithoutAnArticleTheWholeTextIsTaken(String html) {
        assertEquals(HtmlExtraction.TEXT.apply(html), HtmlExtraction.MAIN.apply(html));
    }

    @Test
    void testAShortTextIsStillFreedFromItsPage() {
        assertEquals(
                "Closed.",
                HtmlExtraction.MAIN.apply("<nav>Menu</nav><article><p>Closed.</p></article><footer>(c)</footer>"));
    }

    @Test
    void testResultDependsOnNothingButThePage() throws Exception {
        Locale before = Locale.getDefault();
        List<String> pages = List.of("news.html", "news-old-layout.html", "manual.html", "news-zh.html");
        List<String> expected = pages.stream()
                .map(TestPages::read)
                .map(HtmlExtraction.MAIN::apply)
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            Callable<List<String>> task = () -> pages.stream()
                    .map(TestPages::read)
                    .map(html -> html.replace("class=\"sidebar\"", "CLASS=\"SIDEBAR\"")
                            .replace("<article", "<ARTICLE"))
                    .map(HtmlExtraction.MAIN::apply)
                    .toList();
            for (Future<List<String>> result : threads.invokeAll(List.of(task, task, task, task))) {
                assertEquals(expected, result.get());
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    private static double similarity(String a, String b) {
        Set<String> common = shingles(a);
        Set<String> all = shingles(b);
        Set<String> other = new HashSet<>(all);
        all.addAll(common);
        common.retainAll(other);
        return (double) common.size() / all.size();
    }

    private static Set<String> shingles(String text) {
        List<String> words = Arrays.asList(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"));
        return IntStream.range(0, words.size() - 2)
                .mapToObj(i -> String.join(" ", words.subList(i, i + 3)))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
