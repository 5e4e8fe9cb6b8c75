/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.quality.variants.ShortStories;

/**
 * Grades {@code html: main} on real pages: against the texts that people or the publishers' own parsers call the article,
 * with the page's whole text as jsoup reads it beside it. Prints tables in Markdown.
 */
public final class HtmlQuality {

    private static final List<String> WITH_TEXT =
            List.of("html_article_extraction", "html_readability", "html_fundus_news");
    private static final String WITH_SEGMENTS = "html_trafilatura_eval";
    private static final String IN_RELEASES = "html_kafka_versions";
    private static final String PAGES = "pages.jsonl";

    private final DataSets data;
    private final StringBuilder report = new StringBuilder();

    private HtmlQuality(DataSets data) {
        this.data = data;
    }

    public static void main(String[] arguments) {
        DataSets data = DataSets.configured();
        System.out.println(report(data));
        System.out.println(ShortStories.table());
    }

    /** The tables of all HTML sets. */
    public static String report(DataSets data) {
        List<String> missing = Stream.concat(WITH_TEXT.stream(), Stream.of(WITH_SEGMENTS, IN_RELEASES))
                .filter(set -> data.has(set) == false)
                .toList();
        if (missing.isEmpty() == false) {
            return "Not measured, for they are not in [" + data.folder() + "]: " + String.join(", ", missing) + ".\n";
        }
        HtmlQuality quality = new HtmlQuality(data);
        quality.compareWithTexts();
        quality.compareLayouts();
        quality.lookForSegments();
        quality.compareReleases();
        return quality.report.toString();
    }

    private void compareWithTexts() {
        header("set", "pages", "main: F1, precision, recall", "whole text: F1, precision, recall", "main: ms per page");
        for (String set : WITH_TEXT) {
            List<ExtractionGrade> ofMain = new ArrayList<>();
            List<ExtractionGrade> ofAll = new ArrayList<>();
            long nanos = 0;
            for (Map<String, Object> page : data.read(set, PAGES)) {
                String html = (String) page.get("html");
                Tokens truth = Tokens.of((String) page.get("text"));
                long start = System.nanoTime();
                String main = HtmlExtraction.MAIN.apply(html);
                nanos += System.nanoTime() - start;
                ofMain.add(ExtractionGrade.of(Tokens.of(main), truth));
                ofAll.add(ExtractionGrade.of(wholeText(html), truth));
            }
            double milliseconds = nanos / 1e6 / ofMain.size();
            row(
                    set,
                    ofMain.size(),
                    ExtractionGrade.means(ofMain),
                    ExtractionGrade.means(ofAll),
                    decimals(milliseconds));
        }
    }

    /** The pages' articles once more, in a layout of ours, with teasers and comments that are the openings of other articles. */
    private void compareLayouts() {
        header("same article in two layouts", "pairs", "main: similarity, near", "whole text: similarity, near");
        for (String set : WITH_TEXT) {
            List<Map<String, Object>> pages = data.read(set, PAGES);
            List<String> texts =
                    pages.stream().map(page -> (String) page.get("text")).toList();
            Similarities similarities = new Similarities();
            for (int i = 0; i < texts.size(); i++) {
                similarities.add((String) pages.get(i).get("html"), OtherLayout.page(texts, i));
            }
            row(set, texts.size(), similarities.ofMain(), similarities.ofAll());
        }
    }

    private void lookForSegments() {
        header("segments", "pages", "main: share of the article's found, of the others gone", "whole text: the same");
        List<Map<String, Object>> pages = data.read(WITH_SEGMENTS, PAGES);
        List<Boolean> found = new ArrayList<>();
        List<Boolean> gone = new ArrayList<>();
        List<Boolean> foundInAll = new ArrayList<>();
        List<Boolean> goneFromAll = new ArrayList<>();
        for (Map<String, Object> page : pages) {
            String html = (String) page.get("html");
            String main = withoutSpace(HtmlExtraction.MAIN.apply(html));
            String all = withoutSpace(Jsoup.parse(html).text());
            for (Object segment : (List<?>) page.get("must_contain")) {
                found.add(main.contains(withoutSpace((String) segment)));
                foundInAll.add(all.contains(withoutSpace((String) segment)));
            }
            for (Object segment : (List<?>) page.get("must_not_contain")) {
                gone.add(main.contains(withoutSpace((String) segment)) == false);
                goneFromAll.add(all.contains(withoutSpace((String) segment)) == false);
            }
        }
        row(WITH_SEGMENTS, pages.size(), shares(found, gone), shares(foundInAll, goneFromAll));
    }

    private void compareReleases() {
        Map<String, String> pages = data.read(IN_RELEASES, PAGES).stream()
                .collect(toMap(page -> (String) page.get("doc_id"), page -> (String) page.get("html")));
        Similarities same = new Similarities();
        Similarities other = new Similarities();
        for (Map<String, Object> pair : data.read(IN_RELEASES, "pairs.jsonl")) {
            Similarities similarities = ((Number) pair.get("label")).intValue() == 1 ? same : other;
            similarities.add(pages.get((String) pair.get("a")), pages.get((String) pair.get("b")));
        }
        header(IN_RELEASES, "pairs", "main: similarity, near", "whole text: similarity, near");
        row("same page in two releases", same.size(), same.ofMain(), same.ofAll());
        row("other page of the template", other.size(), other.ofMain(), other.ofAll());
    }

    private static Tokens wholeText(String html) {
        return Tokens.of(Jsoup.parse(html).text());
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static String shares(List<Boolean> found, List<Boolean> gone) {
        return decimals(share(found)) + ", " + decimals(share(gone));
    }

    private static double share(List<Boolean> answers) {
        return answers.stream().filter(answer -> answer).count() / (double) answers.size();
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private void header(String... cells) {
        report.append('\n');
        row((Object[]) cells);
        report.append("|---".repeat(cells.length)).append("|\n");
    }

    private void row(Object... cells) {
        report.append(Arrays.stream(cells).map(String::valueOf).collect(joining(" | ", "| ", " |\n")));
    }

    /** Similarities of pairs of pages, by their main and by their whole text. */
    private static final class Similarities {

        private static final double NEAR = 0.8;

        private final List<Double> main = new ArrayList<>();
        private final List<Double> all = new ArrayList<>();

        void add(String a, String b) {
            main.add(Tokens.of(HtmlExtraction.MAIN.apply(a)).similarity(Tokens.of(HtmlExtraction.MAIN.apply(b))));
            all.add(wholeText(a).similarity(wholeText(b)));
        }

        int size() {
            return main.size();
        }

        String ofMain() {
            return meanAndNear(main);
        }

        String ofAll() {
            return meanAndNear(all);
        }

        private static String meanAndNear(List<Double> similarities) {
            double mean = similarities.stream().mapToDouble(d -> d).average().orElse(0);
            return decimals(mean) + ", "
                    + decimals(share(similarities.stream().map(d -> d >= NEAR).toList()));
        }
    }
}
