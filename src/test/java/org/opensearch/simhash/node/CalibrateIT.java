/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Calibrations over HTTP: the answer, what it says to do next, the picture, and the task. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RealNodes(value = 1, takesLong = true)
class CalibrateIT {

    private static final String INDEX = "docs-calibrate";
    private static final String CALIBRATE = "/_plugins/_simhash/calibrate/" + INDEX;

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();

    CalibrateIT(RealCluster cluster) {
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

    /** The suggestion is what a job finds. All documents are drawn, so that nothing is left to chance but which pairs are compared. */
    @Test
    void testTheNextRequestFindsWhatIsExpected() {
        Answer answer = client.must("POST", CALIBRATE, "{\"pairs_per_distance\":2000}");
        assertEquals(sample.documents().size(), answer.number("documents"));
        assertEquals(answer.number("fingerprinted"), answer.number("sampled"));
        String[] next = answer.string("suggestion.next").split("\n", 2);
        assertTrue(next[0].startsWith("POST "), next[0]);
        Answer job = client.must("POST", next[0].substring("POST ".length()), next[1]);
        assertEquals(answer.at("suggestion.max_distance"), Json.at(Json.parse(next[1]), "max_distance"));
        assertTrue(job.number("duplicates") > 0, job.text());
        assertEquals(0L, job.number("tagged"));
        assertTrue(((Number) answer.at("suggestion.expected.recall.estimate")).doubleValue() >= 0.97, answer.text());
    }

    /** The same of sketches: the estimate that is suggested finds what is expected. */
    @Test
    void testTheNextRequestOfSketchesFindsWhatIsExpected() {
        client.must(
                "PUT",
                "/_ingest/pipeline/calibrate-sketch",
                "{\"processors\":[{\"minhash\":{\"field\":\"content\"}}]}");
        client.must(
                "PUT",
                "/calibrate-sketches",
                Json.write(Map.of(
                        "settings",
                        Map.of("index.default_pipeline", "calibrate-sketch"),
                        "mappings",
                        sample.mappings())));
        sample.fill(client, "calibrate-sketches", indexed -> {});
        String path = "/_plugins/_simhash/calibrate/calibrate-sketches";
        Answer answer = client.must("POST", path, "{\"sketch\":\"minhash\",\"pairs_per_distance\":2000}");
        assertEquals(sample.documents().size(), answer.number("documents"));
        assertEquals(answer.number("fingerprinted"), answer.number("sampled"));
        assertEquals(0.3, answer.at("estimates.14.estimate"));
        assertTrue(((Number) answer.at("estimates.4.share_a_band")).doubleValue() > 0.999, answer.text());
        String[] next = answer.string("suggestion.next").split("\n", 2);
        assertEquals("minhash", Json.at(Json.parse(next[1]), "sketch"));
        assertEquals(answer.at("suggestion.min_similarity"), Json.at(Json.parse(next[1]), "min_similarity"));
        Answer job = client.must("POST", next[0].substring("POST ".length()), next[1]);
        assertTrue(job.number("duplicates") > 0, job.text());
        Answer picture = client.must("GET", path + "?format=svg", "{\"sketch\":\"minhash\"}");
        assertTrue(picture.text().contains("least estimated similarity"), picture.text());
        refuse(
                400,
                "[field] must be the object that the [minhash] processor writes, but [simhash.sketch] is not mapped in"
                        + " [calibrate-sketches]: map it, and set a pipeline; POST /_plugins/_simhash/setup/calibrate-sketches"
                        + " {\"sketch\": \"minhash\", \"target_field\": \"simhash\"} does it",
                "POST",
                path,
                "{\"sketch\":\"minhash\",\"field\":\"simhash\"}");
        client.must("DELETE", "/calibrate-sketches", null);
        client.must("DELETE", "/_ingest/pipeline/calibrate-sketch", null);
    }

    @Test
    void testAnAnswerIsKeptAndDrawn() throws InterruptedException {
        String body = "{\"sample_size\":100,\"seed\":1}";
        String task = client.must("POST", CALIBRATE + "?wait_for_completion=false", body)
                .string("task");
        Answer done = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", null);
        assertEquals(100L, done.number("response.sampled"));
        assertEquals("done", done.string("task.status.phase"));
        Answer again = client.must("GET", CALIBRATE + "?task=" + task, null);
        assertEquals(done.at("response.distances"), again.at("distances"));
        Answer picture = client.must("GET", CALIBRATE + "?format=svg&task=" + task, null);
        assertTrue(picture.text().startsWith("<svg "), picture.text());
        assertEquals(
                picture.text(),
                client.must("POST", CALIBRATE + "?format=svg", body).text(),
                "the same draws, the same picture");
        assertTrue(client.must("GET", CALIBRATE + "?format=svg", null).text().contains("suggested: "));
    }

    @Test
    void testRefusals() {
        refuse(400, "[format] must be one of [json, svg, html], got: png", "GET", CALIBRATE + "?format=png", null);
        refuse(400, "[sample_size] must be between 1 and 10000, got: 0", "POST", CALIBRATE, "{\"sample_size\":0}");
        refuse(404, "no such index [nowhere]", "POST", "/_plugins/_simhash/calibrate/nowhere", "{}");
        Answer unknown = client.send("POST", CALIBRATE, "{\"distance\":3}");
        assertEquals(400, unknown.status());
        assertTrue(unknown.reason().contains("unknown field [distance]"), unknown.reason());
        String other = client.must(
                        "POST", "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=false", "{}")
                .string("task");
        client.must("GET", "/_tasks/" + other + "?wait_for_completion=true&timeout=60s", null);
        Answer wrong = client.send("GET", CALIBRATE + "?task=" + other, null);
        assertEquals(400, wrong.status());
        assertTrue(wrong.reason().startsWith("[task] must be one of a calibration, got: " + other), wrong.reason());
    }

    private void refuse(int status, String reason, String method, String path, String body) {
        Answer answer = client.send(method, path, body);
        assertEquals(status, answer.status(), answer.text());
        assertEquals(reason, answer.reason());
    }

    /** Whoever asks for recipes side by side sees which of them is not there. */
    @Test
    void testAnUnknownObjectIsNamed() {
        Answer answer = client.send("POST", CALIBRATE, Json.write(Map.of("field", List.of("simhash", "print"))));
        assertEquals(400, answer.status());
        assertTrue(answer.reason().contains("[print.bits] is not mapped"), answer.reason());
    }
}
