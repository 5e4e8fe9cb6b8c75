/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The APIs that show what texts become: fingerprint, compare, feature_weights. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RealNodes(1)
class InspectIT {

    private static final String INDEX = "docs-inspect";
    private static final String ONE = "en.guides.deploy.vercel.v9";
    private static final String OTHER = "en.guides.deploy.vercel.v12";

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();

    InspectIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeAll
    void index() {
        sample.configure(client);
        sample.fill(client, INDEX, indexed -> {});
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/" + INDEX, null);
        sample.remove(client);
    }

    @Test
    void testTheFingerprintIsTheOneThatIsStored() {
        Answer stored = client.get("/" + INDEX + "/_doc/" + ONE);
        Answer shown = post(
                "fingerprint",
                Map.of("pipeline", "fingerprint", "document", sample.documents().get(ONE)));
        for (String part : List.of("hash", "digest", "features", "scheme")) {
            assertEquals(stored.at("_source.simhash." + part), shown.at(part), part);
        }
        assertEquals(stored.number("_source.simhash.bits"), shown.number("bits"));
        for (int i = 0; i < 4; i++) {
            assertEquals(stored.at("_source.simhash.segment_" + i), shown.at("segments." + i));
        }
        assertNull(shown.at("top_features"));
    }

    @Test
    void testADocumentIsReadByTheProcessorThatFindsText() {
        String text = "enough words for a fingerprint that is made of some features at least";
        List<Object> processors = List.of(reading("body"), reading("title"));
        client.must("PUT", "/_ingest/pipeline/by-field", Json.write(Map.of("processors", processors)));
        Answer shown = post("fingerprint", Map.of("pipeline", "by-field", "document", Map.of("title", text)));
        assertEquals(
                post("fingerprint", Map.of("config", Map.of(), "text", text)).at("hash"), shown.at("hash"));
        client.must("DELETE", "/_ingest/pipeline/by-field", null);
    }

    private static Object reading(String field) {
        return Map.of("simhash", Map.of("field", field, "ignore_missing", true));
    }

    @Test
    void testTopFeaturesAreTheHeaviest() {
        Answer shown = post(
                "fingerprint",
                Map.of(
                        "config",
                        Map.of("max_shingle_size", 1, "weighting", "tf", "feature_weights", Map.of("on", 0)),
                        "text",
                        "the cat sat on the mat",
                        "explain",
                        true));
        assertEquals(Map.of("feature", "the", "weight", 2.0), shown.at("top_features.0"));
        assertEquals(4, ((List<?>) shown.at("top_features")).size());
        assertNull(shown.at("hash"), "too few features");
        assertEquals(4, shown.number("features"));
    }

