/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Texts of megabytes are compared, or it is said why not, on a node as small as this one, too. */
@RealNodes(value = 1, takesLong = true)
class VerifyLargeTextsIT {

    private static final String INDEX = "large-texts";
    private static final List<String> TOKEN_MEASURES = List.of("jaccard", "containment");
    private static final List<String> CHARACTER_MEASURES = List.of("levenshtein", "lcs");
    private static final String EVIDENCE = "hits.hits.0.fields._simhash.0.";
    private static final String TOO_LARGE =
            "not verified: texts too large, or too different for their size, for a character measure";

    private final RestClient client;

    VerifyLargeTextsIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeEach
    void create() {
        client.must("PUT", "/_ingest/pipeline/" + INDEX, """
                {"processors": [{"simhash": {"field": "text", "min_features": 1, "max_shingle_size": 1}}]}""");
        client.must("PUT", "/" + INDEX, """
                {"settings": {"index.default_pipeline": "INDEX", "number_of_shards": 1, "number_of_replicas": 0}}""".replace("INDEX", INDEX));
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/" + INDEX, null);
        client.send("DELETE", "/_ingest/pipeline/" + INDEX, null);
    }

    /** Character measures take up to a million characters, 2^20. */
    @Test
    void testTextsOfAMillionCharactersAreComparedOrSaidNotToBe() {
        for (int words : List.of(33_000, 45_000)) {
            String text = "lorem ipsum dolor sit amet ".repeat(words);
            put(text + "end");
            TOKEN_MEASURES.forEach(measure -> assertVerified(text, measure));
            for (String measure : CHARACTER_MEASURES) {
                if (text.length() > 1 << 20) {
                    assertTooLarge(text, measure);
                } else {
                    assertVerified(text, measure);
                }
            }
            Answer other = evidence("consectetur adipiscing elit sed do ".repeat(words), "jaccard");
            assertEquals("similarity below [min_similarity]", other.at(EVIDENCE + "reason"), other.text());
        }
    }

    @Test
    void testTextsOfThreeMillionCharactersAreVerified() {
        int different = 20_000;
        String text = IntStream.range(0, 23 * different)
                .mapToObj(i -> "w" + (different + i % different))
                .collect(Collectors.joining(" "));
        put(text + " end");
        // Three words each, and the first ones follow the last ones; "end" makes one more.
        assertEquals(different / (different + 1.0), assertVerified(text, "jaccard"));
        assertEquals(1, assertVerified(text, "containment"));
        CHARACTER_MEASURES.forEach(measure -> assertTooLarge(text, measure));
        for (String measure : CHARACTER_MEASURES) {
            assertEquals(1, assertVerified(text + " end", measure), "equal texts need no alignment");
        }
    }

    @Test
    void testTextsOfTenMegabytesAreVerifiedOrSaidNotToBe() {
        String text = "lorem ipsum dolor sit amet ".repeat(380_000);
        put(text + "end");
        assertEquals(5 / 6.0, assertVerified(text, "jaccard"));
        assertEquals(1, assertVerified(text, "containment"));
        assertTooLarge(text, "lcs");
    }

    private double assertVerified(String text, String measure) {
        Answer answer = evidence(text, measure);
        assertEquals(200, answer.status(), answer.text());
        assertTrue(answer.at(EVIDENCE + "similarity") instanceof Number, answer.text());
        return ((Number) answer.at(EVIDENCE + "similarity")).doubleValue();
    }

    private void assertTooLarge(String text, String measure) {
        Answer answer = evidence(text, measure);
        assertEquals(200, answer.status(), answer.text());
        assertEquals(TOO_LARGE, answer.at(EVIDENCE + "reason"), answer.text());
        assertEquals(null, answer.at(EVIDENCE + "similarity"), answer.text());
    }

    private void put(String text) {
        client.must("PUT", "/" + INDEX + "/_doc/large?refresh=true", Json.write(Map.of("text", text)));
    }

    /** How near the document is, whether it matches or not; without its text. */
    private Answer evidence(String text, String measure) {
        Map<String, Object> verify = Map.of("field", "text", "measure", measure);
        Map<String, Object> near = Map.of("simhash", Map.of("text", text, "max_distance", 64, "verify", verify));
        Map<String, Object> large = Map.of("ids", Map.of("values", List.of("large")));
        return client.send(
                "POST",
                "/" + INDEX + "/_search",
                Json.write(Map.of(
                        "query", Map.of("bool", Map.of("filter", large, "should", near)),
                        "_source", false,
                        "ext", Map.of("simhash", Map.of("evidence", true)))));
    }
}
