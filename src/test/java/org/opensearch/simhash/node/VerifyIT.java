/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Verification of texts, evidence and explanation over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RealNodes(1)
class VerifyIT {

    private static final String QUESTIONS = "questions";
    private static final String STRICT = "[0-9A-Za-z+\\-*/=]";

    private final RestClient client;

    VerifyIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeAll
    void index() {
        client.must("PUT", "/_ingest/pipeline/questions", """
                {"processors": [{"simhash": {"field": "text", "min_features": 1, "max_shingle_size": 1}}]}""");
        client.must("PUT", "/" + QUESTIONS, """
                {"settings": {"index.default_pipeline": "questions", "number_of_shards": 1, "number_of_replicas": 0}}""");
        put("less", "B比A小10");
        put("ming", "小明买10本书");
        put("twelve", "小明买12本书");
        put("warm", "今天的空气温度为10度");
        client.must("POST", "/" + QUESTIONS + "/_refresh", null);
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/" + QUESTIONS, null);
        client.must("DELETE", "/_ingest/pipeline/questions", null);
    }

    @Test
    void testTheRuleOfAQuestionBank() {
        for (String measure : List.of("levenshtein", "lcs")) {
            assertEquals(Set.of(), similar("A比B大10", measure));
            assertEquals(Set.of("ming"), similar("小红买10本书", measure));
            assertEquals(Set.of("warm"), similar("今天空气温度为10度", measure));
        }
    }

    @Test
    void testTheScoreIsTheSimilarityTimesBoost() {
        Answer answer = search(Map.of("simhash", verified("小红买10本书", "lcs", Map.of("boost", 2))), Map.of());
        assertEquals(1.6, ((Number) answer.hits().getFirst().get("_score")).doubleValue(), 1e-6);
    }

    @Test
    void testEvidenceTellsDistanceAndSimilarity() {
        Map<String, Object> evidence = Map.of("ext", Map.of("simhash", Map.of("evidence", true)));
        Answer verified = search(Map.of("simhash", verified("小红买10本书", "lcs", Map.of())), evidence);
        Object entry = Json.at(verified.hits().getFirst(), "fields._simhash.0");
        assertEquals(0.8, ((Number) Json.at(entry, "similarity")).doubleValue(), 1e-9);
        assertNotNull(Json.at(entry, "distance"));

        Answer plain = search(
                Map.of("bool", Map.of("filter", Map.of("simhash", Map.of("id", "ming", "max_distance", 64)))),
                evidence);
        assertEquals(3, plain.hits().size());
        for (Map<String, Object> hit : plain.hits()) {
            assertNotNull(Json.at(hit, "fields._simhash.0.distance"));
            assertNull(Json.at(hit, "fields._simhash.0.similarity"));
        }
        Map<String, Object> afterwards = new java.util.HashMap<>(evidence);
        afterwards.put("post_filter", Map.of("simhash", Map.of("id", "ming", "max_distance", 64)));
        Answer filtered = search(Map.of("match_all", Map.of()), afterwards);
        assertEquals(3, filtered.hits().size());
        assertNotNull(Json.at(filtered.hits().getFirst(), "fields._simhash.0.distance"));
        assertNull(search(Map.of("match_all", Map.of()), evidence)
                .hits()
                .getFirst()
                .get("fields"));
    }

    @Test
    void testExplainTellsTheSimilarityThatWasNotEnough() {
        Answer answer = client.must(
                "POST",
                "/" + QUESTIONS + "/_explain/warm",
                Json.write(Map.of("query", Map.of("simhash", verified("今天的空气湿度为10度啊呀呀呀", "lcs", Map.of())))));
        assertEquals(false, answer.at("matched"));
        assertTrue(answer.text().contains("similarity below [min_similarity]"), answer.text());
        Answer strict = client.must(
                "POST",
                "/" + QUESTIONS + "/_explain/twelve",
                Json.write(Map.of("query", Map.of("simhash", verified("小明买10本书", "lcs", Map.of())))));
        assertTrue(strict.text().contains("[strict_characters] differ"), strict.text());
        Answer found = client.must(
                "POST",
                "/" + QUESTIONS + "/_explain/ming",
                Json.write(Map.of("query", Map.of("simhash", verified("小红买10本书", "lcs", Map.of("boost", 2))))));
        assertEquals(1.6, ((Number) found.at("explanation.value")).doubleValue(), 1e-6);
        double ofDistance = ((Number) found.at("explanation.details.0.value")).doubleValue();
        assertTrue(ofDistance > 0 && ofDistance <= 1, found.text());
    }

    @Test
    void testWrongOptionsAreNamed() {
        assertRefused("[min_similarity] must be between 0.0 and 1.0, got: 1.5", Map.of("min_similarity", 1.5));
        assertRefused(
                "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: angle",
                Map.of("measure", "angle"));
        assertRefused("[shingle_size] must be between 1 and 8, got: 0", Map.of("shingle_size", 0));
        assertRefused("[shingle_size] must be between 1 and 8, got: 9", Map.of("shingle_size", "9"));
        assertRefused("[shingle_size] must be a whole number, got: 2.5", Map.of("shingle_size", 2.5));
        assertRefused(
                "[strict_characters] must be one regular expression class such as [0-9A-Za-z], got: (a+)+",
                Map.of("strict_characters", "(a+)+"));
        Answer hash = client.send("POST", "/" + QUESTIONS + "/_search", """
                {"query": {"simhash": {"hash": "0000000000000000", "verify": {"field": "text"}}}}""");
        assertEquals(400, hash.status());
        assertTrue(
                hash.text().contains("[verify] needs a text to compare with: [text], [document] or [id], got: [hash]"),
                hash.text());
    }

    private void assertRefused(String message, Map<String, Object> options) {
        Map<String, Object> verify = new java.util.HashMap<>(Map.of("field", "text"));
        verify.putAll(options);
        Answer answer = client.send(
                "POST",
                "/" + QUESTIONS + "/_search",
                Json.write(Map.of("query", Map.of("simhash", Map.of("text", "x", "verify", verify)))));
        assertEquals(400, answer.status());
        assertTrue(answer.text().contains(message), answer.text());
    }

    private Set<String> similar(String text, String measure) {
        return new TreeSet<>(search(Map.of("simhash", verified(text, measure, Map.of())), Map.of())
                .ids());
    }

    private static Map<String, Object> verified(String text, String measure, Map<String, Object> more) {
        Map<String, Object> query = new java.util.HashMap<>(Map.of(
                "text",
                text,
                "max_distance",
                64,
                "verify",
                Map.of("field", "text", "measure", measure, "min_similarity", 0.8, "strict_characters", STRICT)));
        query.putAll(more);
        return query;
    }

    private Answer search(Map<String, Object> query, Map<String, Object> more) {
        Map<String, Object> body = new java.util.HashMap<>(Map.of("query", query));
        body.putAll(more);
        return client.must("POST", "/" + QUESTIONS + "/_search", Json.write(body));
    }

    private void put(String id, String text) {
        client.must("PUT", "/" + QUESTIONS + "/_doc/" + id, Json.write(Map.of("text", text)));
    }
}