    @Test
    void testTwoStoredDocumentsAreComparedByTheRecipeOfTheirIndex() {
        Answer compared = post(
                "compare", Map.of("a", Map.of("index", INDEX, "id", ONE), "b", Map.of("index", INDEX, "id", OTHER)));
        long bits = bits(ONE) ^ bits(OTHER);
        List<Integer> differing = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            if ((bits >>> i & 1) == 1) {
                differing.add(i);
            }
        }
        assertEquals(differing, compared.at("differing_bits"));
        assertEquals(differing.size(), compared.number("distance"));
        assertEquals(false, compared.at("same_digest"));
        for (String measure : List.of("jaccard", "containment", "levenshtein", "lcs")) {
            double similarity = ((Number) compared.at("similarity." + measure)).doubleValue();
            assertTrue(similarity > 0.8 && similarity < 1, measure + " " + similarity);
        }
    }

    @Test
    void testShortTextsHaveADistanceWhenTheyAreEqual() {
        Answer equal = post(
                "compare", Map.of("config", Map.of(), "a", Map.of("text", "One two!"), "b", Map.of("text", "one TWO")));
        assertEquals(0, equal.at("distance"));
        assertEquals(List.of(), equal.at("differing_bits"));
        assertEquals(true, equal.at("same_digest"));
        Answer other = post(
                "compare", Map.of("config", Map.of(), "a", Map.of("text", "One two!"), "b", Map.of("text", "three")));
        assertTrue(other.json().containsKey("distance"));
        assertNull(other.at("distance"));
        assertEquals(false, other.at("same_digest"));
    }

    @Test
    void testFeatureWeightsAreThoseThatManyDocumentsShare() {
        Answer proposed =
                client.must("POST", "/_plugins/_simhash/feature_weights/" + INDEX, "{\"max_document_share\": 0.3}");
        assertEquals(sample.documents().size(), proposed.number("documents"));
        Map<?, ?> weights = (Map<?, ?>) proposed.at("feature_weights");
        assertTrue(weights.containsKey("astro"), weights.keySet()::toString);
        for (Object entry : (List<?>) proposed.at("features")) {
            double share = ((Number) Json.at(entry, "share")).doubleValue();
            double factor = ((Number) Json.at(entry, "factor")).doubleValue();
            assertTrue(share > 0.3 && share <= 1);
            assertEquals(Math.log(share) / Math.log(0.3), factor, 0.006);
        }
        Answer again =
                client.must("POST", "/_plugins/_simhash/feature_weights/" + INDEX, "{\"max_document_share\": 0.3}");
        assertEquals(proposed.text(), again.text(), "the same sample each time");
        Answer twice = client.must(
                "POST",
                "/_plugins/_simhash/feature_weights/" + INDEX + "," + INDEX + "*",
                "{\"max_document_share\": 0.3}");
        assertEquals(proposed.text(), twice.text(), "indices may be listed");

        Answer damped = post(
                "fingerprint",
                Map.of("config", Map.of("field", "content", "feature_weights", weights), "text", "Astro builds sites"));
        Answer plain = post("fingerprint", Map.of("config", Map.of("field", "content"), "text", "Astro builds sites"));
        assertFalse(damped.at("scheme").equals(plain.at("scheme")), "another list is another scheme");
    }

    @Test
    void testWrongRequestsAreNamed() {
        assertRefused(400, "Required one of fields [pipeline, config]", "fingerprint", Map.of("text", "x"));
        assertRefused(
                400,
                "[pipeline] must be an existing ingest pipeline, got: nope",
                "fingerprint",
                Map.of("pipeline", "nope", "text", "x"));
        assertRefused(
                400, "unknown option [colour]", "fingerprint", Map.of("config", Map.of("colour", 1), "text", "x"));
        assertRefused(
                400,
                "[min_shingle_size] must be between 1 and 8, got: 0",
                "fingerprint",
                Map.of("config", Map.of("min_shingle_size", 0), "text", "x"));
        assertRefused(
                404,
                "document [nope] not found in [" + INDEX + "]",
                "compare",
                Map.of("a", Map.of("index", INDEX, "id", "nope"), "b", Map.of("text", "x")));
        assertRefused(
                400,
                "[index] and [id] are only allowed together, got: id 1",
                "compare",
                Map.of("a", Map.of("id", "1"), "b", Map.of("text", "x")));
        assertRefused(
                400,
                "[sample_size] must be between 1 and 100000, got: 0",
                "feature_weights/" + INDEX,
                Map.of("sample_size", 0));
        assertRefused(
                400,
                "[sample_size] must be a whole number, got: 2.5",
                "feature_weights/" + INDEX,
                Map.of("sample_size", 2.5));
        assertRefused(
                400,
                "[max_document_share] must be greater than 0 and less than 1, got: 1.0",
                "feature_weights/" + INDEX,
                Map.of("max_document_share", 1));
        assertRefused(404, "no such index [nope]", "feature_weights/nope", Map.of());
    }

    private void assertRefused(int status, String message, String api, Map<String, Object> body) {
        Answer answer = client.send("POST", "/_plugins/_simhash/" + api, Json.write(body));
        assertEquals(status, answer.status(), answer.text());
        assertTrue(answer.text().contains(message), answer.text());
    }

    private Answer post(String api, Map<String, Object> body) {
        return client.must("POST", "/_plugins/_simhash/" + api, Json.write(body));
    }

    private long bits(String id) {
        return client.get("/" + INDEX + "/_doc/" + id).number("_source.simhash.bits");
    }
}
