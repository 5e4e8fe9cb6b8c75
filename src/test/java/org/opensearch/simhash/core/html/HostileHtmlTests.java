/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages made to be slow to read, or too deep. Each is read in less than a second; with work that grows with the square of the
 * length it would be minutes to hours, so the limit is no matter of the machine's speed.
 */
class HostileHtmlTests {

    private static final int LENGTH = 2_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String END =
            "</a><p>And this is the end of the page, which must not be lost, whatever came before it.</p>";

    /** Those that cost a general HTML parser, or once cost this one, time that grows with the square of the length. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div>",
                "<p>x",
                "<ul><li>",
                "<a href=x>x",
                "<table><tr><td>",
                "<table>x<tr>",
                "<table><caption>",
                "<applet><b>x",
                "<html a=1>",
                "a<",
                "&a",
                "<!--",
                "<!-- --! --",
                "<![CDATA[x",
                "<![CDATA[<b]]>",
                "<object>x",
                "<template a=b>",
                "<svg><title>",
                "<svg><svg/><desc>x</svg",
                "<video><video></video>x",
                "<svg><!-- <svg> -->",
            })
    void testTwoMegabytesOfTheSameAreReadInTime(String markup) {
        assertKeepsTheEnd(HtmlExtraction.MAIN, markup.repeat(LENGTH / markup.length()) + ">" + END);
    }

    @Test
    void testTwoMegabytesOfNamesThatAllDifferAreReadInTime() {
        assertKeepsTheEnd(HtmlExtraction.MAIN, numbered("<b a=", ">") + END);
        assertKeepsTheEnd(HtmlExtraction.MAIN, numbered("<x-", ">y") + END);
        assertKeepsTheEnd(HtmlExtraction.MAIN, numbered("<div class=c", ">y</div>") + END);
        assertKeepsTheEnd(HtmlExtraction.MAIN, "<" + "a".repeat(LENGTH) + ">" + END);
        assertKeepsTheEnd(HtmlExtraction.MAIN, "<p " + "a".repeat(LENGTH) + ">" + END);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<b>",
                "<p>",
                "<li>",
                "<dl><dd><dt>",
                "<table>",
                "<td>",
                "<a href=x><div>x",
                "<font size=1><p>x</font>",
                "<select><option>",
                "<button>",
                "<form>",
                "<x-y>",
                "<x>",
                "<h1>x",
                "<article>",
                "<pre>",
                "<blockquote>x",
                "<br>",
                "<hr>x",
                "<i><b></x>",
                "<b><i></b>x",
                "<div class='a b c-d eF'>",
                "<template>",
                "<svg>",
                "<svg><p>",
                "<svg></svg><svg>",
                "<object><object></object>",
                "<math><mi>",
                "<iframe>",
                "<noscript>",
                "<textarea>",
                "<title>",
                "<plaintext>",
                "<body class=x>",
                "</p>",
                "</br>",
                "</div>",
                "</td>",
                "</",
                "<",
                "<!",
                "<?",
                "<!-- -",
                "<![CDATA[",
                "<![CDATA[]]>",
                "<![CDATA[<p",
                "]]>",
                "&",
                "&amp",
                "&#9",
                "&#x",
                "<p title='",
                "<p title=\"",
                "<p =",
                "<p/",
                "\u0000",
                "<div hidden>",
                "<div><td></div>",
            })
    void testRepeatedMarkupLosesNoText(String markup) {
        String html = markup.repeat(LENGTH / 100 / markup.length());
        for (HtmlExtraction extraction : HtmlExtraction.values()) {
            assertKeepsTheEnd(extraction, html + ">" + END);
            assertKeepsTheEnd(extraction, html + "'>\">" + END);
        }
    }

    @Test
    void testAMillionAttributesAreReadInTime() {
        String many =
                IntStream.range(0, 1_000_000).mapToObj(i -> " a" + i + "=" + i).collect(Collectors.joining());
        String same = " class=x".repeat(1_000_000);
        String one = " class='" + "navigation ".repeat(LENGTH / 11) + "'";
        for (String attributes : new String[] {many, same, one}) {
            assertKeepsTheEnd(HtmlExtraction.MAIN, "<body" + attributes + "><div" + attributes + ">" + END + "</div>");
        }
    }

    @Test
    void testHundredThousandNestedElementsKeepTheirText() {
        int depth = 100_000;
        String html = IntStream.range(0, depth).mapToObj(i -> "<div>" + i).collect(Collectors.joining())
                + "</div>".repeat(depth);
        String expected = IntStream.range(0, depth).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
        assertEquals(expected, onASmallStack(HtmlExtraction.TEXT, html));
        assertEquals(expected, onASmallStack(HtmlExtraction.MAIN, html));
    }

    @Test
    void testArticleIsFoundInAPageOfTwoMegabytes() {
        String menu =
                "<nav><ul>" + "<li><a href=/page>One more page of this site</a></li>".repeat(20_000) + "</ul></nav>";
        String paragraph =
                "<p>Paragraph after paragraph the report goes on, and each of them is read by somebody, one hopes.</p>\n";
        int paragraphs = (LENGTH - menu.length()) / paragraph.length();
        String main = inTime(
                HtmlExtraction.MAIN,
                "<body>" + menu + "<div>" + paragraph.repeat(paragraphs) + "</div><footer>Printed on paper</footer>");
        assertEquals(
                paragraphs,
                main.lines().filter(line -> line.startsWith("Paragraph after")).count());
        assertEquals(paragraphs, main.lines().count());
    }

    @Test
    void testMoreBlocksThanAreBuiltKeepTheirText() {
        int blocks = 300_000;
        String main = inTime(HtmlExtraction.MAIN, "<p>one two</p>".repeat(blocks) + END);
        assertEquals(blocks + 1, main.lines().count());
    }

    /** 237 bytes for a paragraph of one letter, 158 for a block around it, were measured. */
    @ParameterizedTest
    @CsvSource({"<p>a, 237", "<li><div>a</div>, 395", "a<br><br>, 77"})
    void testThePagesTreeIsAccountedAndGivenBack(String markup, int bytes) {
        int times = 50_000;
        String html = "<body>" + markup.repeat(times);
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        HtmlExtraction.MAIN.apply(html, change -> most.accumulateAndGet(taken.addAndGet(change), Math::max));
        assertTrue(most.get() >= (long) bytes * times && most.get() < 2L * bytes * times, "most " + most);
        assertEquals(0, taken.get());
        assertThrows(
                IllegalStateException.class,
                () -> HtmlExtraction.MAIN.apply(html, change -> {
                    if (taken.get() + change > 1_000_000) {
                        throw new IllegalStateException("too much");
                    }
                    taken.addAndGet(change);
                }));
        assertEquals(0, taken.get());
    }

