/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.LeafEffort;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.PassagesQuery;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;

/** What the query finds in texts of six languages, against all pairs of runs; and where, to the character. */
public class PassagesDuelTests extends LuceneTestCase {

    /** All pairs of which are compared by brute force. */
    private static final int TEXTS = 2_000;

    /** {@code -Dpassages.texts=100000}: so many. */
    private static final int MANY = Rounds.of("passages.texts", 3_000, 20_000);

    /** All lie within the hits of a search: no text is in so many. */
    private static final int MOST_HITS = 1_000;

    /** How a language writes its words, for texts of no sense. */
    private enum Language {
        EN("abcdefghijklmnopqrstuvwxyz", " ", ". "),
        DE("abcdefghijklmnopqrstuvwxyzäöüß", " ", ". "),
        RU("абвгдежзийклмнопрстуфхцчшщъыьэюя", " ", ". "),
        AR("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", " ", "، "),
        ZH(ideographs(0x4E00, 3000), "", "。"),
        JA(ideographs(0x5E00, 1000) + "あいうえおかきくけこさしすせそたちつてとなにぬねの", "", "、");

        private final String letters;
        private final String space;
        private final String stop;

        Language(String letters, String space, String stop) {
            this.letters = letters;
            this.space = space;
            this.stop = stop;
        }

