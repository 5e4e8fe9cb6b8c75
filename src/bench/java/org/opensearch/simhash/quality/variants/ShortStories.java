/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.quality.ExtractionGrade;
import org.opensearch.simhash.quality.Table;
import org.opensearch.simhash.quality.Tokens;

/**
 * Grades {@code html: main} on pages whose story is shorter than what surrounds it: a cookie banner, a menu, an invitation to a
 * newsletter, links to other stories, a footer, in the languages of the committed texts.
 */
public final class ShortStories {

    private static final int[] SENTENCES = {1, 2, 9};

    /** Of the page that holds a story: what is before it and after it. */
    private static final Map<String, String[]> HOLDERS = new LinkedHashMap<>();

    static {
        HOLDERS.put("main", new String[] {"<main>", "</main>"});
        HOLDERS.put("article", new String[] {"<article>", "</article>"});
        HOLDERS.put("role=main", new String[] {"<div role=\"main\">", "</div>"});
        HOLDERS.put("article in main", new String[] {"<main><article>", "</article></main>"});
        HOLDERS.put("div class=content", new String[] {"<div class=\"content\">", "</div>"});
        HOLDERS.put("div", new String[] {"<div>", "</div>"});
    }

    private ShortStories() {}

    /** Mean and worst F1 of tokens, by what holds the story, of one, two or all of its sentences. */
    public static String table() {
        Table table = new Table(
                "the story, of 1, 2 or all sentences, is in", "pages", "F1, precision, recall: means", "worst F1");
        HOLDERS.forEach((name, holder) -> {
            List<ExtractionGrade> grades = new ArrayList<>();
            for (int sentences : SENTENCES) {
                for (VariantText text : VariantText.all()) {
                    String story = first(text.text(), sentences);
                    for (boolean isBannerFirst : new boolean[] {true, false}) {
                        String main = HtmlExtraction.MAIN.apply(page(text, story, holder, isBannerFirst));
                        grades.add(ExtractionGrade.of(Tokens.of(main), Tokens.of(story)));
                    }
                }
            }
            table.row(
                    name,
                    grades.size(),
                    ExtractionGrade.means(grades),
                    String.format(
                            Locale.ROOT,
                            "%.3f",
                            grades.stream()
                                    .mapToDouble(ExtractionGrade::f1)
                                    .min()
                                    .orElse(0)));
        });
        return table.toString();
    }

    private static String first(String text, int sentences) {
        String[] all = text.split("(?<=[.。।။។])\\s*", sentences + 1);
        String kept = String.join(" ", List.of(all).subList(0, Math.min(sentences, all.length)));
        // Thai and Lao end no sentence with a point.
        String[] clauses = kept.split(" ", -1);
        return all.length > 1 || sentences == 9
                ? kept
                : String.join(" ", List.of(clauses).subList(0, Math.min(4 * sentences, clauses.length)));
    }

    private static String page(VariantText text, String story, String[] holder, boolean isBannerFirst) {
        String banner = "<div class=\"cookie-banner\"><p>" + text.entry("banner") + "</p><p>" + text.entry("banner")
                + "</p><button>OK</button></div>";
        String menu =
                "<nav><ul><li><a href=\"/\">Home</a></li><li><a href=\"/news\">News</a></li><li><a href=\"/sport\">Sport</a></li></ul></nav>";
        String newsletter = "<div class=\"newsletter\"><p>" + text.entry("banner")
                + "</p><form><input name=\"mail\"><button>OK</button></form></div>";
        String others = "<div class=\"related\"><ul><li><a href=\"/1\">" + text.entry("reply")
                + "</a></li><li><a href=\"/2\">" + text.entry("date") + "</a></li><li><a href=\"/3\">"
                + text.entry("other_date") + "</a></li></ul></div>";
        return "<!DOCTYPE html><html lang=\"" + text.language() + "\"><head><title>Story</title></head><body>"
                + (isBannerFirst ? banner : "") + "<header>" + menu + "</header>" + holder[0] + "<p>" + story + "</p>"
                + holder[1] + others + newsletter + "<footer><p>" + text.entry("footer") + "</p></footer>"
                + (isBannerFirst ? "" : banner) + "</body></html>";
    }
}