    @Test
    void testEmptyBlocksTakeNothing() {
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        HtmlExtraction.MAIN.apply(
                "<p></p>".repeat(50_000), change -> most.accumulateAndGet(taken.addAndGet(change), Math::max));
        assertTrue(most.get() < 10_000, "most " + most);
    }

    @Test
    void testTwoMegabytesWithoutATagComeBack() {
        String text = "one two three, ".repeat(LENGTH / 15);
        assertEquals(text, inTime(HtmlExtraction.MAIN, text));
        assertEquals(text.trim(), inTime(HtmlExtraction.MAIN, "<p>" + text));
    }

    private static void assertKeepsTheEnd(HtmlExtraction extraction, String html) {
        String text = inTime(extraction, html);
        assertTrue(text.contains("the end of the page"), () -> extraction + ": " + html.substring(0, 20));
    }

    private static String numbered(String before, String after) {
        StringBuilder html = new StringBuilder(LENGTH);
        for (int i = 0; html.length() < LENGTH; i++) {
            html.append(before).append(i).append(after);
        }
        return html.toString();
    }

    private static String inTime(HtmlExtraction extraction, String html) {
        return assertTimeoutPreemptively(LIMIT, () -> extraction.apply(html));
    }

    /** Runs with 256 kB of stack, a quarter of what a node's threads have. */
    private static String onASmallStack(HtmlExtraction extraction, String html) {
        FutureTask<String> task = new FutureTask<>(() -> extraction.apply(html));
        Thread thread = new Thread(null, task, "small stack", 256 * 1024);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
