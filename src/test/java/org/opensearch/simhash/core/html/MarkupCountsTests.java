/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which texts are HTML, and what is said of them. */
class MarkupCountsTests {

    private static final String PROSE = "The city council approved the new tram line on Monday. ".repeat(5);
    private static final String PAGE =
            "<!doctype html>\n<html><head><title>Tram</title><style>p { color: red }</style></head><body>"
                    + "<nav><a href=\"/\">Home</a> <a href=\"/news\">News</a></nav><main><p>" + PROSE
                    + "</p></main></body></html>\n";

    private static MarkupCounts counts(String... texts) {
        MarkupCounts counts = new MarkupCounts();
        for (String text : texts) {
            counts.add(text);
        }
        return counts;
    }

    @Test
    void testPages() {
        MarkupCounts counts = counts(PROSE, PROSE, PAGE);
        assertEquals(HtmlExtraction.MAIN, counts.suiting());
        assertEquals(PAGE, counts.example());
        assertEquals(
                Optional.of("1 of 3 texts looked at are pages of HTML, whose tags are compared like words: [html] main"
                        + " leaves them out"),
                counts.warning());
        String script = "<script>" + "let a = 1;\n".repeat(9_000) + "</script>";
        for (String page : new String[] {
            "<html><head><meta charset=utf-8>" + script + "</head><body>" + PROSE,
            // A crawler cuts pages off.
            PAGE.substring(0, PAGE.length() - 40),
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n" + PAGE.substring(16),
            "<!-- saved -->\n<title>Tram</title><p>" + PROSE + "<p><a href=/tickets/and/times/of/all/lines>Tickets</a>",
            "<div class=page><header>News</header><article><p>" + PROSE + "</p></article></div>"
        }) {
            assertEquals(HtmlExtraction.MAIN, counts(page).suiting(), page);
        }
    }

    @Test
    void testTextsWithMarkup() {
        MarkupCounts counts = counts("<p>The <b>tram</b> line</p><p>starts<br>in <em>March</em></p>", PROSE);
        assertEquals(HtmlExtraction.TEXT, counts.suiting());
        assertEquals("1 of 2 texts looked at are HTML", counts.toString());
    }

    @Test
    void testOtherTexts() {
        for (String text : new String[] {
            PROSE,
            "if (a < b && c > d) { List<String> names = new ArrayList<>(); Map<String, List<Integer>> counts; }",
            "A paragraph is <p>, a division <div>, a break <br>: all of them are tags.",
            "<p>, <div>, <br> and <b> are tags.",
            "<html>, <head> and <body> are the tags that each page has. " + PROSE,
            "# Pages\n\nA page looks like this:\n\n```html\n" + PAGE + "```\n",
            "How do I center a div?\n\n" + PAGE,
            "<p align=\"center\"><img src=\"logo.svg\" alt=\"Logo\"></p>\n<h1>Tram</h1>\n\n## Install\n\nRun `make`.\n",
            "<https://example.org/a> and <https://example.org/b>, <https://example.org/c>",
            "<T> List<T> sorted(Collection<T> all) { return new ArrayList<T>(all); } // <T>",
            "<item id=\"1\"><price currency=\"EUR\">7</price><stock>3</stock><sku>4</sku></item>",
            "<project><build><plugins><plugin>a</plugin></plugins></build></project>",
            "a < b, 3 <4> 5 <<< merge >>> x <y@example.org>",
            "<p>" + PROSE.repeat(20) + "</p><p>" + PROSE.repeat(20) + "</p><p>" + PROSE + "</p>"
        }) {
            MarkupCounts counts = counts(text);
            assertEquals(HtmlExtraction.NONE, counts.suiting(), text);
            assertEquals(Optional.empty(), counts.warning(), text);
            assertNull(counts.example(), text);
        }
        assertEquals(
                HtmlExtraction.NONE,
                counts(PAGE, PROSE, PROSE, PROSE, PROSE, PROSE).suiting());
        assertEquals(
                HtmlExtraction.MAIN, counts(PAGE, "", " ", null, "\n", "\t").suiting());
        assertEquals(HtmlExtraction.NONE, new MarkupCounts().suiting());
    }
}
