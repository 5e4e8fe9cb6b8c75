/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.Freshness.State;
import org.opensearch.test.OpenSearchTestCase;

/** Whether a stored fingerprint is that of its text. */
public class FreshnessTests extends OpenSearchTestCase {

    private static final String TEXT = "A page about near-duplicates: copies of a text with a few words changed.";
    private static final String OTHER = "Something else was written here a while ago, about rivers and green hills.";

    private Map<String, Processor.Factory> processors;
    private String type;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        processors = AnalysisModules.processors();
        type = randomFrom("simhash", "minhash");
    }

    public void testFreshAsTheProcessorWroteIt() throws Exception {
        for (String text : List.of(TEXT, "two words", TEXT.repeat(1000))) {
            FingerprintProcessor processor = processor("field", "content");
            Freshness freshness = freshness(written(processor, "content", text), processor);
            assertEquals(text.equals("two words") ? State.SHORT_TEXT : State.FRESH, freshness.state());
            assertTrue(freshness.isFresh());
            assertSame(((TextProcessor) processor).fingerprinter(), freshness.maker());
        }
    }

    /** Whether a text is short is asked of the text. */
    public void testAnEditedNumberOfFeaturesMakesNoLongText() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", "two words");
        Map<String, Object> print = new HashMap<>(print(document));
        print.put(type.equals("minhash") ? "size" : "features", 1_000);
        document.put(type, print);
        assertEquals(State.SHORT_TEXT, freshness(document, processor).state());
    }

    public void testWhatWasMadeInThisRunIsNotMadeAgain() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", TEXT);
        PreparingRecipes none = new PreparingRecipes(List.of(), List::of);
        assertEquals(
                State.FRESH,
                Freshness.of(kind(), type, document, none, bytes -> {}).state());
        document.put(type, new HashMap<>(print(document)));
        assertEquals(
                "as read from an index",
                State.UNREADABLE,
                Freshness.of(kind(), type, document, none, bytes -> {}).state());
    }

    /** A copy of a fresh document is fresh, and never one that would be judged otherwise by itself. */
    public void testACopyOfAFreshDocumentIsNotMadeAgain() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        PreparingRecipes recipes = new PreparingRecipes(List.of(((TextProcessor) processor).fingerprinter()), List::of);
        Map<String, Object> arriving = written(processor, "content", TEXT);
        Freshness fresh = freshness(arriving, processor);
        Map<String, Object> copy = new HashMap<>(arriving);
        copy.put(type, new HashMap<>(print(arriving)));
        assertSame(fresh, Freshness.ofCopy(kind(), type, copy, recipes, fresh, arriving));
        PreparingRecipes elsewhere = new PreparingRecipes(List.of(), List::of);
        assertNull(Freshness.ofCopy(kind(), type, copy, elsewhere, fresh, arriving));
        Freshness stale = new Freshness(State.STALE, null);
        assertNull(Freshness.ofCopy(kind(), type, copy, recipes, stale, arriving));

        Map<String, Object> other = print(written(processor, "content", OTHER));
        for (String part : print(arriving).keySet()) {
            for (Object value :
                    Arrays.asList(other.get(part), List.of(print(arriving).get(part)), null)) {
                print(copy).put(part, value);
                boolean isCopy = Freshness.ofCopy(kind(), type, copy, recipes, fresh, arriving) != null;
                if (isCopy) {
                    assertEquals(
                            part + value,
                            State.FRESH,
                            freshness(copy, processor).state());
                }
                print(copy).put(part, print(arriving).get(part));
            }
        }
        copy.put("content", OTHER);
        assertNull(Freshness.ofCopy(kind(), type, copy, recipes, fresh, arriving));
        copy.put("content", TEXT);
        copy.put(type, List.of(print(arriving), print(arriving)));
        assertNull(Freshness.ofCopy(kind(), type, copy, recipes, fresh, arriving));
    }

    public void testStaleWithAnotherText() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        for (String text : List.of(OTHER, TEXT + " More.", TEXT.replace("few", "two"))) {
            Map<String, Object> document = written(processor, "content", TEXT);
            document.put("content", text);
            assertEquals(State.STALE, freshness(document, processor).state());
        }
    }

    /** With the digest of its text, but the hash or the sketch of another one. */
    public void testStaleIfOnlyAPartIsOfTheText() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> other = print(written(processor, "content", OTHER));
        for (String part : type.equals("simhash") ? List.of("hash", "digest") : List.of("sketch", "digest")) {
            Map<String, Object> document = written(processor, "content", TEXT);
            print(document).put(part, other.get(part));
            print(document).remove("bits");
            assertEquals(part, State.STALE, freshness(document, processor).state());
            print(document).remove(part);
            State expected = part.equals("digest") ? State.STALE : State.FRESH;
            assertEquals(part, expected, freshness(document, processor).state());
        }
        if (type.equals("simhash")) {
            Map<String, Object> document = written(processor, "content", TEXT);
            print(document).remove("hash");
            assertEquals(State.FRESH, freshness(document, processor).state());
            print(document).put("bits", other.get("bits"));
            assertEquals(State.STALE, freshness(document, processor).state());
        }
    }

    public void testWithoutWordsThereIsNoText() throws Exception {
        FingerprintProcessor processor = processor("field", "content", "html", "text");
        for (String text :
                List.of("", "  ", "\u00a0", "-", "... !", "<img src='a.png'>", "<script>var a = 1</script>")) {
            assertEquals(
                    text,
                    State.NO_TEXT,
                    freshness(written(processor, "content", text), processor).state());
        }
        Map<String, Object> document = written(processor, "content", TEXT);
        document.put("content", "<b> </b>");
        assertEquals(State.NO_TEXT, freshness(document, processor).state());
    }

    public void testUnreadableWithoutTextOrRecipe() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = stored(processor, "content", TEXT);
        assertEquals(
                State.UNREADABLE,
                freshness(document, processor("field", "content", "analyzer", "whitespace"))
                        .state());
        assertEquals(
                State.UNREADABLE,
                freshness(document, processor("field", "body")).state());
        document.put("content", Map.of("a", 1));
        assertEquals(State.UNREADABLE, freshness(document, processor).state());
        document.put("content", Arrays.asList(null, null));
        assertEquals(State.UNREADABLE, freshness(document, processor).state());
        document.remove("content");
        assertEquals(State.UNREADABLE, freshness(document, processor).state());
        document.remove(type);
        assertEquals(State.NONE, freshness(document, processor).state());
    }

    /** Recipes of one scheme may read other fields. */
    public void testEveryRecipeOfTheIndexCounts() throws Exception {
        FingerprintProcessor ofTitle = processor("field", "title");
        FingerprintProcessor ofContent = processor("field", "content");
        Map<String, Object> document = stored(ofContent, "content", TEXT, "title", "A title");
        Freshness freshness = of(type, document, List.of(ofTitle, ofContent), List.of());
        assertEquals(State.FRESH, freshness.state());
        assertSame(((TextProcessor) ofContent).fingerprinter(), freshness.maker());
        assertEquals(State.STALE, freshness(document, ofTitle).state());
    }

    public void testSeveralFingerprints() throws Exception {
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", TEXT);
        Map<String, Object> print = print(document);
        document.put(type, List.of(print, print));
        assertEquals(State.SEVERAL, freshness(document, processor).state());
        document.put(type, List.of(print));
        assertEquals(State.FRESH, freshness(document, processor).state());
        document.put(type + ".digest", print.get("digest"));
        assertEquals(State.SEVERAL, freshness(document, processor).state());
        Map<String, Object> passages =
                new HashMap<>(Map.of("chunks", List.of(Map.of(type, print), Map.of(type, print)), "content", TEXT));
        assertEquals(State.SEVERAL, of("chunks." + type, passages, processor).state());
    }

    public void testRoundedBits() throws Exception {
        type = "simhash";
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", TEXT);
        long bits = (long) print(document).get("bits");
        for (Object wrong : List.of((double) bits, bits + 1, Double.toString((double) bits), List.of())) {
            print(document).put("bits", wrong);
            State expected = wrong instanceof List ? State.SEVERAL : State.ROUNDED;
            assertEquals(expected, freshness(document, processor).state());
        }
        print(document).put("bits", Long.toString(bits));
        assertEquals(State.FRESH, freshness(document, processor).state());
    }

    /** A client that edits the hash rounds the number beside it, too. */
    public void testBitsBesideAMalformedHashAreRounded() throws Exception {
        type = "simhash";
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", TEXT);
        long bits = (long) print(document).get("bits");
        for (Object hash : List.of("xyz", "00112233", "00112233445566FF", 17, (double) bits)) {
            for (Object beside : List.of((double) bits, bits)) {
                print(document).put("hash", hash);
                print(document).put("bits", beside);
                assertEquals(
                        hash + " beside " + beside,
                        State.ROUNDED,
                        freshness(document, processor).state());
            }
        }
    }

    /** Nothing is rounded where a number is missing, or a hash. */
    public void testAMalformedHashAloneIsStaleAndSoAreBitsOfAnotherText() throws Exception {
        type = "simhash";
        FingerprintProcessor processor = processor("field", "content");
        Map<String, Object> document = written(processor, "content", TEXT);
        long bits = (long) print(document).get("bits");
        print(document).put("hash", "xyz");
        print(document).remove("bits");
        assertEquals(State.STALE, freshness(document, processor).state());
        print(document).remove("hash");
        print(document).put("bits", (double) bits);
        assertEquals(State.STALE, freshness(document, processor).state());
    }

    public void testGivenHashesAndImagesAreNotOfText() throws Exception {
        type = "simhash";
        FingerprintProcessor text = processor("field", "content");
        FingerprintProcessor given = processor("hash_field", "h", "hash_scheme", "ours");
        assertEquals(
                State.NOT_OF_TEXT,
                freshness(written(given, "h", "00112233445566ff"), text).state());
        for (String scheme : List.of("given-x", "phash-v1", "pdq-v1")) {
            assertTrue(scheme, Freshness.isNotOfText(scheme));
        }
        assertFalse(Freshness.isNotOfText(text.scheme()));
        assertFalse(Freshness.isNotOfText(null));
    }

    /** A copy of the old text is in another field, which an unrelated pipeline reads. */
    public void testAForeignRecipeDoesNotCallAStaleFingerprintFresh() throws Exception {
        FingerprintProcessor own = processor("field", "content");
        FingerprintProcessor foreign = processor("field", "archived");
        Map<String, Object> document = written(own, "content", TEXT);
        document.put("archived", TEXT);
        document.put("content", OTHER);
        assertEquals(
                State.STALE, of(type, document, List.of(own), List.of(foreign)).state());
        document.remove("content");
        assertEquals(
                "made by the other",
                State.FRESH,
                of(type, document, List.of(own), List.of(foreign)).state());
    }

    private Freshness freshness(Map<String, Object> document, FingerprintProcessor own) {
        return of(type, document, own);
    }

    private static List<Fingerprinter> makers(List<FingerprintProcessor> processors) {
        return processors.stream()
                .map(maker -> ((TextProcessor) maker).fingerprinter())
                .toList();
    }

    private Freshness of(String path, Map<String, Object> document, FingerprintProcessor own) {
        return of(path, document, List.of(own), List.of());
    }

    private Freshness of(
            String path,
            Map<String, Object> document,
            List<FingerprintProcessor> own,
            List<FingerprintProcessor> foreign) {
        PreparingRecipes recipes = new PreparingRecipes(makers(own), () -> List.of(makers(foreign)));
        return Freshness.of(kind(), path, document, recipes, bytes -> {});
    }

    private SketchKind kind() {
        return type.equals("simhash") ? SketchKind.SIMHASH : SketchKind.MINHASH;
    }

    private FingerprintProcessor processor(Object... options) throws Exception {
        return (FingerprintProcessor) processors.get(type).create(processors, null, null, map(options));
    }

    @SuppressWarnings("unchecked") // as the processor writes it
    private Map<String, Object> print(Map<String, Object> document) {
        return (Map<String, Object>) document.get(type);
    }

    /** As read from an index. */
    private Map<String, Object> stored(FingerprintProcessor processor, Object... source) {
        Map<String, Object> document = written(processor, source);
        document.put(type, new HashMap<>(print(document)));
        return document;
    }

    private static Map<String, Object> written(FingerprintProcessor processor, Object... source) {
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, map(source));
        return new HashMap<>(processor.execute(document).getSourceAndMetadata());
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
