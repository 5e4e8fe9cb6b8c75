/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexSettings;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;

/** Jobs over indices that refuse each query of a field that they do not map: what jobs look for need not be in all of them. */
public class UnmappedFieldsTests extends SimHashClusterTestCase {

    private static final String STRICT = IndexSettings.ALLOW_UNMAPPED.getKey();
    private static final String FIRST = "\"survivor\":[{\"field\":\"published\"}]";
    private static final String NEW = "\"new_since\":{\"ids\":{\"values\":[\"2\"]}}";

    private void fill() {
        newIndex("copies", "{}", 2, 0, STRICT, "false");
        newIndex("another", "{}", 2, 0, STRICT, "false");
        putAll("copies", Map.of("1", document(7, 3), "2", document(7, 2), "3", document(-1, 1)));
        putAll("another", Map.of("4", Map.of("title", "without a fingerprint")));
    }

    private static Map<String, Object> document(long bits, int published) {
        return Map.of("simhash", Map.of("bits", bits, "scheme", "v1-a"), "published", published);
    }

    public void testReports() throws IOException {
        fill();
        for (String options : List.of("{}", "{" + FIRST + "}", "{" + NEW + "}", "{" + NEW + "," + FIRST + "}")) {
            JobResponse response = run(options);
            assertEquals(options, 1, response.count("groups"));
            assertEquals(options, 4, response.count("documents"));
        }
    }

    public void testTags() throws IOException {
        fill();
        assertEquals(1, run("{\"action\":\"tag\"," + FIRST + "}").count("tagged"));
        // The other one is the duplicate now.
        JobResponse again = run("{\"action\":\"tag\"}");
        assertEquals(1, again.count("tagged"));
        assertEquals(1, again.count("cleared"));
        assertEquals("it is the same group", 0, again.count("groups_new") + again.count("groups_gone"));
        assertEquals(0, run("{\"action\":\"tag\"," + NEW + "}").count("tagged"));
    }

    /** A job that left some out would say that nothing is near them. */
    public void testLongHashesAmongOthersAreRefused() {
        fill();
        newIndex(
                "pictures",
                "{'properties': {'simhash': {'properties': {'bits_256': {'type': 'binary', 'doc_values': true}}}}}",
                1,
                0);
        putAll(
                "pictures",
                Map.of("5", Map.of("simhash", Map.of("bits_256", "A".repeat(43) + "=", "scheme", "pdq-v1"))));
        IllegalArgumentException e =
                expectThrows(IllegalArgumentException.class, () -> run("{}", "copies", "pictures"));
        assertEquals(
                "[field] must hold hashes of 64 bits, or longer ones, in the documents of a job: select some by [query],"
                        + " got: both, in [simhash.bits] and in [simhash.bits_256]",
                e.getMessage());
    }

    private JobResponse run(String json) throws IOException {
        return run(json, "copies", "another");
    }

    private JobResponse run(String json, String... indices) throws IOException {
        refresh("copies");
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(
                            DeduplicateAction.INSTANCE,
                            DeduplicateAction.Request.fromXContent(
                                    indices, parser, new WritePace(Float.POSITIVE_INFINITY, 100)))
                    .actionGet();
        }
    }
}
