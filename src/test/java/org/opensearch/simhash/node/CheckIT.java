/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code check} names what is wrong with an index, and its mend mends it; of a right index it finds nothing. */
@RealNodes(value = 1, takesLong = true)
class CheckIT {

    private static final String CHECK = "/_plugins/_simhash/check/";
    private static final Pattern REQUEST = Pattern.compile("(GET|PUT|POST|DELETE) (\\S+)\\n?(.*)", Pattern.DOTALL);

    private final RestClient client;

    CheckIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/_data_stream/check-*", null);
        client.send("PUT", "/check-read-only/_settings", "{\"index.blocks.read_only\": null}");
        client.send("DELETE", "/check-*?expand_wildcards=all", null);
        client.send("DELETE", "/_index_template/check-*", null);
        client.send("DELETE", "/_template/check-*", null);
        client.send(
                "PUT",
                "/_cluster/settings",
                "{\"persistent\": {\"plugins.simhash.near_duplicate.window.time\": null}}");
        client.send("DELETE", "/_ingest/pipeline/check-*", null);
        client.send("DELETE", "/_ingest/pipeline/fingerprint-*check-*", null);
        client.send("DELETE", "/_ingest/pipeline/sketch-check-*", null);
    }

    @TestFactory
    List<DynamicTest> testEachBrokenSetUpIsNamedAndMended() {
        return Stream.of(BrokenSetup.all(), OtherBrokenSetups.all(), BrokenSketchSetup.all())
                .flatMap(List::stream)
                .map(setup -> DynamicTest.dynamicTest(setup.name(), () -> {
                    try {
                        namesAndMends(setup);
                    } finally {
                        remove();
                    }
                }))
                .toList();
    }

    private void namesAndMends(BrokenSetup setup) {
        String index = "check-" + setup.name();
        setup.requests().forEach(request -> send(request.replace("$", index)));

        String field = "?field=" + setup.field();
        Answer broken = client.must("GET", CHECK + index + field, null);

        Map<String, Object> finding = findings(broken).stream()
                .filter(found -> found.get("code").equals(setup.code()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(broken.text()));
        assertEquals(index, finding.get("index"));
        assertFalse(broken.string("status").equals("ok"), broken.text());
        String mend = (String) finding.get("mend");
        assertEquals(setup.isMendable(), REQUEST.matcher(mend).matches(), mend);
        if (setup.isMendable()) {
            List.of(mend.split("\n\n", -1)).forEach(this::send);
            String mended = client.send("GET", "/" + index + "-remapped", null).ok() ? index + "-remapped" : index;
            Answer after = client.must("GET", CHECK + mended + field, null);
            assertTrue(
                    findings(after).stream()
                            .noneMatch(found -> found.get("code").equals(setup.code())),
                    mend + "\n" + after.text());
        }
    }

    /** Or words say why there is no copy. */
    @TestFactory
    List<DynamicTest> testACopyKeepsAllButTheFingerprint() {
        return OddIndex.all().stream()
                .map(odd -> DynamicTest.dynamicTest(odd.name(), () -> {
                    try {
                        copies(odd);
                    } finally {
                        remove();
                    }
                }))
                .toList();
    }

    private void copies(OddIndex odd) {
        String index = "check-" + odd.name();
        odd.requests().forEach(request -> send(request.replace("$", index)));
        Answer before = client.must("GET", "/" + index, null);
        String copy = odd.copy().replace("$", index);
        String mend = mendOfMapping(index, odd.field());
        if (copy.contains(" ")) {
            assertEquals(copy, mend);
            return;
        }
        Object documents = documents(index);

        List.of(mend.split("\n\n", -1)).forEach(this::send);

        assertEquals(all(before, index, odd.field()), all(client.must("GET", "/" + copy, null), copy, odd.field()));
        assertEquals(documents, documents(copy));
        assertEquals(Map.of(), client.must("GET", "/" + index + "/_alias", null).at(index + ".aliases"));
        Answer after = client.must("GET", CHECK + copy + "?field=" + odd.field(), null);
        assertTrue(
                findings(after).stream().noneMatch(found -> found.get("code").equals("mapping_wrong")), after.text());
        assertEquals(1L, after.number("fingerprinted") > 0 ? 1L : 0L, after.text());
    }

    private String mendOfMapping(String index, String field) {
        Answer broken = client.must("GET", CHECK + index + "?field=" + field, null);
        return findings(broken).stream()
                .filter(found -> found.get("code").equals("mapping_wrong"))
                .map(found -> (String) found.get("mend"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(broken.text()));
    }

    /** Without the fingerprint and what is new in any index. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> all(Answer answer, String index, String field) {
        Map<String, Object> all = (Map<String, Object>) answer.json().get(index);
        Map<String, Object> settings = (Map<String, Object>) ((Map<String, Object>) all.get("settings")).get("index");
        settings.keySet().removeAll(List.of("uuid", "creation_date", "provided_name", "version"));
        Map<String, Object> mapping = (Map<String, Object>) all.get("mappings");
        for (String name : field.split("\\.", -1)) {
            mapping = (Map<String, Object>) mapping.get("properties");
            if (field.endsWith(name)) {
                Map<String, Object> parts = (Map<String, Object>) mapping.remove(name);
                mapping.put("own", ((Map<String, Object>) parts.get("properties")).get("note"));
            } else {
                mapping = (Map<String, Object>) mapping.get(name);
            }
        }
        return all;
    }

    /** With routing and version, whatever search pipeline the index has. */
    private List<?> documents(String index) {
        client.must("POST", "/" + index + "/_refresh", null);
        List<Map<String, Object>> hits = client.must(
                        "GET", "/" + index + "/_search?version=true&size=50&sort=_id&search_pipeline=_none", null)
                .hits();
        assertFalse(hits.isEmpty());
        hits.forEach(hit -> hit.keySet().retainAll(List.of("_id", "_routing", "_version", "_source")));
        return hits;
    }

    private void send(String text) {
        var request = REQUEST.matcher(text);
        assertTrue(request.matches(), text);
        String body = request.group(3).isBlank() ? null : request.group(3);
        client.must(request.group(1), request.group(2), body);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> findings(Answer answer) {
        return (List<Map<String, Object>>) answer.at("findings");
    }

    @TestFactory
    List<DynamicTest> testOfARightSetUpNothingIsWrong() {
        return RightSetup.all().stream()
                .map(setup -> DynamicTest.dynamicTest(setup.name(), () -> {
                    try {
                        String index = "check-" + setup.name();
                        setup.requests().forEach(request -> send(request.replace("$", index)));
                        String checked = setup.checked().replace("$", index);
                        Answer answer = client.must("GET", CHECK + checked + "?field=" + setup.field(), null);
                        assertEquals(List.of(), answer.at("findings"), answer.text());
                        assertEquals("ok", answer.string("status"));
                        assertTrue(answer.number("documents") > 0, answer.text());
                    } finally {
                        remove();
                    }
                }))
                .toList();
    }

    @Test
    void testARightIndexHasNoFinding() throws IOException {
        List<String> found = new ArrayList<>();
        String writer = "{\"processors\": [{\"simhash\": {\"field\": \"content\"}}, {\"near_duplicate\": {}}]}";
        send("PUT /_ingest/pipeline/check-right\n" + writer);
        // Makes the same, for nobody here.
        send("PUT /_ingest/pipeline/a-check-of-others\n" + writer);
        String pipeline = "{\"settings\": {\"index.default_pipeline\": \"check-right\"}";
        send("PUT /check-right-dynamic\n" + pipeline + "}");
        send("PUT /check-right-final\n{\"settings\": {\"index.final_pipeline\": \"check-right\"}}");
        send("PUT /check-right-template\n" + pipeline + ", \"mappings\": " + mappings() + "}");
        for (String index : List.of("check-right-dynamic", "check-right-final", "check-right-template")) {
            found.addAll(findings(client.must("GET", CHECK + index, null)).stream()
                    .map(Object::toString)
                    .toList());
            send("PUT /" + index + "/_doc/1?refresh=true\n{\"content\": \"" + BrokenSetup.TEXT + "\"}");
            send("PUT /" + index + "/_doc/2?refresh=true\n{\"content\": \"short\"}");
            Answer answer = client.must("GET", CHECK + index, null);
            found.addAll(findings(answer).stream().map(Object::toString).toList());
            assertEquals("ok", answer.string("status"), answer.text());
            assertEquals(2, answer.number("documents"));
            assertEquals(1, answer.number("fingerprinted"));
            assertEquals(1, answer.number("too_short"));
            assertEquals(0, answer.number("without"));
            assertEquals(2, answer.number("schemes.0.documents"));
            assertEquals("check-right", answer.string("schemes.0.pipeline"));
            assertEquals(true, answer.at("schemes.0.current"));
        }
        send("DELETE /_ingest/pipeline/a-check-of-others");
        assertEquals(List.of(), found);
        Answer all = client.must("GET", CHECK + "check-right-*", null);
        assertEquals(6, all.number("documents"));
        assertEquals("ok", all.string("status"));
    }

    @SuppressWarnings("unchecked")
    private static String mappings() throws IOException {
        Object template = Json.parse(Files.readString(Path.of("config/index-template.json")));
        return Json.write((Map<String, ?>) Json.at(template, "template.mappings"));
    }

    @Test
    void testSketchesAreCounted() throws IOException {
        send("PUT /_ingest/pipeline/check-sketches\n{\"processors\": [" + BrokenSketchSetup.WRITER + "]}");
        send("PUT /check-sketches\n{\"settings\": {\"index.default_pipeline\": \"check-sketches\"}, \"mappings\": "
                + mappings() + "}");
        assertEquals("ok", client.get(CHECK + "check-sketches?field=minhash").string("status"));
        send("PUT /check-sketches/_doc/1?refresh=true\n{\"content\": \"" + BrokenSetup.TEXT + "\"}");
        send("PUT /check-sketches/_doc/2?refresh=true\n{\"content\": \"short\"}");
        send("PUT /check-sketches/_doc/3?refresh=true&pipeline=_none\n{\"title\": \"none\"}");

        Answer answer = client.must("GET", CHECK + "check-sketches?field=minhash", null);

        assertEquals(List.of(), answer.at("findings"), answer.text());
        assertEquals("ok", answer.string("status"));
        assertEquals(3, answer.number("documents"));
        assertEquals(1, answer.number("fingerprinted"));
        assertEquals(1, answer.number("too_short"));
        assertEquals(1, answer.number("without"));
        assertTrue(answer.string("schemes.0.scheme").startsWith("m2-"), answer.text());
        assertEquals(2, answer.number("schemes.0.documents"));
        assertEquals("check-sketches", answer.string("schemes.0.pipeline"));
        assertEquals(true, answer.at("schemes.0.current"));
    }

    @Test
    void testARoundTripThroughAClientThatRoundsIsMended() {
        send("PUT /_ingest/pipeline/check-trip\n{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}");
        send("PUT /check-trip\n{\"settings\": {\"index.default_pipeline\": \"check-trip\"}}");
        send("PUT /check-trip/_doc/1?refresh=true\n{\"content\": \"" + BrokenSetup.TEXT + "\"}");
        Answer before = client.get("/check-trip/_doc/1");
        long bits = before.number("_source.simhash.bits");
        String rounded = before.text().replaceAll(".*\"_source\":", "").replaceFirst("}$", "");
        send("PUT /check-trip/_doc/1?refresh=true&pipeline=_none\n"
                + rounded.replace(Long.toString(bits), Long.toString(bits / 1000 * 1000)));

        Answer mended = client.must("POST", CHECK + "check-trip/mend", null);

        assertEquals(1, mended.number("updated"), mended.text());
        assertEquals(bits, client.get("/check-trip/_doc/1").number("_source.simhash.bits"));
        assertEquals(0, client.must("POST", CHECK + "check-trip/mend", null).number("updated"));
        String task = client.must(
                        "POST", CHECK + "check-trip/mend?wait_for_completion=false&requests_per_second=100", null)
                .string("task");
        assertEquals(
                true,
                client.must("GET", "/_tasks/" + task + "?wait_for_completion=true", null)
                        .at("completed"));
    }

    @Test
    void testAPipelineWithoutAWriterIsAnsweredWithAWarning() throws IOException, InterruptedException {
        String near = "{\"near_duplicate\": {}}";
        assertEquals(1, warnings(near).size());
        assertTrue(warnings(near).getFirst().contains("[near_duplicate] of pipeline [check-warned] reads [simhash]"));
        assertEquals(
                1, warnings(near + ", {\"simhash\": {\"field\": \"content\"}}").size());
        assertEquals(
                0, warnings("{\"simhash\": {\"field\": \"content\"}}, " + near).size());
        String sketched = "{\"near_duplicate\": {\"sketch\": \"minhash\"}}";
        String writer = "{\"minhash\": {\"field\": \"content\"}}";
        String good = writer + ", " + sketched;
        assertEquals(0, warnings(good).size());
        assertTrue(warnings(sketched).getFirst().contains("reads [minhash]"));
        String otherKind = "{\"near_duplicate\": {\"sketch\": \"minhash\", \"field\": \"simhash\"}}";
        String wrong = "{\"simhash\": {\"field\": \"content\"}}, " + otherKind;
        assertEquals(1, warnings(wrong).size());
    }

    private List<String> warnings(String processors) throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
            HttpRequest put = HttpRequest.newBuilder(client.address().resolve("/_ingest/pipeline/check-warned"))
                    .header("content-type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString("{\"processors\": [" + processors + "]}"))
                    .build();
            var answer = http.send(put, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            return answer.headers().allValues("warning");
        }
    }

    /** The sample is random and large enough: of a hundred with one stale text in a hundred, it misses none. */
    @Test
    void testOneStaleTextInAHundredIsFound() {
        send("PUT /_ingest/pipeline/check-many\n{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}");
        send("PUT /check-many\n{\"settings\": {\"index.default_pipeline\": \"check-many\"}}");
        for (int from = 0; from < 10_000; from += 2_500) {
            StringBuilder bulk = new StringBuilder();
            for (int i = from; i < from + 2_500; i++) {
                bulk.append("{\"index\": {\"_id\": \"")
                        .append(i)
                        .append("\"}}\n{\"content\": \"")
                        .append(i);
                bulk.append(" ").append(BrokenSetup.TEXT).append("\"}\n");
            }
            send("POST /check-many/_bulk?refresh=true\n" + bulk);
        }
        Answer right = client.must("GET", CHECK + "check-many", null);
        assertEquals("ok", right.string("status"), right.text());
        StringBuilder updates = new StringBuilder();
        for (int i = 9_900; i < 10_000; i++) { // The last ones: an order by document would not meet them.
            updates.append("{\"update\": {\"_id\": \"")
                    .append(i)
                    .append("\"}}\n{\"doc\": {\"content\": \"Bake the bread ");
            updates.append(i).append(" at 230 degrees for ten minutes, then turn the oven down.\"}}\n");
        }
        send("POST /check-many/_bulk?refresh=true\n" + updates);

        assertFound("check-many", "warning", "stale_fingerprint");
    }

    @Test
    void testAnArchiveAmongOthersIsAFinding() {
        send(
                "PUT /check-kept\n{\"mappings\": {\"dynamic\": false, \"properties\": {\"simhash_archive\": {\"properties\":"
                        + " {\"run\": {\"type\": \"keyword\"}}}}}}");
        send("PUT /_ingest/pipeline/check-one\n{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}");
        send("PUT /check-one\n{\"settings\": {\"index.default_pipeline\": \"check-one\"}}");
        assertFound("check-*", "warning", "archive");
        assertEquals("ok", client.get(CHECK + "check-*,-check-kept").string("status"));
        send("POST /_aliases\n{\"actions\": [{\"add\": {\"indices\": [\"check-one\", \"check-kept\"], \"alias\":"
                + " \"check-both\"}}]}");
        Answer both = client.get(CHECK + "check-both");
        assertEquals("archive", both.string("findings.0.code"), both.text());
        send(both.string("findings.0.mend"));
        assertEquals("ok", client.get(CHECK + "check-both").string("status"));
    }

    /**
     * Mends are followed in the order of the answer until nothing is wrong. After each request a document is written with a text
     * that repeats, one with another field, and one that is tagged: all are stored.
     */
    @TestFactory
    List<DynamicTest> testNoMendMakesAWriteFail() {
        return SpoiltIndex.all().stream()
                .map(spoilt -> DynamicTest.dynamicTest(spoilt.name(), () -> {
                    try {
                        new SpoiltIndex.Mending(client, spoilt).untilOk();
                    } finally {
                        remove();
                    }
                }))
                .toList();
    }

    @Test
    void testWhatHasNothingToLookAtIsAFindingOrNone() {
        send("PUT /check-plain\n{\"mappings\": {\"properties\": {\"n\": {\"type\": \"integer\"}}}}");
        assertFound("check-plain", "error", "no_pipeline");
        send("PUT /check-plain/_doc/1?refresh=true\n{\"n\": 1}");
        assertFound("check-plain", "error", "no_pipeline");
        send("PUT /check-hidden\n{\"settings\": {\"index.hidden\": true}}");
        assertFound("check-hidden", "error", "no_pipeline");
        send("PUT /check-red?wait_for_active_shards=0\n{\"settings\":"
                + " {\"index.routing.allocation.require._name\": \"nowhere\"}}");
        assertFound("check-red", "warning", "not_searchable");
        send("POST /_aliases\n{\"actions\": [{\"add\": {\"index\": \"check-plain\", \"alias\": \"check-alias\"}}]}");
        send("POST /check-plain/_close\n");
        assertFound("check-alias", "warning", "not_searchable");
        assertFound("check-plain?field=n", "warning", "not_searchable");
        send("POST /check-plain/_open\n");
        client.must("GET", "/_cluster/health/check-plain?wait_for_status=yellow", null);
        assertFound("check-plain?field=n", "error", "mapping_wrong");
        assertFound("%3Ccheck-plain%3E", "error", "no_pipeline");
        send("PUT /_index_template/check-none\n{\"index_patterns\": [\"check-none*\"], \"priority\": 900,"
                + " \"data_stream\": {}}");
        send("PUT /_data_stream/check-none\n");
        Answer stream = client.must("GET", CHECK + "check-none", null);
        assertEquals(0, stream.number("documents"));
        assertEquals("no_pipeline", stream.string("findings.0.code"));
    }

    private void assertFound(String checked, String status, String code) {
        Answer answer = client.must("GET", CHECK + checked, null);
        assertEquals(status, answer.string("status"), answer.text());
        assertTrue(
                findings(answer).stream()
                        .anyMatch(finding -> finding.get("code").equals(code)),
                answer.text());
    }

    @Test
    void testWhatCannotBeCheckedIsRefused() {
        assertEquals(404, client.get(CHECK + "check-nowhere").status());
        assertEquals(404, client.get(CHECK + "check-nowhere*").status());
        assertEquals(404, client.get(CHECK + "check-nowhere*,check-gone").status());
        assertEquals(400, client.get(CHECK + "check-nowhere?field=").status());
        assertEquals(400, client.get(CHECK + "check-nowhere?feild=simhash").status());
        assertEquals(404, client.get(CHECK + "Not%20A%20Name").status());
        Answer remote = client.get(CHECK + "other:docs");
        assertEquals(400, remote.status());
        assertEquals("[index] must name indices of this cluster, got: other:docs", remote.reason());
        Answer size = client.get(CHECK + "check-nowhere?sample_size=0");
        assertEquals(400, size.status());
        assertEquals("[sample_size] must be between 1 and 10000, got: 0", size.reason());
        assertEquals(
                400,
                client.send("POST", CHECK + "x/mend?requests_per_second=0", null)
                        .status());
    }
}
