/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.ending;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.ending.Ending.Looked;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.AnalysisModules;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.Freshness.State;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.ingest.TextProcessor;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.test.OpenSearchTestCase;

/** The table of who may end, row by row. */
public class EndRuleTests extends OpenSearchTestCase {

    private static final Verification VERIFY = Verification.of(null, null, null, null, null);
    private static final EndRule VERIFIED = rule(VERIFY, 11);
    private static final EndRule UNVERIFIED = rule(null, 3);

    /** By the state of a fingerprint: verified, unverified, verified candidates. */
    private static final Map<State, List<Boolean>> STATES = Map.of(
            State.FRESH, List.of(true, true, true),
            State.SHORT_TEXT, List.of(false, false, false),
            State.STALE, List.of(false, false, false),
            State.ROUNDED, List.of(false, false, false),
            State.NO_TEXT, List.of(false, false, false),
            State.SEVERAL, List.of(false, false, false),
            State.UNREADABLE, List.of(false, false, false),
            State.NOT_OF_TEXT, List.of(false, true, true),
            State.NONE, List.of(false, false, true));

    private static EndRule rule(Verification verify, int maxDistance) {
        Criteria criteria =
                new Criteria(SketchKind.SIMHASH, "simhash", maxDistance, 0.8, verify, null, PairConditions.NONE);
        return new EndRule(criteria, OwnWords.DEFAULT_MOST, false, false, false);
    }

    private static EndRule with(EndRule rule, int maxOwnWords, boolean shortTexts, boolean sameId) {
        return new EndRule(rule.criteria(), maxOwnWords, shortTexts, sameId, false);
    }

    public void testTheStateOfAFingerprint() {
        EndRule ofCandidates = new EndRule(VERIFIED.criteria(), OwnWords.DEFAULT_MOST, false, false, true);
        List<EndRule> rules = List.of(VERIFIED, UNVERIFIED, ofCandidates);
        for (State state : State.values()) {
            for (int i = 0; i < rules.size(); i++) {
                Obstacle obstacle = rules.get(i).ofDocument(state);
                assertEquals(state + " " + i, STATES.get(state).get(i), obstacle == null);
                assertTrue(obstacle == null || obstacle.name().equals(state.name()));
                boolean mayLink = obstacle == null || state == State.SHORT_TEXT;
                assertEquals(state + " " + i, mayLink, rules.get(i).mayLink(state));
            }
        }
        assertNull(with(VERIFIED, 15, true, false).ofDocument(State.SHORT_TEXT));
    }

    public void testLimits() {
        assertEquals(16, EndRule.mostBits(64, true, true));
        assertEquals(3, EndRule.mostBits(64, false, true));
        assertEquals(16, EndRule.mostBits(64, false, false));
        assertEquals(64, EndRule.mostBits(256, false, false));
        EndRule.requireBits("delete", 3, 64, false, true, "");
        EndRule.requireBits("delete", null, 64, false, true, "");
        EndRule.requireBits("delete", "near", 64, false, true, "");
        refused(
                "[max_distance] must be between 0 and 3 with [action] delete and [verify] false, got: 4, from [x]",
                () -> EndRule.requireBits("delete", 4, 64, false, true, ", from [x]"));
        refused(
                "[max_distance] must be between 0 and 64 with [action] drop for hashes of 256 bits, got: 65",
                () -> EndRule.requireBits("drop", 65, 256, false, false, ""));
        EndRule.requireSimilarity("drop", VERIFY, 0.1);
        refused(
                "[min_similarity] of [verify] must be between 0.5 and 1.0 with [action] drop, got: 0.4",
                () -> EndRule.requireSimilarity("drop", VERIFY.withMinSimilarity(0.4), null));
        refused(
                "[min_similarity] must be between 0.5 and 1.0 with [action] drop and [verify] false, got: 0.4",
                () -> EndRule.requireSimilarity("drop", null, 0.4));
        assertEquals(15, EndRule.maxOwnWords(null));
        refused("[max_own_words] must be between -1 and 1000000, got: -2", () -> EndRule.maxOwnWords(-2));
        VERIFIED.requireFor("delete", List.of("simhash-v1"));
        UNVERIFIED.requireFor("delete", List.of("simhash-v1", "given-x"));
        rule(null, 16).requireFor("delete", List.of("phash-v1", "given-x"));
        refused(
                "[verify] must be false with [action] delete where fingerprints are not made of text,"
                        + " got: fingerprints of the schemes [given-x]",
                () -> VERIFIED.requireFor("delete", List.of("simhash-v1", "given-x")));
        refused(
                "[max_distance] must be between 0 and 3 with [action] delete and [verify] false, got: 4",
                () -> rule(null, 4).requireFor("delete", List.of("simhash-v1")));
    }

    private static void refused(String message, Runnable check) {
        assertEquals(
                message,
                expectThrows(IllegalArgumentException.class, check::run).getMessage());
    }

    public void testIds() throws Exception {
        String text = words("a", 60);
        Looked document = looked("new", "1", text, "none");
        assertEquals(Obstacle.SAME_ID, obstacle(VERIFIED, document, looked("old", "1", text, "none")));
        assertNull(obstacle(VERIFIED, document, looked("old", "2", text, "none")));
        assertNull(obstacle(VERIFIED, document, looked("new", "2", text, "none")));
        assertNull(obstacle(with(VERIFIED, 15, false, true), document, looked("old", "1", text, "none")));
    }

