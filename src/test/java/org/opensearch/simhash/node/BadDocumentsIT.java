/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Documents that somebody sends some day: each alone is fingerprinted, left without a fingerprint or refused. */
@RealNodes(1)
class BadDocumentsIT {

    private static final String TEXT =
            "Each document of a bulk request stands for itself, whatever its neighbours are like.";

    private enum Outcome {
        FINGERPRINT,
        DIGEST_ONLY,
        NO_WORDS,
        REFUSED
    }

    private record Case(String document, Outcome outcome) {}

    private final RestClient client;
    private final Map<String, Case> cases = new LinkedHashMap<>();

    BadDocumentsIT(RealCluster cluster) {
        this.client = cluster.client();
        document("object", "{\"content\":{\"text\":\"nested\"}}", Outcome.REFUSED);
        document("object-in-array", "{\"content\":[\"text\",{\"text\":\"nested\"}]}", Outcome.REFUSED);
        document("missing", "{\"title\":\"no content\"}", Outcome.REFUSED);
        document("null", "{\"content\":null}", Outcome.REFUSED);
        document("array", "{\"content\":[\"" + TEXT + "\",17,true,[\"and\",\"more\"]]}", Outcome.FINGERPRINT);
        document("number", "{\"content\":3.14}", Outcome.DIGEST_ONLY);
        content("empty", "", Outcome.NO_WORDS);
        content("punctuation", "!?.,;:-_()[]{}<>/\\\\|@#$%^&*~`'+=".repeat(100), Outcome.NO_WORDS);
        content("zero-width", "\\u200b\\u200c\\u200d\\ufeff\\u2060".repeat(100), Outcome.NO_WORDS);
        content("control", "\\u0000\\u0001\\u0007\\u001b" + TEXT + "\\u0000", Outcome.FINGERPRINT);
        content("emoji", "😀 👩‍👩‍👧‍👦 🇩🇪 🏳️‍🌈 1️⃣ ".repeat(50) + TEXT, Outcome.FINGERPRINT);
        content(
                "right-to-left",
                "\\u202e\\u2066" + TEXT + "\\u2069 שלום עולם مرحبا بالعالم\\u200f",
                Outcome.FINGERPRINT);
        content("combining", "Z\\u0351\\u036b\\u0343\\u036a\\u0302".repeat(1000) + " " + TEXT, Outcome.FINGERPRINT);
        content("one-long-token", "a".repeat(100_000) + " " + TEXT, Outcome.FINGERPRINT);
        content("ten-megabytes", (TEXT + " ").repeat(10_000_000 / TEXT.length()), Outcome.FINGERPRINT);
    }

    @Test
    void testEachDocumentOfABulkStandsForItself() {
        var sample = new SampleIndex();
        sample.configure(client);
        var lines = new StringBuilder();
        cases.forEach((name, badDocument) -> {
            lines.append("{\"index\":{\"_id\":\"").append(name).append("\"}}\n");
            lines.append(badDocument.document()).append('\n');
            lines.append("{\"index\":{\"_id\":\"good-after-").append(name).append("\"}}\n");
            lines.append("{\"content\":\"").append(TEXT).append("\"}\n");
        });
        Answer bulk = client.must("POST", "/docs-bad/_bulk?refresh=true", lines.toString());
        int position = 0;
        for (var entry : cases.entrySet()) {
            Object answer = ((List<?>) bulk.at("items")).get(position++);
            assertOutcome(entry.getKey(), entry.getValue().outcome(), answer);
            Object neighbour = ((List<?>) bulk.at("items")).get(position++);
            assertEquals(201, Json.at(neighbour, "index.status"), () -> neighbour.toString());
        }
        String good = "{\"query\":{\"simhash\":{\"field\":\"simhash\",\"text\":\"" + TEXT + "\",\"max_distance\":0}}}";
        assertTrue(client.must("POST", "/docs-bad/_count", good).number("count") >= cases.size());
        client.must("DELETE", "/docs-bad", null);
        sample.remove(client);
    }