        private static String ideographs(int first, int count) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < count; i++) {
                all.append((char) (first + i));
            }
            return all.toString();
        }

        String text(Random random, int words) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < words; i++) {
                int length = space.isEmpty() ? 1 : 3 + random.nextInt(6);
                int begin = text.length();
                for (int j = 0; j < length; j++) {
                    text.append(letters.charAt(random.nextInt(letters.length())));
                }
                if (random.nextInt(9) == 0) {
                    text.setCharAt(begin, Character.toUpperCase(text.charAt(begin)));
                }
                text.append(i == words - 1 ? "" : random.nextInt(12) == 0 ? stop : space);
            }
            return text.toString();
        }
    }

    /** A text with a paragraph of another one. */
    private record Spliced(String text, int other, int from, int to, int otherFrom, int otherTo) {}

    private static Fingerprinter recipe(HtmlExtraction html, PassageLayout layout) {
        return new RecipeBuilder()
                .fields(new WeightedField("content", 1))
                .html(html)
                .passages(layout)
                .standard();
    }

    private static final Fingerprinter RECIPE = recipe(HtmlExtraction.NONE, PassageLayout.DEFAULT);

    private static Document document(Fingerprinter recipe, int id, String text) throws IOException {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
        for (String term : recipe.passageTerms(SourceTexts.of(text), bytes -> {})) {
            document.add(new StringField("terms", term, Field.Store.NO));
        }
        byte[] source = JsonXContent.contentBuilder()
                .startObject()
                .field("content", text)
                .endObject()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        document.add(new StoredField("_source", new BytesRef(source)));
        return document;
    }

    private static PassagesQuery query(Fingerprinter recipe, String text, PassageRule rule, List<LeafEffort> efforts) {
        return query(recipe, text, rule, Integer.MAX_VALUE, efforts);
    }

    private static PassagesQuery query(
            Fingerprinter recipe, String text, PassageRule rule, int mostCompared, List<LeafEffort> efforts) {
        PassageTarget target = new PassageTarget(SourceTexts.of(text), recipe.scheme());
        StoredPassages texts = new StoredPassages(target, recipe, bytes -> {}, new SearchMemory(bytes -> {}));
        return new PassagesQuery(
                new IndexedFields("terms", "terms", "terms", List.of()),
                target,
                rule.resolved(recipe.recipe().passages()),
                mostCompared,
                texts,
                efforts::add);
    }

    private static PassagesQuery query(String text, int minWords) {
        return query(RECIPE, text, new PassageRule(minWords, 0, PassageRule.Of.SMALLER, null), new ArrayList<>());
    }

    /** Each text in three is spliced. */
    private static List<Spliced> texts(Random random, int count) {
        List<Spliced> texts = new ArrayList<>();
        Language[] languages = Language.values();
        for (int i = 0; i < count; i++) {
            Language language = languages[i % languages.length];
            if (i < languages.length || random.nextInt(3) > 0) {
                List<String> parts = new ArrayList<>();
                for (int part = 0; part < 3; part++) {
                    parts.add(language.text(random, 10 + random.nextInt(50)));
                }
                texts.add(new Spliced(String.join("\n\n", parts), -1, 0, 0, 0, 0));
            } else {
                int other = random.nextInt(i / languages.length) * languages.length + i % languages.length;
                String otherText = texts.get(other).text();
                String[] parts = otherText.split("\n\n", -1);
                String part = parts[random.nextInt(parts.length)];
                String before = random.nextBoolean() ? "" : language.text(random, 20) + "\n\n";
                String after = "\n\n" + language.text(random, 30);
                int otherFrom = otherText.indexOf(part);
                texts.add(new Spliced(
                        before + part + after,
                        other,
                        before.length(),
                        before.length() + part.length(),
                        otherFrom,
                        otherFrom + part.length()));
            }
        }
        return texts;
    }

    private static List<Long> words(Fingerprinter recipe, String text) {
        Words words = recipe.words(SourceTexts.of(text), bytes -> {});
        List<Long> hashes = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            hashes.add(words.hash(i));
        }
        return hashes;
    }

    private static Map<List<Long>, Set<Integer>> runs(List<Spliced> texts, int length) {
        Map<List<Long>, Set<Integer>> runs = new HashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            List<Long> words = words(RECIPE, texts.get(i).text());
            for (int w = 0; w + length <= words.size(); w++) {
                runs.computeIfAbsent(words.subList(w, w + length), run -> new HashSet<>())
                        .add(i);
            }
        }
        return runs;
    }

    private static boolean shareRun(String a, String b) {
        Set<List<Long>> runs = new HashSet<>();
        List<Long> words = words(RECIPE, a);
        for (int w = 0; w + 15 <= words.size(); w++) {
            runs.add(words.subList(w, w + 15));
        }
        List<Long> others = words(RECIPE, b);
        for (int w = 0; w + 15 <= others.size(); w++) {
            if (runs.contains(others.subList(w, w + 15))) {
                return true;
            }
        }
        return false;
    }

    /** The texts that share a run of random words, but for what chance adds at the ends of a short paragraph. */
    private static Map<String, Set<Integer>> paragraphs(List<Spliced> texts) {
        Map<String, Set<Integer>> paragraphs = new HashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            for (String part : texts.get(i).text().split("\n\n", -1)) {
                if (words(RECIPE, part).size() >= 15) {
                    paragraphs.computeIfAbsent(part, any -> new HashSet<>()).add(i);
                }
            }
        }
        return paragraphs;
    }

    public void testParagraphsOfKnownPlacesAmongManyTexts() throws IOException {
        List<Spliced> texts = texts(new Random(random().nextLong()), MANY);
        Map<String, Set<Integer>> paragraphs = paragraphs(texts);
        int spliced = 0;
        int right = 0;
        try (Directory directory = newFSDirectory(createTempDir())) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int i = 0; i < MANY; i++) {
                    writer.addDocument(document(RECIPE, i, texts.get(i).text()));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int i = 0; i < MANY; i++) {
                    int other = texts.get(i).other();
                    if (other >= 0 || i % 10 == 0) {
                        Set<Integer> expected = new HashSet<>(Set.of(i));
                        for (String part : texts.get(i).text().split("\n\n", -1)) {
                            expected.addAll(paragraphs.getOrDefault(part, Set.of()));
                        }
                        PassagesQuery query = query(texts.get(i).text(), 15);
                        Map<Integer, ScoreDoc> found = search(searcher, query);
                        Set<Integer> both = new HashSet<>(expected);
                        both.addAll(found.keySet());
                        for (int seen : both) {
                            if (expected.contains(seen) != found.containsKey(seen)) {
                                String text = texts.get(seen).text();
                                assertEquals(
                                        i + " and " + seen,
                                        found.containsKey(seen),
                                        shareRun(texts.get(i).text(), text));
                            }
                        }
                        if (found.containsKey(other)) {
                            spliced++;
                            right += isRight(texts.get(i), evidence(searcher, query, found.get(other))) ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertTrue(right + " of " + spliced, right >= .99 * spliced);
    }

    public void testFindsAllPairsWithARunAndNoOthersAndSaysWhere() throws IOException {
        Random random = new Random(random().nextLong());
        List<Spliced> texts = texts(random, TEXTS);
        int spliced = 0;
        int right = 0;
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < TEXTS; i++) {
                    writer.addDocument(document(RECIPE, i, texts.get(i).text()));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int minWords : new int[] {15, 26}) {
                    Map<List<Long>, Set<Integer>> runs = runs(texts, minWords);
                    for (int i = 0; i < TEXTS; i += minWords == 15 ? 1 : 7) {
                        List<Long> words = words(RECIPE, texts.get(i).text());
                        Set<Integer> expected = new HashSet<>();
                        for (int w = 0; w + minWords <= words.size(); w++) {
                            expected.addAll(runs.get(words.subList(w, w + minWords)));
                        }
                        PassagesQuery query = query(texts.get(i).text(), minWords);
                        Map<Integer, ScoreDoc> found = search(searcher, query);
                        assertEquals("text " + i, expected, found.keySet());
                        int other = texts.get(i).other();
                        if (minWords == 15 && other >= 0 && found.containsKey(other)) {
                            spliced++;
                            right += isRight(texts.get(i), evidence(searcher, query, found.get(other))) ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertTrue(spliced + " spliced", spliced > 180);
        assertTrue(right + " of " + spliced, right >= .99 * spliced);
    }

    private static Map<Integer, ScoreDoc> search(IndexSearcher searcher, PassagesQuery query) throws IOException {
        Map<Integer, ScoreDoc> found = new TreeMap<>();
        for (ScoreDoc hit : searcher.search(query, MOST_HITS).scoreDocs) {
            found.put(Integer.valueOf(searcher.storedFields().document(hit.doc).get("id")), hit);
        }
        return found;
    }

    private static PassagesQuery.Match evidence(IndexSearcher searcher, PassagesQuery query, ScoreDoc hit)
            throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            if (hit.doc >= leaf.docBase
                    && hit.doc < leaf.docBase + leaf.reader().maxDoc()) {
                PassagesQuery.Match match = query.matches(leaf, () -> {}).apply(hit.doc - leaf.docBase);
                assertEquals(hit.score, match.shared().words(), 0);
                return match;
            }
        }
        throw new AssertionError(hit);
    }

    /** The hit is the text that the paragraph is from. */
    private static boolean isRight(Spliced text, PassagesQuery.Match match) {
        Map<?, ?> longest = match.passages().getFirst();
        Map<?, ?> inSource = (Map<?, ?>) longest.get("other");
        return match.passages().size() == 1
                && longest.get("from").equals(text.otherFrom())
                && longest.get("to").equals(text.otherTo())
                && inSource.get("from").equals(text.from())
                && inSource.get("to").equals(text.to());
    }

    public void testIsALuceneQuery() throws IOException {
        Random random = new Random(random().nextLong());
        List<Spliced> texts = texts(random, 200);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < texts.size(); i++) {
                    writer.addDocument(document(RECIPE, i, texts.get(i).text()));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = newSearcher(reader);
                for (int i = 0; i < 2; i++) {
                    String text = texts.get(random.nextInt(texts.size())).text();
                    QueryUtils.check(random(), query(text, 15), searcher);
                    QueryUtils.checkEqual(query(text, 15), query(text, 15));
                    QueryUtils.checkUnequal(query(text, 15), query(text, 16));
                    QueryUtils.checkUnequal(query(text, 15), query(text + " x", 15));
                }
            }
        }
    }

    /** OpenSearch takes a timeout for the end of a search only while documents are collected. Before that it is a failure. */
    public void testATimeoutEndsTheSearchWhenADocumentIsCompared() throws IOException {
        String text = Language.EN.text(new Random(random().nextLong()), 2_000);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                writer.addDocument(document(RECIPE, 0, text));
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                boolean[] isOver = {true};
                IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(reader, () -> isOver[0]));
                PassagesQuery query = query(text, 15);
                LeafReaderContext leaf = searcher.getIndexReader().leaves().getFirst();
                Weight late = query.createWeight(searcher, ScoreMode.COMPLETE, 1);
                DocIdSetIterator documents = late.scorer(leaf).iterator();
                expectThrows(ExitableDirectoryReader.ExitingReaderException.class, documents::nextDoc);
                isOver[0] = false;
                Weight weight = query.createWeight(searcher, ScoreMode.COMPLETE, 1);
                assertEquals(0, weight.scorer(leaf).iterator().nextDoc());
            }
        }
    }

    /** A footer that all share proposes nothing, unless it is the whole source. */
    public void testBlocksProposeNoDocuments() throws IOException {
        Random random = new Random(random().nextLong());
        String footer = Language.EN.text(random, 40);
        String own = Language.EN.text(random, 40);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < 300; i++) {
                    // No two have the word before the footer in common, which would make a rare term of both.
                    writer.addDocument(document(RECIPE, i, Language.EN.text(random, 40) + " n" + i + "\n" + footer));
                }
                writer.addDocument(document(RECIPE, 300, own));
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                // A run at the begin of the footer is a term of some documents only, by the words before it. So two
                // documents are the limit.
                PassageRule rule = new PassageRule(15, 0, PassageRule.Of.SMALLER, .007);
                PassagesQuery mail = query(RECIPE, own + " own\n" + footer, rule, new ArrayList<>());
                assertEquals(Set.of(300), search(searcher, mail).keySet());
                Explanation explained = searcher.explain(mail, 0);
                assertFalse(explained.isMatch());
                assertTrue(
                        explained.getDescription(),
                        explained
                                .getDescription()
                                .matches("not proposed by one of \\d+ terms; \\d+ terms of more than"
                                        + " 2 documents each are blocks and propose none"));
                assertEquals(
                        300,
                        search(searcher, query(RECIPE, footer, rule, new ArrayList<>()))
                                .size());
                PassageRule all = new PassageRule(15, 0, PassageRule.Of.SMALLER, 1.0);
                assertEquals(
                        301,
                        search(searcher, query(RECIPE, own + "\n" + footer, all, new ArrayList<>()))
                                .size());
                PassageRule half = new PassageRule(15, .6, PassageRule.Of.QUERY, 1.0);
                assertEquals(
                        Set.of(),
                        search(searcher, query(RECIPE, own + "\n" + footer, half, new ArrayList<>()))
                                .keySet());
            }
        }
    }

    /** A term that two documents have makes a pair: a share of few documents is never less. */
    public void testASmallShareOfFewDocumentsFindsPairs() throws IOException {
        assertEquals(2, PassageRule.mostDocuments(.01, 99));
        assertEquals(5, PassageRule.mostDocuments(.01, 599));
        assertEquals(PassageRule.FEW_DOCUMENTS, PassageRule.mostDocuments(null, 99));
        Random random = new Random(random().nextLong());
        String text = Language.EN.text(random, 40);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < 99; i++) {
                    String own = Language.EN.text(random, 40);
                    writer.addDocument(document(RECIPE, i, i < 2 ? own + "\n" + text : own));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                PassageRule rule = new PassageRule(15, 0, PassageRule.Of.SMALLER, .01);
                String source = Language.EN.text(random, 40) + "\n" + text;
                PassagesQuery query = query(RECIPE, source, rule, new ArrayList<>());
                assertEquals(
                        Set.of(0, 1), search(new IndexSearcher(reader), query).keySet());
            }
        }
    }

    /** Postings of all documents may take long to read. */
    public void testALateSearchReadsNoMoreTerms() throws IOException {
        Random random = new Random(random().nextLong());
        List<String> texts = new ArrayList<>();
        try (Directory directory = newDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int i = 0; i < 20; i++) {
                    texts.add(Language.EN.text(random, 40));
                    writer.addDocument(document(RECIPE, i, texts.getLast()));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                boolean[] isOver = {false};
                IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(reader, () -> isOver[0]));
                LeafReaderContext leaf = searcher.getIndexReader().leaves().getFirst();
                Weight weight = query(String.join("\n", texts), 15).createWeight(searcher, ScoreMode.COMPLETE, 1);
                assertEquals(20, proposed(weight, leaf));
                isOver[0] = true;
                assertEquals(1, proposed(weight, leaf));
            }
        }
    }

    private static int proposed(Weight weight, LeafReaderContext leaf) throws IOException {
        DocIdSetIterator proposed = weight.scorer(leaf).twoPhaseIterator().approximation();
        int count = 0;
        while (proposed.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            count++;
        }
        return count;
    }

    /** Of runs of 60 words, one term in 46 windows is enough, and a rare one is taken. */
    public void testLongerRunsNeedFewerAndRarerTerms() throws IOException {
        Random random = new Random(random().nextLong());
        String text = Language.EN.text(random, 400);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(
                    random(), directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
                for (int i = 0; i < 50; i++) {
                    writer.addDocument(document(RECIPE, i, text));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                long[] probes = new long[2];
                int[] least = {15, 60};
                for (int i = 0; i < 2; i++) {
                    List<LeafEffort> efforts = new ArrayList<>();
                    PassageRule rule = new PassageRule(least[i], 0, PassageRule.Of.SMALLER, null);
                    assertEquals(
                            50,
                            search(searcher, query(RECIPE, text, rule, efforts)).size());
                    probes[i] = efforts.getFirst().probes();
                }
                assertTrue(Arrays.toString(probes), probes[0] > 70 && probes[1] < 20);
            }
        }
    }

    /** Characters that normalisation changes, joins or takes away; tags and entities of HTML; scripts without spaces. */
    public void testPlacesAreThoseOfTheWrittenText() {
        Random random = new Random(random().nextLong());
        Map<String, String> written = Map.of(
                "“Smart” quotes, a soft\u00ADhyphen, an e\u0301 and a ﬁrst ligature — all of it in one passage, example of many more words here",
                "\"Smart\" quotes, a softhyphen, an é and a first ligature - all of it in one passage, example of many more words here",
                "ตัวอย่างข้อความภาษาไทยที่ไม่มีช่องว่างระหว่างคำ",
                "ตัวอย่างข้อความภาษาไทยที่ไม่มีช่องว่างระหว่างคำ",
                "한국어 문장은 띄어쓰기가 다양하지만 단어는 같은 것으로 취급됩니다 그리고 계속됩니다",
                "한국어 문장은 띄어쓰기가 다양하지만 단어는 같은 것으로 취급됩니다 그리고 계속됩니다");
        PassageLayout layout = new PassageLayout(4, 4);
        written.forEach((text, typed) -> {
            String before = Language.EN.text(random, 20) + "\n";
            String after = "\n" + Language.EN.text(random, 20);
            assertPlace(recipe(HtmlExtraction.NONE, layout), before + text + after, text, typed);
            assertPlace(
                    recipe(HtmlExtraction.TEXT, layout),
                    "<html><!-- no --><script>var a = '<b>';</script><p class=\"x\">" + before + "</p><p>" + text
                            + "</p>&nbsp;&amp;" + after,
                    text,
                    typed);
        });
        assertPlace(
                recipe(HtmlExtraction.TEXT, layout),
                "<p>Some words before it &lt;&gt;</p><p>one two <b>three</b> fo&uuml;r five six seven <a href='#'>eight</a> nine ten</p>end",
                "one two <b>three</b> fo&uuml;r five six seven <a href='#'>eight</a> nine ten",
                "one two three foür five six seven eight nine ten");
    }

    private static void assertPlace(Fingerprinter recipe, String stored, String passage, String typed) {
        SourceTexts texts = SourceTexts.of(stored);
        Words words = recipe.words(texts, bytes -> {});
        Words wanted = recipe.words(SourceTexts.of(typed), bytes -> {});
        List<Long> all = words(recipe, stored);
        int from = Collections.indexOfSubList(all, words(recipe, typed));
        assertTrue("same words: " + typed, from >= 0);
        int[] place = recipe.characters(texts, words, List.of(new int[] {from, from + wanted.size()}), bytes -> {})
                .getFirst();
        assertTrue(typed, place[0] >= 0);
        String found = stored.substring(place[0], place[1]);
        assertEquals(passage, passage.startsWith("“") ? "“" + found : found);
    }

    /** The mail is found whatever stands above, below or between its lines, and is nearly all in the passages. */
    public void testFindsAMailInItsReplies() throws IOException {
        Random random = new Random(random().nextLong());
        int mails = 300;
        String footer = Language.EN.text(random, 35);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < mails; i++) {
            texts.add(String.join("\n", lines(Language.EN.text(random, 50 + random.nextInt(80)))));
        }
        PassageRule rule = new PassageRule(null, .8, PassageRule.Of.QUERY, null);
        int found = 0;
        int foundOthers = 0;
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < mails; i++) {
                    writer.addDocument(document(RECIPE, i, reply(random, texts.get(i), i % 5) + "\n-- \n" + footer));
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int i = 0; i < mails; i++) {
                    Set<Integer> ids = search(searcher, query(RECIPE, texts.get(i), rule, new ArrayList<>()))
                            .keySet();
                    found += ids.contains(i) ? 1 : 0;
                    foundOthers += ids.size() - (ids.contains(i) ? 1 : 0);
                }
            }
        }
        assertTrue(found + " of " + mails, found >= .99 * mails);
        assertEquals(0, foundOthers);
    }

    /** As a mail program breaks them. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > 72) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String reply(Random random, String mail, int kind) {
        String quoted = "> " + mail.replace("\n", "\n> ");
        String own = Language.EN.text(random, 30 + random.nextInt(200));
        return switch (kind) {
            case 0 -> own + "\n\nOn Monday somebody wrote:\n" + quoted;
            case 1 -> "On Monday somebody wrote:\n" + quoted + "\n\n" + own;
            case 2 -> "---------- Forwarded message ---------\nFrom: a@example.org\nSubject: Re: that\n\n" + mail;
            case 3 -> own + "\n>> " + quoted.replace("\n", "\n>> ");
            default -> {
                // An answer behind each third line, so that every part of the mail has 20 words and more.
                String[] lines = quoted.split("\n", -1);
                StringBuilder reply = new StringBuilder();
                for (int i = 0; i < lines.length; i++) {
                    boolean isAnswered = i % 3 == 2 && i + 3 < lines.length;
                    reply.append(lines[i]).append('\n');
                    reply.append(isAnswered ? Language.EN.text(random, 12) + "\n" : "");
                }
                yield reply.toString();
            }
        };
    }

    private static long compared(List<LeafEffort> efforts) {
        return efforts.stream().mapToLong(LeafEffort::compared).sum();
    }

    /** Once enough hits have all words of the source, no other one can be better. */
    public void testComparesNoTextsThatCannotCompete() throws IOException {
        String text = Language.EN.text(new Random(random().nextLong()), 60);
        Document copy = document(RECIPE, 1, text);
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < 2_000; i++) {
                    writer.addDocument(copy);
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                List<LeafEffort> efforts = new ArrayList<>();
                PassageRule rule = new PassageRule(null, 0, PassageRule.Of.SMALLER, null);
                ScoreDoc[] hits = new IndexSearcher(reader)
                        .search(query(RECIPE, text, rule, efforts), new TopScoreDocCollectorManager(10, null, 100))
                        .scoreDocs;
                assertEquals(10, hits.length);
                assertTrue("compared " + compared(efforts), compared(efforts) <= 110);
            }
        }
    }

    /** All share a footer. The last one also has a paragraph of the source, whose terms are rare. */
    public void testABoundedQueryComparesTheDocumentsOfRareTermsAndSomeOthers() throws IOException {
        Random random = new Random(random().nextLong());
        String footer = Language.EN.text(random, 30);
        String paragraph = Language.EN.text(random, 30);
        int count = 1_000;
        try (Directory directory = newDirectory()) {
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
                for (int i = 0; i < count; i++) {
                    String own = i == count - 1 ? paragraph : Language.EN.text(random, 10);
                    Document document = document(RECIPE, i, own + " " + footer);
                    document.add(new StringField("tenant", i < count - 100 ? "a" : "b", Field.Store.NO));
                    writer.addDocument(document);
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                PassageRule rule = new PassageRule(null, 0, PassageRule.Of.SMALLER, 1.0);
                List<LeafEffort> efforts = new ArrayList<>();
                PassagesQuery all = query(RECIPE, paragraph + " " + footer, rule, efforts);
                assertEquals(count, search(searcher, all).size());
                assertEquals(count, compared(efforts));
                efforts.clear();
                PassagesQuery bounded = query(RECIPE, paragraph + " " + footer, rule, 64, efforts);
                Map<Integer, ScoreDoc> found = search(searcher, bounded);
                assertTrue("compared " + compared(efforts), compared(efforts) <= 2 * 64);
                assertEquals(60, found.get(count - 1).score, 0);
                Query ofTenant = new BooleanQuery.Builder()
                        .add(bounded, BooleanClause.Occur.MUST)
                        .add(new TermQuery(new Term("tenant", "b")), BooleanClause.Occur.FILTER)
                        .build();
                int ofOne = searcher.search(ofTenant, count).scoreDocs.length;
                assertTrue("those of other tenants do not count: " + ofOne, ofOne >= 64 && ofOne < 100);
                PassagesQuery enough = query(RECIPE, paragraph + " " + footer, rule, count, efforts);
                assertEquals(
                        search(searcher, all).keySet(), search(searcher, enough).keySet());
                assertNotEquals(all, bounded);
            }
        }
    }

    /** All of them are matches. Equal texts are analysed and compared once for each leaf. */
    public void testManyEqualDocumentsAndAMegabyteOfOneWord() throws IOException {
        String text = Language.EN.text(new Random(random().nextLong()), 40);
        String word = "same ".repeat(200_000);
        int copies = 65_000;
        Document copy = document(RECIPE, 1, text);
        try (Directory directory = newFSDirectory(createTempDir())) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int i = 0; i < copies; i++) {
                    writer.addDocument(copy);
                }
                writer.addDocument(document(RECIPE, 2, word));
                writer.addDocument(document(RECIPE, 3, word + " " + text));
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                assertEquals(copies + 1, searcher.count(query(text, 15)));
                Map<Integer, ScoreDoc> found = search(searcher, query(word, 15));
                assertEquals(Set.of(2, 3), found.keySet());
                assertEquals(200_000, found.get(3).score, 0);
                assertEquals(
                        1,
                        evidence(searcher, query(word, 15), found.get(3))
                                .passages()
                                .size());
            }
        }
    }
}