    /** Fewer words than {@code min_features}, or fewer features, and so no fingerprint. */
    public void testShortTexts() throws Exception {
        for (String text : List.of("Thanks!", "See attachment.", "物业管理", "This page is intentionally left blank.")) {
            assertEquals(text, Obstacle.SHORT_TEXT, ofTexts(VERIFIED, text, text));
            assertEquals(text, Obstacle.SHORT_TEXT, ofTexts(UNVERIFIED, text, text));
            assertNull(text, ofTexts(with(VERIFIED, 15, true, false), text, text));
        }
        assertNull(ofTexts(VERIFIED, words("a", 8), words("a", 8)));
        assertEquals(Obstacle.NO_TEXT, ofTexts(with(VERIFIED, 15, true, false), "-", "-"));
    }

    public void testOwnWords() throws Exception {
        String text = words("a", 60);
        for (EndRule rule : List.of(VERIFIED, with(UNVERIFIED, 15, false, false))) {
            boolean isVerified = rule.criteria().verification() != null;
            assertNull(ofTexts(rule, text, text));
            assertEquals(
                    isVerified ? Obstacle.OWN_TEXT : Obstacle.FAR, ofTexts(rule, words("own", 30) + " " + text, text));
        }
        assertNull(ofTexts(VERIFIED, words("own", 15) + " " + text, text));
        assertEquals(Obstacle.OWN_TEXT, ofTexts(VERIFIED, words("own", 16) + " " + text, text));
        assertNull(ofTexts(with(VERIFIED, OwnWords.UNLIMITED, false, false), words("own", 16) + " " + text, text));
        assertNull("what the original has more", ofTexts(VERIFIED, text, words("own", 16) + " " + text));
    }

    /** What {@code html: main} leaves out counts as well; links only where they are more than the article. */
    public void testWhatIsAroundAnArticle() throws Exception {
        String article = "<article><h1>Of rivers</h1><p>" + words("a", 80) + ".</p></article>";
        String other = page(article, "<aside>" + words("b", 20) + "</aside>");
        for (String part : List.of("aside", "nav", "footer", "header")) {
            String own = "<" + part + ">" + words("c", 16) + "</" + part + ">";
            assertEquals(part, Obstacle.OWN_TEXT, ofPages(page(article, own), other));
            assertNull(part, ofPages(page(article, own), page(article, own)));
            assertNull(part, ofPages(page(article, own.replace(words("c", 16), words("c", 15))), other));
        }
        String comments = "<div class=\"comments\"><p>" + words("c", 40) + "</p></div>";
        assertEquals(Obstacle.OWN_TEXT, ofPages(page(article, comments), other));
        assertNull("has less", ofPages(page(article, ""), page(article, comments)));
        String few = "<main><p>" + words("a", 12) + ".</p></main>";
        assertEquals(
                "a short article",
                Obstacle.OWN_TEXT,
                ofPages(page(few, "<aside>red shoe 42 leather</aside>"), page(few, "<aside>blue wool coat</aside>")));
        assertNull("another menu", ofPages(page(article, links("c", 60)), other));
        assertEquals("more links than text", Obstacle.OWN_TEXT, ofPages(page(article, links("c", 120)), other));
    }

    private static String page(String article, String around) {
        return "<html><body><nav><a href=\"/\">home</a></nav>" + article + around + "</body></html>";
    }

    private static String links(String word, int count) {
        return "<nav><ul>"
                + IntStream.range(0, count / 3)
                        .mapToObj(i -> "<li><a href=\"/" + i + "\">" + words(word + i, 3) + "</a></li>")
                        .collect(Collectors.joining())
                + "</ul></nav>";
    }

    private static String words(String word, int count) {
        return IntStream.range(0, count).mapToObj(i -> word + "word" + i).collect(Collectors.joining(" "));
    }

    private static Obstacle ofTexts(EndRule rule, String text, String original) throws Exception {
        return obstacle(rule, looked("docs", "1", text, "none"), looked("docs", "2", original, "none"));
    }

    private static Obstacle ofPages(String page, String original) throws Exception {
        return obstacle(VERIFIED, looked("docs", "1", page, "main"), looked("docs", "2", original, "main"));
    }

    private static Obstacle obstacle(EndRule rule, Looked document, Looked original) {
        long[] bytes = new long[1];
        try (Ending ending = new Ending(rule, original, more -> bytes[0] += more, () -> {})) {
            return ending.obstacle(document, true);
        } finally {
            assertEquals("all is given back", 0, bytes[0]);
        }
    }

    private static Looked looked(String index, String id, String text, String html) throws Exception {
        Map<String, Processor.Factory> processors = AnalysisModules.processors();
        Map<String, Object> options = new HashMap<>(Map.of("field", "content", "html", html));
        TextProcessor processor = (TextProcessor) processors.get("simhash").create(processors, null, null, options);
        Map<String, Object> source = processor
                .execute(new IngestDocument(
                        index, id, null, null, VersionType.INTERNAL, new HashMap<>(Map.of("content", text))))
                .getSourceAndMetadata();
        source.put("simhash", new HashMap<>((Map<?, ?>) source.get("simhash")));
        PreparingRecipes recipes = new PreparingRecipes(List.of(processor.fingerprinter()), List::of);
        Freshness freshness = Freshness.of(SketchKind.SIMHASH, "simhash", source, recipes, bytes -> {});
        return new Looked(
                new DocumentName(index, id, null), source, freshness.state(), processor.fingerprinter(), null);
    }
}
