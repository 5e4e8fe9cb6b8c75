/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.opensearch.OpenSearchParseException;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.test.OpenSearchTestCase;

/** From a document to the fields of its sketch. */
public class MinHashProcessorTests extends OpenSearchTestCase {

    private static final String TEXT = "A page about near-duplicates: copies of a text with a few words changed.";

    private Map<String, Processor.Factory> processors;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        processors = AnalysisModules.processors();
    }

    public void testWritesTheFieldsOfTheContract() throws Exception {
        Map<?, ?> fields = sketch(Map.of("field", "content"), TEXT);
        assertEquals(List.of("bands", "sketch", "digest", "size", "scheme"), new ArrayList<>(fields.keySet()));
        Sketch sketch = Sketch.fromBase64((String) fields.get("sketch"));
        assertEquals(128, sketch.permutations());
        assertEquals(Arrays.asList(BandLayout.DEFAULT.terms(sketch)), fields.get("bands"));
        assertEquals("14 words", 12, fields.get("size"));
        assertTrue(fields.get("digest").toString().matches("[0-9a-f]{32}"));
        assertTrue(fields.get("scheme").toString().matches("m2-[0-9a-f]{8}"));
    }

    public void testOptionsShapeTheSketch() throws Exception {
        Map<?, ?> fields = sketch(
                Map.of(
                        "field",
                        "content",
                        "target_field",
                        "other.place",
                        "permutations",
                        200,
                        "bands",
                        20,
                        "rows",
                        10,
                        "min_shingle_size",
                        1,
                        "max_shingle_size",
                        2),
                TEXT);
        assertEquals(20, ((List<?>) fields.get("bands")).size());
        assertEquals(12, ((List<?>) fields.get("bands")).getFirst().toString().length());
        assertEquals(200, Sketch.fromBase64((String) fields.get("sketch")).permutations());
        assertEquals(25, fields.get("size"));
    }

    public void testATextOfFewerFeaturesThanRowsHasNoBands() throws Exception {
        assertEquals(
                Set.of("digest", "size", "scheme"),
                sketch(Map.of("field", "content"), "one two three four five").keySet());
        for (String text : List.of("", "   ", "!!! ...")) {
            assertEquals(
                    text,
                    Set.of("size", "scheme"),
                    sketch(Map.of("field", "content"), text).keySet());
        }
        assertEquals(
                5,
                sketch(Map.of("field", "content"), "one two three four five six")
                        .size());
    }

    public void testTheDigestIsThatOfTheFingerprint() throws Exception {
        IngestDocument document = document(TEXT);
        pipeline(List.of(
                        Map.of("simhash", new HashMap<>(Map.of("field", "content"))),
                        Map.of("minhash", new HashMap<>(Map.of("field", "content")))))
                .execute(document, (result, e) -> assertNull(e));
        assertEquals(
                document.getFieldValue("simhash.digest", String.class),
                document.getFieldValue("minhash.digest", String.class));
    }

    public void testRefusesWhatIsNoOption() {
        refused("[bands] times [rows] must be at most [permutations], got: 64 times 4 and 128", "bands", 64);
        refused("[features] must be one of [words, characters, content_words], got: letters", "features", "letters");
        OpenSearchParseException both = expectThrows(
                OpenSearchParseException.class,
                () -> create(Map.of("field", "content", "features", "characters", "analyzer", "english")));
        assertEquals(
                "[features] of characters need no [analyzer], [language_field] or [language_detection], got: english",
                both.getMessage());
        refused("[permutations] must be a whole number, got: many", "permutations", "many");
        refused("[rows] must be between 1 and 1024, got: 0", "rows", 0);
        refused("unknown option [weighting]", "weighting", "tf");
        refused("unknown option [band], did you mean [bands]?", "band", 3);
        refused("unknown option [bits]", "bits", false);
        refused("[min_features] must be 1 or more, got: 0", "min_features", 0);
        refused("[min_shingle_size] must be at most [max_shingle_size], got: 4 and 3", "min_shingle_size", 4);
        refused("exactly one of [field] and [fields] is required, got: both", "fields", List.of("a"));
        OpenSearchParseException weight = expectThrows(
                OpenSearchParseException.class, () -> create(Map.of("fields", List.of("title^3", "body"))));
        assertEquals(
                "[fields] must have no weights, which a sketch does not know, got: title^3.0", weight.getMessage());
    }

    public void testEachTextOfAWordHasASketchOfContentWords() throws Exception {
        Map<String, Object> options = Map.of("field", "content", "features", "content_words");
        for (String text : List.of("tea", "the", "To be or not to be", "茶", "3", "Ünïcode", "The user likes tea.")) {
            assertEquals(text, 5, sketch(options, text).size());
        }
        assertEquals(3, sketch(options, "The user likes the tea").get("size"));
        assertEquals(1.0, similarity(options, "The user likes the green teas", "user likes green tea"), 0);
        assertNotEquals(
                "the order and all function words count",
                sketch(options, "The light is on").get("digest"),
                sketch(options, "The light is by").get("digest"));
        assertEquals(Set.of("size", "scheme"), sketch(options, "?!").keySet());
        Map<String, Object> english = new HashMap<>(options);
        english.put("language_field", "lang");
        assertEquals("one word has a sketch", 5, sketch(english, "tea").size());
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("field", "content", "features", "content_words", "analyzer", "english"),
                Map.of("field", "content", "analyzer", "content_words"))) {
            OpenSearchParseException e = expectThrows(OpenSearchParseException.class, () -> create(wrong));
            assertEquals(
                    "[features] of content_words need no [analyzer], [analyzers] or [language_detection], got: "
                            + wrong.get("analyzer"),
                    e.getMessage());
        }
    }

    public void testADocumentWithoutTheFieldFailsUnlessThatIsIgnored() throws Exception {
        IngestDocument document = document(TEXT);
        Exception e = expectThrows(
                IllegalArgumentException.class,
                () -> create(Map.of("field", "none")).execute(document));
        assertEquals(
                "document has none of the fields [none] of the processor [minhash]; [ignore_missing] lets such documents"
                        + " pass",
                e.getMessage());
        create(Map.of("field", "none", "ignore_missing", true)).execute(document);
        assertFalse(document.hasField("minhash"));
    }

    private void refused(String message, String option, Object value) {
        Map<String, Object> options = new HashMap<>(Map.of("field", "content"));
        options.put(option, value);
        assertEquals(
                message,
                expectThrows(OpenSearchParseException.class, () -> create(options))
                        .getMessage());
    }

    /** One wrong letter in fifty: most words and most runs of three words are wrong, most runs of a few letters are not. */
    public void testFeaturesOfCharactersFindScannedTexts() throws Exception {
        Random random = new Random(54);
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < 400; word++) {
            for (int letter = 2 + random.nextInt(8); letter >= 0; letter--) {
                text.append((char) ('a' + Math.min(random.nextInt(26), random.nextInt(26))));
            }
            text.append(' ');
        }
        StringBuilder scanned = new StringBuilder(text);
        for (int i = 0; i < scanned.length(); i++) {
            if (scanned.charAt(i) != ' ' && random.nextInt(50) == 0) {
                scanned.setCharAt(i, (char) ('a' + random.nextInt(26)));
            } else if (scanned.charAt(i) == ' ' && random.nextInt(10) == 0) {
                scanned.setCharAt(i, '\n');
            }
        }
        Map<String, Object> words = Map.of("field", "content");
        Map<String, Object> characters = Map.of("field", "content", "features", "characters");
        assertTrue(similarity(words, text, scanned) < 0.69);
        assertTrue(similarity(characters, text, scanned) >= 0.69);
        assertTrue(distance(words, text, scanned) > 11);
        assertTrue(distance(characters, text, scanned) <= 11);
        Object scheme = sketch(words, text.toString()).get("scheme");
        assertNotEquals(scheme, sketch(characters, text.toString()).get("scheme"));
        assertEquals(
                scheme,
                sketch(Map.of("field", "content", "features", "words"), text.toString())
                        .get("scheme"));
    }

    private double similarity(Map<String, Object> options, CharSequence a, CharSequence b) throws Exception {
        Sketch first = Sketch.fromBase64((String) sketch(options, a.toString()).get("sketch"));
        Sketch second = Sketch.fromBase64((String) sketch(options, b.toString()).get("sketch"));
        int agreeing = 0;
        for (int i = 0; i < first.permutations(); i++) {
            agreeing += first.component(i) == second.component(i) ? 1 : 0;
        }
        return Sketch.similarity(agreeing, first.permutations());
    }

    private int distance(Map<String, Object> options, CharSequence a, CharSequence b) throws Exception {
        long[] bits = new long[2];
        for (int i = 0; i < 2; i++) {
            IngestDocument document = document((i == 0 ? a : b).toString());
            processors
                    .get("simhash")
                    .create(processors, null, null, new HashMap<>(options))
                    .execute(document);
            bits[i] = document.getFieldValue("simhash.bits", Long.class);
        }
        return Long.bitCount(bits[0] ^ bits[1]);
    }

    private Map<?, ?> sketch(Map<String, Object> options, String text) throws Exception {
        IngestDocument document = document(text);
        create(options).execute(document);
        return document.getFieldValue(
                options.getOrDefault("target_field", "minhash").toString(), Map.class);
    }

    private Processor create(Map<String, Object> options) throws Exception {
        return processors.get("minhash").create(processors, null, null, new HashMap<>(options));
    }

    private Pipeline pipeline(List<Object> list) throws Exception {
        return Pipeline.create("p", new HashMap<>(Map.of("processors", list)), processors, null);
    }

    private static IngestDocument document(String text) {
        return new IngestDocument(
                "index", "1", null, null, VersionType.INTERNAL, new HashMap<>(Map.of("content", text)));
    }
}