    /** Two million features take more memory than a node of 384 MB grants: refused for now, and only this document. */
    @Test
    void testTextThatTakesTooMuchMemoryIsRefusedAlone() {
        var sample = new SampleIndex();
        sample.configure(client);
        String words = new Random(1)
                .ints(2_000_000, 0, 1_000_000)
                .mapToObj(i -> Integer.toString(i, Character.MAX_RADIX))
                .collect(Collectors.joining(" "));
        String good = "{\"content\":\"" + TEXT + "\"}\n";
        String lines =
                "{\"index\":{}}\n" + good + "{\"index\":{}}\n{\"content\":\"" + words + "\"}\n{\"index\":{}}\n" + good;
        Answer bulk = client.must("POST", "/docs-bad/_bulk", lines);
        assertEquals(201, bulk.at("items.0.index.status"), bulk.text());
        assertEquals(429, bulk.at("items.1.index.status"), bulk.text());
        assertTrue(bulk.string("items.1.index.error.reason").contains("[simhash] Data too large"), bulk.text());
        assertEquals(201, bulk.at("items.2.index.status"), bulk.text());
        client.must("DELETE", "/docs-bad", null);
        sample.remove(client);
    }

    /** Half a surrogate pair is no character: JSON can hold it, a document cannot. */
    @Test
    void testLoneSurrogatesHarmNobody() {
        var sample = new SampleIndex();
        sample.configure(client);
        String lone = "\\ud800 \\udfff " + TEXT + " \\udc00\\ud83d";
        String lines = "{\"index\":{\"_id\":\"1\"}}\n{\"content\":\"" + TEXT + "\"}\n"
                + "{\"index\":{\"_id\":\"2\"}}\n{\"content\":\"" + lone + "\"}\n"
                + "{\"index\":{\"_id\":\"3\"}}\n{\"content\":\"" + TEXT + "\"}\n";
        Answer bulk = client.must("POST", "/docs-bad/_bulk?refresh=true", lines);
        assertEquals(201, bulk.at("items.0.index.status"), bulk.text());
        assertEquals(201, bulk.at("items.2.index.status"), bulk.text());
        long status = bulk.number("items.1.index.status");
        assertTrue(status == 201 || status == 400, bulk.text());
        if (status == 201) {
            Answer stored = client.must("GET", "/docs-bad/_doc/2?_source=simhash", null);
            assertEquals(32, stored.string("_source.simhash.digest").length(), stored.text());
            assertEquals(16, stored.string("_source.simhash.hash").length(), stored.text());
        } else {
            assertEquals(404, client.send("GET", "/docs-bad/_doc/2", null).status());
        }
        client.must("DELETE", "/docs-bad", null);
        sample.remove(client);
    }

    private void assertOutcome(String name, Outcome outcome, Object answer) {
        Object status = Json.at(answer, "index.status");
        if (outcome == Outcome.REFUSED) {
            assertEquals(400, status, () -> name + ": " + answer);
            assertTrue(
                    String.valueOf(Json.at(answer, "index.error.reason")).contains("[content]"), () -> name + answer);
            return;
        }
        assertEquals(201, status, () -> name + ": " + answer);
        Answer stored = client.must("GET", "/docs-bad/_doc/" + name + "?_source=simhash", null);
        if (outcome == Outcome.NO_WORDS) {
            assertNull(stored.at("_source.simhash.digest"), stored.text());
            assertEquals(0, stored.number("_source.simhash.features"), stored.text());
        } else {
            assertEquals(32, stored.string("_source.simhash.digest").length(), name);
        }
        assertEquals(outcome == Outcome.FINGERPRINT, stored.at("_source.simhash.hash") != null, stored.text());
    }

    private void document(String name, String document, Outcome outcome) {
        cases.put(name, new Case(document, outcome));
    }

    private void content(String name, String escapedText, Outcome outcome) {
        document(name, "{\"content\":\"" + escapedText + "\"}", outcome);
    }
}
