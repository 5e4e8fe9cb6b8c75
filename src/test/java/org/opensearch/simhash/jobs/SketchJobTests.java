/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.node.SampleIndex;

/** Jobs by the sketches of the processor {@code minhash}. */
public class SketchJobTests extends DeletingTestCase {

    private static final String PIPELINE = "{\"processors\":[{\"minhash\":{\"field\":\"text\"}}]}";

    private final Map<String, String> texts = new HashMap<>();

    private static String words(Random random, int count) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < count; i++) {
            words.append(Integer.toString(random.nextInt(Integer.MAX_VALUE), 36))
                    .append(' ');
        }
        return words.toString();
    }

    /** Documents 1 and 2 are alike in nine tenths, 3 and 4 in half, 5 and 6 are equal and short. */
    private void fill() {
        client().admin()
                .cluster()
                .preparePutPipeline("sketch", new BytesArray(PIPELINE), MediaTypeRegistry.JSON)
                .get();
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.default_pipeline", "sketch"))
                .setMapping(Map.of(
                        "properties",
                        Map.of(
                                "minhash",
                                ((Map<?, ?>) ((Map<?, ?>) new SampleIndex().mappings()).get("properties"))
                                        .get("minhash"),
                                "tenant",
                                Map.of("type", "keyword"))))
                .get();
        Random random = new Random(random().nextLong());
        String near = words(random, 200);
        String half = words(random, 200);
        texts.put("1", near);
        texts.put("2", near + words(random, 10));
        texts.put("3", half);
        texts.put("4", half + words(random, 200));
        texts.put("5", "two words");
        texts.put("6", "Two words!");
        texts.put("7", words(random, 200));
        BulkRequestBuilder bulk = client().prepareBulk();
        texts.forEach((id, text) -> bulk.add(client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("text", text, "tenant", id.equals("6") ? "b" : "a"))));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private JobResponse run(String options) throws IOException {
        return run("{\"sketch\":\"minhash\"" + options + "}", Float.POSITIVE_INFINITY, 100);
    }

    public void testLinksWhatIsSimilarEnough() throws IOException {
        fill();
        JobResponse response = run("");
        assertEquals(2, response.count("groups"));
        assertEquals(2, response.count("pairs"));
        assertEquals("without the short ones", 5, response.count("fingerprinted"));
        assertEquals(7, response.count("documents"));
        response = run(",\"min_similarity\":0.3");
        assertEquals("3 and 4, too", 3, response.count("pairs"));
        assertEquals("6 is another tenant's", 1, run(",\"same\":[\"tenant\"]").count("pairs"));
    }

    public void testTextsAreVerified() throws IOException {
        fill();
        assertEquals(
                1,
                run(",\"verify\":{\"field\":\"text\",\"min_similarity\":0.9},\"query\":{\"ids\":{\"values\":[\"1\",\"2\",\"3\"]}}")
                        .count("groups"));
        assertEquals(
                0,
                run(",\"verify\":{\"field\":\"text\",\"min_similarity\":0.99},\"query\":{\"ids\":{\"values\":[\"1\",\"2\",\"3\"]}}")
                        .count("groups"));
    }

    public void testDuplicatesAreTaggedBelowTheSketch() throws IOException {
        fill();
        JobResponse response = run(",\"action\":\"tag\"");
        assertEquals(2, response.count("tagged"));
        Map<?, ?> tagged =
                (Map<?, ?>) client().prepareGet(INDEX, "2").get().getSource().get("minhash");
        assertEquals("1", tagged.get("duplicate_of"));
    }

    public void testNewDocumentsAreEnough() throws IOException {
        fill();
        assertEquals(1, run(",\"new_since\":{\"ids\":{\"values\":[\"5\"]}}").count("groups"));
        assertEquals(0, run(",\"new_since\":{\"ids\":{\"values\":[\"7\"]}}").count("groups"));
        JobResponse none = run(",\"new_since\":{\"ids\":{\"values\":[]}}");
        assertEquals("with the short ones", 7, none.count("fingerprinted"));
        assertEquals(List.of(), none.warnings());
    }

    /** Documents 3 and 4: the one is inside the other, so that all of it is in common, and half of both. */
    public void testContainmentIsMeasuredOrRefused() throws IOException {
        fill();
        String half = ",\"min_similarity\":0.3,\"query\":{\"ids\":{\"values\":[\"3\",\"4\"]}}"
                + ",\"verify\":{\"field\":\"text\",\"min_similarity\":0.9";
        assertEquals(0, run(half + "}").count("groups"));
        assertEquals(1, run(half + ",\"measure\":\"containment\"}").count("groups"));
        Exception unknown = expectThrows(Exception.class, () -> run(",\"containment\":true"));
        assertTrue(unknown.toString(), unknown.toString().contains("unknown field [containment]"));
    }

    public void testRefusesWhatDoesNotGoTogether() throws IOException {
        refused(
                "[max_distance] is only allowed with [sketch] simhash, got: 3",
                "{\"sketch\":\"minhash\",\"max_distance\":3}");
        refused(
                "[min_similarity] is only allowed with [sketch] minhash, or in [verify] for texts, got: 0.5",
                "{\"min_similarity\":0.5}");
        refused(
                "[min_similarity] must be greater than 0 and at most 1, got: 1.5",
                "{\"sketch\":\"minhash\",\"min_similarity\":1.5}");
        refused("[sketch] must be one of [simhash, minhash, passages], got: auto", "{\"sketch\":\"auto\"}");
        createIndex(INDEX);
        IllegalArgumentException unmapped = expectThrows(IllegalArgumentException.class, () -> run(""));
        assertEquals(
                "[field] must be the object that the [minhash] processor writes, but [minhash.sketch] is not mapped in ["
                        + INDEX + "]: map it, and set a pipeline; POST /_plugins/_simhash/setup/" + INDEX
                        + " {\"sketch\": \"minhash\"} does it",
                unmapped.getMessage());
    }

    private void refused(String message, String json) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            Exception e = expectThrows(
                    Exception.class,
                    () -> assertNotNull(DeduplicateOptions.named(parser).apply(null)));
            Throwable cause = e;
            while (cause.getCause() != null && List.of(message).contains(cause.getMessage()) == false) {
                cause = cause.getCause();
            }
            assertEquals(message, cause.getMessage());
        }
    }
}
