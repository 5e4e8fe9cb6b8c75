/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchParseException;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.test.OpenSearchTestCase;

/** From a document to its fingerprint fields. */
public class SimHashProcessorTests extends OpenSearchTestCase {

    private static final String TEXT = "A page about near-duplicates: copies of a text with a few words changed.";

    private Map<String, Processor.Factory> processors;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        processors = AnalysisModules.processors();
    }

    public void testWritesTheFieldsOfTheContract() throws Exception {
        for (int segments = 2; segments <= 8; segments++) {
            Map<String, Object> document = ingest(options("field", "content", "segments", segments), "content", TEXT);
            Map<?, ?> fields = (Map<?, ?>) document.get("simhash");
            List<Object> names = new ArrayList<>(List.of("hash", "bits", "digest", "features", "scheme"));
            String binary = "";
            for (int i = 0; i < segments; i++) {
                names.add("segment_" + i);
                int width = 64 / segments + (i < 64 % segments ? 1 : 0);
                String slice = (String) fields.get("segment_" + i);
                assertTrue(slice, slice.matches("[0-9a-f]{" + (width + 3) / 4 + "}"));
                String bits = Long.toBinaryString(HexFormat.fromHexDigitsToLong(slice));
                binary += "0".repeat(width - bits.length()) + bits;
            }
            assertEquals(Set.copyOf(names), fields.keySet());
            assertEquals(fields.get("bits"), Long.parseUnsignedLong(binary, 2));
            assertEquals(fields.get("bits"), HexFormat.fromHexDigitsToLong((String) fields.get("hash")));
            assertTrue(fields.get("hash").toString().matches("[0-9a-f]{16}"));
            assertTrue(fields.get("digest").toString().matches("[0-9a-f]{32}"));
            assertTrue(fields.get("scheme").toString().matches("v3-[0-9a-f]{8}"));
            assertEquals("12 words and 13 pairs", 25, fields.get("features"));
            assertEquals("the text stays", TEXT, document.get("content"));
        }
    }

    public void testATextOfFewFeaturesGetsNoFingerprint() throws Exception {
        Map<?, ?> fields = (Map<?, ?>)
                ingest(options("field", "content"), "content", "one two three").get("simhash");
        assertEquals(Set.of("digest", "features", "scheme"), fields.keySet());
    }

    /** Two scans without a text are no duplicates of one another. */
    public void testATextWithoutWordsGetsNoDigest() throws Exception {
        for (String text : List.of("", "   ", "\u00a0", "-", "\u2014", "!!! ...", "<img src='a.png'>")) {
            Map<?, ?> fields = (Map<?, ?>) ingest(options("field", "content", "html", "text"), "content", text)
                    .get("simhash");
            assertEquals(text, Set.of("features", "scheme"), fields.keySet());
            assertEquals(0, fields.get("features"));
        }
        for (String analyzer : List.of("whitespace", "keyword", "simple", "pattern")) {
            for (String text :
                    List.of("", "   ", "\u00a0\u3000", "\ufeff", "-----", "\u2014", "!!! ...", "= = =", "_")) {
                Map<?, ?> fields = (Map<?, ?>)
                        ingest(options("field", "content", "analyzer", analyzer, "min_features", 1), "content", text)
                                .get("simhash");
                assertEquals(analyzer + " " + text, Set.of("features", "scheme"), fields.keySet());
            }
            for (String text : List.of("17", "a", "\ud83d\ude00", "\u00bd", "\u6c34")) {
                Map<?, ?> fields = (Map<?, ?>)
                        ingest(options("field", "content", "analyzer", analyzer, "min_features", 1), "content", text)
                                .get("simhash");
                boolean isRead = analyzer.equals("whitespace") || analyzer.equals("keyword");
                assertTrue(analyzer + " " + text, isRead == false || fields.containsKey("digest"));
            }
        }
    }

    public void testAStaleFingerprintIsReplacedAsAWhole() throws Exception {
        Map<String, Object> fresh = ingest(options("field", "content"), "content", TEXT);
        Map<String, Object> stale = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            stale.put("segment_" + i, "ff");
        }
        stale.put("group", "17");
        assertEquals(fresh, ingest(options("field", "content"), "content", TEXT, "simhash", stale));
        assertEquals(fresh, ingest(options("field", "content"), "content", TEXT, "simhash", "a text"));
        assertEquals(fresh, ingest(options("field", "content"), "content", TEXT, "simhash", List.of(stale, stale)));
        Map<?, ?> tooShort = (Map<?, ?>) ingest(options("field", "content"), "content", "two words", "simhash", stale)
                .get("simhash");
        assertEquals(Set.of("digest", "features", "scheme"), tooShort.keySet());
    }

    /** A group, decisions and sizes are others'. They stay with the text that they are about, however the object is written. */
    public void testWhatOthersWroteStaysWhileTheTextStays() throws Exception {
        Map<String, Object> said =
                Map.of("group", "g", "duplicate_of", "a", "apart", List.of("b", "c"), "copies", Map.of("all", 2));
        for (String processor : List.of("simhash", "minhash", "passages")) {
            for (String target : List.of(processor, "prints.of.text", "_ingest._value.print")) {
                Map<String, Object> options = options("field", "content", "target_field", target);
                Map<String, Object> made = made(processor, options, TEXT.repeat(3), null);
                Map<String, Object> before = new HashMap<>(made);
                before.putAll(said);
                before.put("segment_7", "ff");
                before.put("bands", List.of("0-ff"));
                Map<String, Object> kept = new HashMap<>(made);
                kept.putAll(said);
                assertEquals(target, kept, made(processor, options, TEXT.repeat(3), before));
                assertEquals(target, kept, made(processor, options, TEXT.repeat(3), List.of(before)));
                Map<String, Object> changed =
                        made(processor, options, TEXT.replace("a", "o").repeat(3), before);
                assertTrue(changed.toString(), Collections.disjoint(changed.keySet(), said.keySet()));
                before.put("scheme", "v3-00000000");
                assertEquals(target, made, made(processor, options, TEXT.repeat(3), before));
                assertEquals(target, made, made(processor, options, TEXT.repeat(3), List.of(before, before)));
            }
        }
        Map<String, Object> document = ingest(options("field", "content"), "content", TEXT);
        Map<?, ?> parts = (Map<?, ?>) document.get("simhash");
        Map<?, ?> withDots = (Map<?, ?>) ingest(
                        options("field", "content"),
                        "content",
                        TEXT,
                        "simhash.group",
                        "g",
                        "simhash",
                        new HashMap<>(parts))
                .get("simhash");
        assertEquals("g", withDots.get("group"));
    }

    @SuppressWarnings("unchecked") // made here
    private Map<String, Object> made(String processor, Map<String, Object> options, String text, Object before)
            throws Exception {
        String target = options.get("target_field").toString();
        Map<String, Object> source = new HashMap<>(Map.of("content", text));
        IngestDocument document = new IngestDocument("index", "1", null, 1L, VersionType.INTERNAL, source);
        document.getIngestMetadata().put("_value", new HashMap<>());
        if (before != null) {
            document.setFieldValue(target, before);
        }
        processors
                .get(processor)
                .create(processors, "tag", null, new HashMap<>(options))
                .execute(document);
        return new HashMap<>((Map<String, Object>) document.getFieldValue(target, Map.class));
    }

    /** For the mapping they are the same fields: a document had two fingerprints. */
    public void testStaleFieldsUnderNamesWithDotsAreTakenOut() throws Exception {
        assertEquals(
                ingest(options("field", "content"), "content", TEXT, "simhashes", "x"),
                ingest(
                        options("field", "content"),
                        "content",
                        TEXT,
                        "simhashes",
                        "x",
                        "simhash.hash",
                        "0",
                        "simhash.bits.x",
                        1));
        Map<String, Object> a = new HashMap<>(Map.of("d", 1, "b", new HashMap<>(Map.of("d", 2))));
        Map<String, Object> stale = new HashMap<>(
                Map.of("d", 1, "b", new HashMap<>(Map.of("d", 2, "c.hash", "0")), "b.c", 1, "b.c.bits", 2));
        Map<String, Object> dotted = new HashMap<>(Map.of("c", Map.of("hash", "0"), "cd", 3));
        assertEquals(
                ingest(
                        options("field", "content", "target_field", "a.b.c"),
                        "content",
                        TEXT,
                        "a",
                        a,
                        "a.b",
                        Map.of("cd", 3)),
                ingest(
                        options("field", "content", "target_field", "a.b.c"),
                        "content",
                        TEXT,
                        "a",
                        stale,
                        "a.b",
                        dotted,
                        "a.b.c",
                        5));
    }

    public void testTargetField() throws Exception {
        Map<String, Object> document =
                ingest(options("field", "content", "target_field", "meta.print"), "content", TEXT);
        assertEquals(Set.of("content", "meta"), document.keySet());
        Map<?, ?> meta = (Map<?, ?>) document.get("meta");
        assertEquals(ingest(options("field", "content"), "content", TEXT).get("simhash"), meta.get("print"));
        assertNotEquals(null, meta.get("print"));
    }

    public void testAnElementOfForeach() throws Exception {
        Map<String, Object> element = new HashMap<>(Map.of("text", TEXT, "simhash.hash", "0"));
        Map<String, Object> options = options("field", "_ingest._value.text", "target_field", "_ingest._value.simhash");
        IngestDocument document = new IngestDocument(new HashMap<>(), new HashMap<>(Map.of("_value", element)));
        run(options, document);
        Object fresh = ingest(options("field", "content"), "content", TEXT).get("simhash");
        assertEquals(Map.of("text", TEXT, "simhash", fresh), element);
        assertTrue(document.getSourceAndMetadata().isEmpty());
    }

    public void testThereIsNoElementOutsideOfForeach() {
        Map<String, Object> behindOne = new HashMap<>();
        behindOne.put("_value", null);
        for (Map<String, Object> metadata : List.of(new HashMap<String, Object>(), behindOne)) {
            IngestDocument document = new IngestDocument(new HashMap<>(Map.of("content", TEXT)), metadata);
            Exception e = expectThrows(
                    Exception.class,
                    () -> run(options("field", "content", "target_field", "_ingest._value.simhash"), document));
            assertEquals(
                    "[target_field] must name a field of the document outside of a [foreach], got: _ingest._value.simhash",
                    e.getCause().getMessage());
        }
    }

    public void testIgnoreMissingLetsDocumentsPass() throws Exception {
        Map<String, Object> options = options("fields", List.of("title", "body.text"), "ignore_missing", true);
        Map<String, Object> document = ingest(options, "other", "x", "title", null);
        Map<String, Object> expected = new HashMap<>();
        expected.put("other", "x");
        expected.put("title", null);
        assertEquals(expected, document);
    }

    /** A client may have read another document and written it back without the text. */
    public void testWithoutATextNoFingerprintStays() throws Exception {
        Map<?, ?> carried = new HashMap<>(
                (Map<?, ?>) ingest(options("field", "content"), "content", TEXT).get("simhash"));
        for (Object content : Arrays.asList(null, List.of(), Map.of("a", 1))) {
            for (Object print : List.of(carried, List.of(carried, carried), "a text")) {
                IngestDocument document = new IngestDocument(
                        "docs",
                        "1",
                        null,
                        null,
                        VersionType.INTERNAL,
                        options("content", content, "simhash", print, "simhash.hash", "0123456789abcdef"));
                Processor processor = processors
                        .get("simhash")
                        .create(processors, null, null, options("field", "content", "ignore_missing", true));
                if (content instanceof Map) {
                    expectThrows(IllegalArgumentException.class, () -> processor.execute(document));
                } else {
                    processor.execute(document);
                }
                assertFalse(document.hasField("simhash"));
                assertFalse(document.getSourceAndMetadata().containsKey("simhash.hash"));
            }
        }
    }

    public void testNoFingerprintStaysInAnArray() throws Exception {
        Map<String, Object> print = new HashMap<>(Map.of("hash", "0123456789abcdef"));
        List<Object> mails = new ArrayList<>();
        mails.add(new HashMap<>(Map.of("print", print, "print.bits", 1, "subject", "x")));
        mails.add(new ArrayList<>(List.of(new HashMap<>(Map.of("print", new ArrayList<>(List.of(print)))))));
        Map<String, Object> ingested = ingest(
                options("field", "content", "target_field", "mail.print", "ignore_missing", true), "mail", mails);
        assertEquals(List.of(Map.of("subject", "x"), List.of(Map.of())), ingested.get("mail"));
    }

    public void testOfProcessorsWithOneTargetTheLastWhoseFieldIsThereCounts() throws Exception {
        Processor.Factory factory = processors.get("simhash");
        Processor body = factory.create(processors, null, null, options("field", "body", "ignore_missing", true));
        Processor content = factory.create(processors, null, null, options("field", "content", "ignore_missing", true));
        for (List<Processor> pipeline : List.of(List.of(body, content), List.of(content, body))) {
            IngestDocument document = new IngestDocument(
                    "docs",
                    "1",
                    null,
                    null,
                    VersionType.INTERNAL,
                    options("body", "eight words stand here so that it has features"));
            for (Processor processor : pipeline) {
                processor.execute(document);
            }
            assertTrue(document.hasField("simhash.digest"));
            assertEquals(Set.of("timestamp"), document.getIngestMetadata().keySet());
        }
    }

    /** The first replaces or removes the print of the last. Its text is what it was, and so is what others said of it. */
    public void testWhatOthersWroteStaysWhereProcessorsHaveOneTarget() throws Exception {
        Map<String, Object> title = options("field", "title", "ignore_missing", true);
        Map<String, Object> body = options("field", "body", "ignore_missing", true);
        String text = "eight words stand here so that it has features";
        Map<?, ?> made = (Map<?, ?>) ingest(copy(body), "body", text).get("simhash");
        for (Object print : List.of(grouped(made, "g"), List.of(grouped(made, "g")))) {
            for (Object other : Arrays.asList("A title of other words", null)) {
                for (List<Map<String, Object>> pipeline : List.of(List.of(title, body), List.of(title, title, body))) {
                    Map<String, Object> same = run(pipeline, "title", other, "body", text, "simhash", print);
                    assertEquals(grouped(made, "g"), same.get("simhash"));
                    assertEquals(Set.of("timestamp"), same.get("_ingest"));
                    String changed = text + " and one more";
                    Map<String, Object> rewritten = run(pipeline, "title", other, "body", changed, "simhash", print);
                    assertEquals(ingest(copy(body), "body", changed).get("simhash"), rewritten.get("simhash"));
                }
            }
            Map<String, Object> first = run(List.of(body, title), "body", text, "simhash", print);
            assertEquals(grouped(made, "g"), first.get("simhash"));
            assertEquals(
                    ingest(copy(title), "title", text + " too").get("simhash"),
                    run(List.of(body, title), "title", text + " too", "body", text, "simhash", print)
                            .get("simhash"));
        }
    }

    /** All elements have one target. */
    public void testAnElementGetsNothingThatWasSaidOfAnother() throws Exception {
        String text = "eight words stand here so that it has features";
        Map<?, ?> made =
                (Map<?, ?>) ingest(options("field", "body"), "body", text).get("simhash");
        Map<String, Object> options = options("field", "_ingest._value.text", "target_field", "_ingest._value.simhash");
        Map<String, Object> one = options("text", "Another text", "simhash", grouped(made, "g"));
        Map<String, Object> two = options("text", text);
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, options());
        for (Map<String, Object> element : List.of(one, two)) {
            document.getIngestMetadata().put("_value", element);
            run(copy(options), document);
        }
        assertEquals(made, two.get("simhash"));
    }

    private static Map<String, Object> grouped(Map<?, ?> made, String group) {
        Map<String, Object> grouped = new HashMap<>(Map.of("group", group));
        made.forEach((name, value) -> grouped.put(name.toString(), value));
        return grouped;
    }

    /** The document after some processors, one after the other, with the names of what is left in its metadata. */
    private Map<String, Object> run(List<Map<String, Object>> pipeline, Object... source) throws Exception {
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, options(source));
        for (Map<String, Object> options : pipeline) {
            run(copy(options), document);
        }
        Map<String, Object> all = new HashMap<>(document.getSourceAndMetadata());
        Set<String> left = new HashSet<>(document.getIngestMetadata().keySet());
        left.remove("pipeline");
        all.put("_ingest", left);
        return all;
    }

    public void testAMissingTextIsAnErrorUnlessIgnored() {
        Exception e = expectThrows(
                Exception.class,
                () -> ingest(options("fields", List.of("title^2", "body.text")), "other", "x", "title", null));
        assertEquals(
                "document has none of the fields [title, body.text] of the processor [simhash];"
                        + " [ignore_missing] lets such documents pass",
                e.getCause().getMessage());
    }

    public void testAnObjectIsAnErrorEvenWhenMissingIsIgnored() {
        Exception e = expectThrows(
                Exception.class,
                () -> ingest(options("field", "content", "ignore_missing", true), "content", Map.of("a", "b")));
        assertEquals(
                "field [content] must hold text, numbers, booleans or arrays of these, got: an object",
                e.getCause().getMessage());
    }

    /** Four letters are two runs of three. Ideographs and kana are thousands: three of them are two runs of two. */
    public void testFeaturesOfCharacters() throws Exception {
        assertEquals(List.of("bau aus", "aus us ", "us  s a", "s a  an", " an an "), ofCharacters("Baus\n an"));
        assertEquals(List.of("日本 本語", "本語 語の", "語の の文"), ofCharacters("日本語の文"));
        assertEquals(List.of("ab日 b日本", "b日本 日本", "日本 本c", "本c cd1", "cd1 d1 "), ofCharacters("AB日本cd1"));
        assertEquals(List.of("カタ タカ", "タカ カナ"), ofCharacters("カタカナ"));
    }

    /** Also at the end of a text: equal digests are equal texts. */
    public void testEveryCharacterCountsInFeaturesOfCharacters() throws Exception {
        Map<String, Object> options = options("field", "content", "features", "characters");
        for (String text : List.of("日本語abの文書x1は長い", "文書12", "文書1", "書12", "ab文", "ab")) {
            Object digest = digest(options, text);
            for (int i = 0; i < text.length(); i++) {
                String other = text.substring(0, i) + "変" + text.substring(i + 1);
                assertNotEquals(other, digest, digest(options, other));
            }
            assertEquals("white space at the end", digest, digest(options, text + " \n"));
        }
    }

    private Object digest(Map<String, Object> options, String text) throws Exception {
        return ((Map<?, ?>) ingest(copy(options), "content", text).get("simhash")).get("digest");
    }

    private List<String> ofCharacters(String text) throws Exception {
        TextProcessor processor = (TextProcessor) processors
                .get(SketchKind.SIMHASH.toString())
                .create(processors, null, null, options("field", "content", "features", "characters"));
        List<String> features = new ArrayList<>();
        processor
                .fingerprinter()
                .features(
                        SourceTexts.of(text),
                        (hash, kind, utf8, offset, length) ->
                                features.add(new String(utf8, offset, length, StandardCharsets.UTF_8)),
                        bytes -> {});
        return features;
    }

    public void testLanguageChoosesTheAnalyzer() throws Exception {
        Map<String, Object> byLanguage = options("field", "content", "language_field", "lang", "min_features", 1);
        Map<String, Object> chinese = options("field", "content", "analyzer", "smartcn", "min_features", 1);
        Map<String, Object> standard = options("field", "content", "min_features", 1);
        String text = "我购买了道具和服装。";
        Object hash = hash(ingest(copy(chinese), "content", text));
        assertNotEquals(hash, hash(ingest(copy(standard), "content", text)));
        assertEquals(hash, hash(ingest(copy(byLanguage), "content", text, "lang", "zh-CN")));
        assertEquals(hash(ingest(copy(standard), "content", text)), hash(ingest(copy(byLanguage), "content", text)));
    }

    /** The same text, tagged by two systems, was 35 bits from itself. */
    public void testEveryCodeOfALanguageGivesTheSameFingerprint() throws Exception {
        Map<String, Object> options = options(
                "field",
                "content",
                "language_field",
                "lang",
                "min_features",
                1,
                "analyzers",
                Map.of("de", "german", "no", "norwegian", "fa", "persian"));
        for (List<String> codes : List.of(
                List.of("de", "deu", "ger", "DE", "de-AT", "deu_DE", "german: 'Häuser' sind die Bauten"),
                List.of("no", "nb", "nn", "nob", "nno", "nor", "nb-NO", "Husene og båtene ligger ved elvene"),
                List.of("zh", "zho", "chi", "cmn", "zh-Hant", "ZH_tw", "yue", "我购买了道具和服装。"),
                List.of("fa", "fas", "per", "pes", "fa-IR", "prs", "کتاب‌های ما روی میز است"))) {
            String text = codes.getLast();
            Object expected = ingest(copy(options), "content", text, "lang", codes.getFirst())
                    .get("simhash");
            for (String code : codes.subList(1, codes.size() - 1)) {
                assertEquals(
                        code,
                        expected,
                        ingest(copy(options), "content", text, "lang", code).get("simhash"));
            }
            Object untagged = ingest(copy(options), "content", text).get("simhash");
            assertNotEquals(text, expected, untagged);
            for (String none : List.of("german", "xx", "und", "-", "unknown")) {
                assertEquals(
                        none,
                        untagged,
                        ingest(copy(options), "content", text, "lang", none).get("simhash"));
            }
        }
    }

    /** Of Arabic, Hebrew, Syriac and Samaritan: vowels, signs of recitation, small letters above and below. */
    public void testTextsThatAreEqualButForMarksHaveOneFingerprint() throws Exception {
        String marks = "\u064E\u0651\u06E1\u06E5\u06E6\u06DA\u08F0\u0670\u0656";
        for (List<String> texts : List.of(
                List.of("الكتاب على الطاولة في البيت القديم قرب النهر", marks),
                List.of("הספר על השולחן בבית הישן ליד הנהר הגדול", "\u05B8\u05BC\u0596\u05C1"),
                List.of("ܟܬܒܐ ܥܠ ܦܬܘܪܐ ܒܒܝܬܐ ܥܬܝܩܐ", "\u0730\u0741\u0711"),
                List.of("ࠀࠁࠂ ࠃࠄࠅ ࠆࠇࠈ", "\u0819\u081A\u0824"))) {
            StringBuilder marked = new StringBuilder();
            texts.getFirst().chars().forEach(c -> {
                marked.append((char) c);
                if (Character.isLetter(c)) {
                    marked.append(texts.getLast()
                            .charAt(marked.length() % texts.getLast().length()));
                }
            });
            for (String analyzer : List.of("standard", "whitespace", "keyword")) {
                Map<String, Object> options = options("field", "content", "analyzer", analyzer, "min_features", 1);
                assertEquals(
                        analyzer,
                        hash(ingest(copy(options), "content", texts.getFirst())),
                        hash(ingest(copy(options), "content", marked.toString().replace("ال", "\u0671ل"))));
            }
        }
    }

    public void testAWrongCodeIsDetectedAsIfItWereMissing() throws Exception {
        Map<String, Object> options = options(
                "field",
                "content",
                "language_field",
                "lang",
                "language_detection",
                true,
                "analyzers",
                Map.of("de", "german"));
        String text =
                "Die Häuser der Städte stehen dicht an dicht, und ihre Bewohner kennen einander seit vielen Jahren";
        Object german = ingest(copy(options), "content", text, "lang", "ger").get("simhash");
        assertNotEquals(
                german, ingest(copy(options), "content", text, "lang", "en").get("simhash"));
        assertNotEquals(
                german, ingest(copy(options), "content", text, "lang", "nds").get("simhash"));
        for (Object wrong : List.of("german", "xx", "und", "", List.of("?", "DEU"))) {
            assertEquals(
                    german,
                    ingest(copy(options), "content", text, "lang", wrong).get("simhash"));
        }
    }

    public void testAnalyzersAreMappedByEveryCode() throws Exception {
        String text = "Husene og båtene ligger ved elvene";
        Map<String, Object> standard = options("field", "content", "min_features", 1);
        for (String key : List.of("no", "nb", "nno", "NOR")) {
            Map<String, Object> mapped = options(
                    "field",
                    "content",
                    "language_field",
                    "lang",
                    "min_features",
                    1,
                    "analyzers",
                    Map.of(key, "standard"));
            for (String code : List.of("no", "nob", "nn-NO")) {
                assertEquals(
                        hash(ingest(copy(standard), "content", text)),
                        hash(ingest(copy(mapped), "content", text, "lang", code)));
            }
        }
    }

    public void testUnknownOptionsRefuseThePipeline() {
        OpenSearchParseException e =
                expectThrows(OpenSearchParseException.class, () -> pipeline(options("field", "a", "max_distance", 3)));
        assertEquals("unknown option [max_distance]", e.getMessage());
    }

    public void testWrongOptionsRefuseThePipeline() {
        assertRefused("[target_field] must name a field, got an empty name", "target_field", "");
        assertRefused("[ignore_missing] must be true or false, got: maybe", "ignore_missing", "maybe");
        assertRefused("[analyzer] must be an analyzer that node [node_t0] knows, got: klingon", "analyzer", "klingon");
        assertRefused("[segments] must be between 2 and 8, got: 99", "segments", 99);
    }

    /** It would be written over the text, or into it. */
    public void testATargetThatIsReadRefusesThePipeline() throws Exception {
        for (List<String> names : List.of(
                List.of("text", "text"),
                List.of("text.hash", "text"),
                List.of("page", "page.text"),
                List.of("lang", "lang"),
                List.of("_source.text", "text"))) {
            var e = expectThrows(
                    OpenSearchParseException.class,
                    () -> pipeline(options(
                            "fields",
                            List.of("page.text", "text"),
                            "language_field",
                            "lang",
                            "target_field",
                            names.get(0))));
            assertEquals(
                    "[target_field] must be apart from the fields that are read, got: "
                            + names.get(0).replace("_source.", "") + " beside " + names.get(1),
                    e.getMessage());
        }
        assertNotNull(pipeline(options("field", "page.text", "target_field", "page.texts")));
        assertNotNull(pipeline(options("field", "page.text", "target_field", "page.text_hash")));
    }

    public void testATargetOutsideOfTheDocumentRefusesThePipeline() {
        for (String target :
                List.of("_id", "_id.hash", "_source", "_ingest", "_ingest.x", "_ingest._key", "_ingest._values.x")) {
            assertRefused("[target_field] must name a field of the document, got: " + target, "target_field", target);
        }
    }

    public void testStandardOptions() throws Exception {
        Map<String, Object> options = options("field", "content", "tag", "t", "description", "d");
        Processor processor = pipeline(options).flattenAllProcessors().getFirst();
        assertEquals("simhash", processor.getType());
        assertEquals("t", processor.getTag());
        assertEquals("d", processor.getDescription());
        Map<String, Object> document =
                ingest(options("field", "content", "ignore_failure", true), "content", Map.of("an", "object"));
        assertEquals(Map.of("content", Map.of("an", "object")), document);
    }

    private void assertRefused(String message, String option, Object value) {
        OpenSearchParseException e = expectThrows(
                OpenSearchParseException.class, () -> pipeline(options("field", "content", option, value, "tag", "t")));
        assertEquals(message, e.getMessage());
        assertEquals(List.of("simhash"), e.getMetadata("opensearch.processor_type"));
        assertEquals(List.of("t"), e.getMetadata("opensearch.processor_tag"));
    }

    private static Object hash(Map<String, Object> document) {
        return ((Map<?, ?>) document.get("simhash")).get("hash");
    }

    private static Map<String, Object> copy(Map<String, Object> options) {
        return new HashMap<>(options);
    }

    /** The document's own fields after it went through a pipeline of this one processor. */
    private Map<String, Object> ingest(Map<String, Object> options, Object... source) throws Exception {
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, options(source));
        run(options, document);
        Map<String, Object> fields = new HashMap<>(document.getSourceAndMetadata());
        for (IngestDocument.Metadata metadata : IngestDocument.Metadata.values()) {
            fields.remove(metadata.getFieldName());
        }
        return fields;
    }

    private void run(Map<String, Object> options, IngestDocument document) throws Exception {
        List<Exception> failures = new ArrayList<>();
        document.executePipeline(pipeline(options), (result, failure) -> {
            if (failure != null) {
                failures.add(failure);
            }
        });
        if (failures.isEmpty() == false) {
            throw failures.getFirst();
        }
    }

    private Pipeline pipeline(Map<String, Object> options) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("processors", List.of(new HashMap<>(Map.of("simhash", options))));
        return Pipeline.create("p", config, processors, null);
    }

    private static Map<String, Object> options(Object... keysAndValues) {
        Map<String, Object> options = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return options;
    }
}
