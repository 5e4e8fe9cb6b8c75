/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.quality.DataSets;
import org.opensearch.simhash.quality.ExtractionGrade;
import org.opensearch.simhash.quality.Tokens;

/**
 * What the blocks that a real node finds in pages of the data sets do when they are stripped: token F1 of main texts, and best F1 of
 * fingerprints for pages of documentation in several releases. Arguments: {@code min_documents}, 20 unless given; then sets, all unless given.
 */
public final class BlocksQuality {

    private static final List<String> WITH_TEXT =
            List.of("html_article_extraction", "html_readability", "html_fundus_news");
    private static final String IN_RELEASES = "html_kafka_versions";
    private static final int PAGES_AT_ONCE = 20;

    private final RestClient client;
    private final DataSets data;
    private final int minDocuments;

    private BlocksQuality(RestClient client, DataSets data, int minDocuments) {
        this.client = client;
        this.data = data;
        this.minDocuments = minDocuments;
    }

    public static void main(String[] args) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "1g"))) {
            int minDocuments = args.length == 0 ? 20 : Integer.parseInt(args[0]);
            BlocksQuality quality = new BlocksQuality(cluster.client(), DataSets.configured(), minDocuments);
            List<String> sets = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
            for (HtmlExtraction html : List.of(HtmlExtraction.MAIN, HtmlExtraction.TEXT)) {
                WITH_TEXT.stream()
                        .filter(set -> sets.isEmpty() || sets.contains(set))
                        .forEach(set -> quality.texts(set, html));
            }
            if (sets.isEmpty() || sets.contains(IN_RELEASES)) {
                Arrays.stream(HtmlExtraction.values()).forEach(quality::releases);
            }
        }
    }

    private List<Map<String, Object>> pages(String set) {
        return data.read(set, "pages.jsonl");
    }

    /** The page, or for a recipe without HTML what people see of it. */
    private static String content(Map<String, Object> page, HtmlExtraction html) {
        return (String) page.get(html == HtmlExtraction.NONE ? "visible_text" : "html");
    }

    /** As the answer of {@code blocks} proposes. */
    private Boilerplate blocks(String set, HtmlExtraction html) {
        String mode = html.name().toLowerCase(Locale.ROOT);
        client.must(
                "PUT",
                "/_ingest/pipeline/pages",
                Json.write(Map.of(
                        "processors",
                        List.of(Map.of("passages", Map.of("field", "content", "html", mode))))));
        Object passages = Json.at(new SampleIndex().mappings(), "properties.passages");
        client.must(
                "PUT",
                "/pages",
                Json.write(Map.of(
                        "settings",
                        Map.of("index.default_pipeline", "pages"),
                        "mappings",
                        Map.of(
                                "properties",
                                Map.of("content", Map.of("type", "text", "index", false), "passages", passages)))));
        List<Map<String, Object>> pages = pages(set);
        for (int from = 0; from < pages.size(); from += PAGES_AT_ONCE) {
            String bulk = pages.subList(from, Math.min(pages.size(), from + PAGES_AT_ONCE)).stream()
                    .map(page -> "{\"index\":{}}\n" + Json.write(Map.of("content", content(page, html))) + "\n")
                    .collect(Collectors.joining());
            client.must("POST", "/pages/_bulk?refresh=true", bulk);
        }
        Answer answer = client.must(
                "POST",
                "/_plugins/_simhash/blocks/pages",
                "{\"min_documents\":" + minDocuments + ",\"size\":1000}");
        client.must("DELETE", "/pages", null);
        List<String> digests = new ArrayList<>();
        ((List<?>) answer.at("strip")).forEach(digest -> digests.add((String) digest));
        return new Boilerplate(digests);
    }

    private void texts(String set, HtmlExtraction html) {
        Boilerplate strip = blocks(set, html);
        Fingerprinter plain = new RecipeBuilder().html(html).standard();
        Fingerprinter stripped = new RecipeBuilder().html(html).strip(strip).standard();
        List<ExtractionGrade> before = new ArrayList<>();
        List<ExtractionGrade> after = new ArrayList<>();
        for (Map<String, Object> page : pages(set)) {
            Tokens truth = Tokens.of((String) page.get("text"));
            before.add(ExtractionGrade.of(Tokens.of(plain.prepare((String) page.get("html"), bytes -> {})), truth));
            after.add(ExtractionGrade.of(Tokens.of(stripped.prepare((String) page.get("html"), bytes -> {})), truth));
        }
        print(set, html, strip, "F1, precision, recall", ExtractionGrade.means(before), ExtractionGrade.means(after));
    }

    private void releases(HtmlExtraction html) {
        Boilerplate strip = blocks(IN_RELEASES, html);
        print(
                IN_RELEASES,
                html,
                strip,
                "best F1 of labels",
                bestF1(new RecipeBuilder().html(html).standard(), html),
                bestF1(new RecipeBuilder().html(html).strip(strip).standard(), html));
    }

    private String bestF1(Fingerprinter recipe, HtmlExtraction html) {
        Map<String, Fingerprint> prints = pages(IN_RELEASES).stream()
                .collect(Collectors.toMap(
                        page -> (String) page.get("doc_id"),
                        page -> recipe.fingerprint(SourceTexts.of(content(page, html)), bytes -> {})));
        long[] same = new long[Long.SIZE + 1];
        long[] others = new long[Long.SIZE + 1];
        for (Map<String, Object> pair : data.read(IN_RELEASES, "pairs.jsonl")) {
            Function<String, Fingerprint> of = side -> prints.get((String) pair.get(side));
            boolean isKnown = of.apply("a").bits().isPresent() && of.apply("b").bits().isPresent();
            int distance = isKnown
                    ? Long.bitCount(of.apply("a").bits().getAsLong() ^ of.apply("b").bits().getAsLong())
                    : Long.SIZE;
            (((Number) pair.get("label")).intValue() == 1 ? same : others)[distance]++;
        }
        long all = Arrays.stream(same).sum();
        double best = 0;
        long right = 0;
        long wrong = 0;
        for (int distance = 0; distance <= Long.SIZE; distance++) {
            right += same[distance];
            wrong += others[distance];
            best = Math.max(best, 2.0 * right / (right + wrong + all));
        }
        return String.format(Locale.ROOT, "%.3f", best);
    }

    private static void print(
            String set, HtmlExtraction html, Boilerplate strip, String what, String before, String after) {
        System.out.printf(
                Locale.ROOT,
                "%s, html %s, %d blocks: %s %s without strip, %s with it%n",
                set,
                html,
                strip.digests().size(),
                what,
                before,
                after);
    }
}
