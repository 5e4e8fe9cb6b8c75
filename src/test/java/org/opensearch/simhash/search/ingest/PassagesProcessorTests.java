/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.opensearch.OpenSearchParseException;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.test.OpenSearchTestCase;

/** From a document to the terms of its passages. */
public class PassagesProcessorTests extends OpenSearchTestCase {

    private Map<String, Processor.Factory> processors;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        processors = AnalysisModules.processors();
    }

    private static String text(int words) {
        Random random = new Random(words);
        List<String> text = new ArrayList<>();
        for (int i = 0; i < words; i++) {
            text.add(Integer.toString(random.nextInt(1 << 20), 36) + "x");
        }
        return String.join(" ", text);
    }

    private Map<?, ?> passages(Map<String, Object> options, Object value) throws Exception {
        Processor processor = processors.get("passages").create(processors, "t", null, new HashMap<>(options));
        IngestDocument document =
                new IngestDocument("i", "1", null, null, null, new HashMap<>(Map.of("content", value)));
        processor.execute(document);
        return document.getFieldValue(
                options.getOrDefault("target_field", "passages").toString(), Map.class);
    }

    private Set<?> terms(Object value) throws Exception {
        return new HashSet<>(
                (List<?>) passages(Map.of("field", "content"), value).get("terms"));
    }

    public void testWritesTheFieldsOfTheContract() throws Exception {
        Map<?, ?> fields = passages(Map.of("field", "content"), text(200));
        assertEquals(List.of("terms", "scheme"), new ArrayList<>(fields.keySet()));
        int terms = ((List<?>) fields.get("terms")).size();
        assertTrue(terms + " terms", terms > 30 && terms < 60);
        assertTrue(fields.get("scheme").toString().matches("p1-[0-9a-f]{8}"));
        assertEquals(
                Set.of("scheme"), passages(Map.of("field", "content"), text(14)).keySet());
        assertEquals(
                Set.of("scheme"), passages(Map.of("field", "content"), " ... ").keySet());
    }

    public void testOptionsShapeTheTerms() throws Exception {
        Map<String, Object> options =
                Map.of("field", "content", "target_field", "other.place", "words", 5, "window", 1);
        Map<?, ?> fields = passages(options, text(200));
        assertEquals("every shingle", 196, ((List<?>) fields.get("terms")).size());
        assertNotEquals(
                passages(Map.of("field", "content"), "a").get("scheme"),
                passages(options, "a").get("scheme"));
    }

    /** Case and accents are folded, as in a fingerprint; no run spans two values. */
    public void testTheTextOptionsAreThoseOfFingerprints() throws Exception {
        assertEquals(terms(text(60)), terms(text(60).toUpperCase(Locale.ROOT)));
        assertEquals(terms(text(60)), terms("<p>" + text(60) + "</p>", "html", "text"));
        Set<Object> ofBoth = new HashSet<>();
        ofBoth.addAll(terms(text(60)));
        ofBoth.addAll(terms(text(70)));
        assertEquals(ofBoth, terms(List.of(text(60), text(70))));
    }

    private Set<?> terms(Object value, String option, Object of) throws Exception {
        return new HashSet<>((List<?>)
                passages(Map.of("field", "content", option, of), value).get("terms"));
    }

    /** Behind a {@code simhash} with the same text options it uses the same words, which must be as those of its own analysis. */
    public void testSharesTheAnalysisOfAnotherProcessor() throws Exception {
        Processor simhash =
                processors.get("simhash").create(processors, "t", null, new HashMap<>(Map.of("field", "content")));
        Processor passages =
                processors.get("passages").create(processors, "t", null, new HashMap<>(Map.of("field", "content")));
        Map<String, Object> source = new HashMap<>(Map.of("content", List.of(text(100), text(101))));
        IngestDocument document = new IngestDocument("i", "1", null, null, null, source);
        simhash.execute(document);
        passages.execute(document);
        assertEquals(terms(List.of(text(100), text(101))), new HashSet<Object>((List<?>)
                document.getFieldValue("passages.terms", List.class)));
    }

    public void testAMegabyteOfOneWordIsOneTerm() throws Exception {
        assertEquals(1, terms("same ".repeat(200_000)).size());
    }

    public void testRefusesWhatIsNoOption() {
        refused("[words] must be between 2 and 64, got: 1", Map.of("field", "content", "words", 1));
        refused("[words] must be between 2 and 64, got: 65", Map.of("field", "content", "words", 65));
        refused("[window] must be between 1 and 256, got: 0", Map.of("field", "content", "window", 0));
        refused(
                "[fields] must have no weights, which passages do not know, got: title^2.0",
                Map.of("fields", List.of("title^2")));
        refused("exactly one of [field] and [fields] is required, got: none", Map.of());
        refused(
                "[target_field] must be apart from the fields that are read, got: a.b beside a",
                Map.of("field", "a", "target_field", "a.b"));
        Exception e = expectThrows(
                OpenSearchParseException.class,
                () -> processors
                        .get("passages")
                        .create(processors, "t", null, new HashMap<>(Map.of("field", "a", "min_shingle_size", 2))));
        assertTrue(e.getMessage(), e.getMessage().contains("min_shingle_size"));
    }

    private void refused(String message, Map<String, Object> options) {
        Exception e = expectThrows(
                OpenSearchParseException.class,
                () -> processors.get("passages").create(processors, "t", null, new HashMap<>(options)));
        assertTrue(e.getMessage(), e.getMessage().endsWith(message));
    }
}
