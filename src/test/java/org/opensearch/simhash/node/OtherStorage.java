/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.image.TestImages;
import org.opensearch.simhash.folders.Folders;

/**
 * Pull-based ingestion, searchable snapshots and a remote store, as docs/install.md says, on nodes of their own: one has a plugin that
 * pulls documents from files.
 */
class OtherStorage {

    private static final String TRAM =
            "The city council approved the new tram line on Monday. Construction between the central"
                    + " station and the university starts in March and takes three years. The line costs 240 million euros.";
    private static final List<String> TEXTS = List.of(
            TRAM,
            TRAM.replace("240", "250"),
            "Bake the bread at 230 degrees for ten minutes, then turn the oven down and wait for half an hour more.");
    private static final String WRITER = "{\"simhash\":{\"field\":\"content\"}}";
    private static final String JOB = "\"max_distance\":11";
    private static final String SETUP = "/_plugins/_simhash/setup/";

    private static Path folder;
    private static RealCluster cluster;
    private static RestClient client;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Distribution build = Distribution.ofTheBuild();
        folder = build.newFolder();
        Path stock = folder.resolve("stock");
        Folders.link(build.stock(), stock);
        Distribution.runInstaller(stock, pullingPlugin(), folder.resolve("install.log"));
        cluster = RealCluster.start(
                new Distribution(stock, build.zip(), build.work()),
                NodeOptions.quick(1)
                        .with("node.roles", "cluster_manager,data,ingest,warm")
                        .with("node.search.cache.size", "50mb"));
        client = cluster.client();
        client.must("PUT", "/_ingest/pipeline/writes", "{\"processors\":[" + WRITER + "]}");
        client.must(
                "PUT",
                "/_ingest/pipeline/tags",
                "{\"processors\":[" + WRITER + ",{\"near_duplicate\":{" + JOB + ",\"action\":\"tag\"}}]}");
    }

    /** Maven Central has its classes, and no zip. */
    private static Path pullingPlugin() throws IOException {
        Path zip = folder.resolve("ingestion-fs.zip");
        String version = System.getProperty("node.version");
        String descriptor = "name=ingestion-fs\ndescription=pulls documents from files\nversion=" + version
                + "\nopensearch.version=" + version
                + "\njava.version=21\nclassname=org.opensearch.plugin.ingestion.fs.FilePlugin\n";
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("plugin-descriptor.properties"));
            out.write(descriptor.getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new ZipEntry("ingestion-fs.jar"));
            Files.copy(Path.of(System.getProperty("ingestion.jar")), out);
        }
        return zip;
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
        Folders.delete(folder);
    }

    /** All parts are mapped: such an index adds no fields. */
    private static String mappings() {
        Map<String, Object> keyword = Map.of("type", "keyword");
        Map<String, Object> parts = new HashMap<>();
        List.of("hash", "digest", "scheme", "group", "duplicate_of").forEach(part -> parts.put(part, keyword));
        for (int i = 0; i < 4; i++) {
            parts.put("segment_" + i, keyword);
        }
        parts.put("bits", Map.of("type", "long", "index", false));
        parts.put("features", Map.of("type", "integer", "index", false));
        return Json.write(Map.of(
                "properties", Map.of("content", Map.of("type", "text"), "simhash", Map.of("properties", parts))));
    }

    private static void pull(String index, String pipelines) {
        pull(
                index,
                pipelines,
                TEXTS.stream().map(text -> Map.of("content", text)).toList());
    }

    private static void pull(String index, String pipelines, List<Map<String, String>> documents) {
        Path stream = folder.resolve("stream-" + index);
        try {
            Files.createDirectories(stream.resolve("docs"));
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < documents.size(); i++) {
                lines.add(
                        Json.write(Map.of("_id", String.valueOf(i), "_op_type", "index", "_source", documents.get(i))));
            }
            Files.write(stream.resolve("docs/0.ndjson"), lines);
            for (Path path : List.of(stream, stream.resolve("docs"), stream.resolve("docs/0.ndjson"))) {
                assertTrue(path.toFile().setReadable(true, false));
                assertTrue(path.toFile().setExecutable(true, false) || Files.isRegularFile(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client.must(
                "PUT",
                "/" + index,
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,\"index.replication.type\":\"SEGMENT\","
                        + pipelines
                        + ",\"index.ingestion_source\":{\"type\":\"file\",\"pointer.init.reset\":\"earliest\",\"param\":"
                        + "{\"stream\":\"docs\",\"base_directory\":\"" + stream + "\"}}},\"mappings\":" + mappings()
                        + "}");
        long until = System.nanoTime() + 60_000_000_000L;
        while (client.must("GET", "/" + index + "/_count", null).number("count") < documents.size()) {
            assertTrue(System.nanoTime() < until, "no documents were pulled");
            client.must("POST", "/" + index + "/_refresh", null);
        }
    }

    private static List<Object> fingerprints(String index) {
        List<Object> hashes = new ArrayList<>();
        client.must("GET", "/" + index + "/_search", null)
                .hits()
                .forEach(hit -> hashes.add(Json.at(hit, "_source.simhash.hash")));
        return hashes;
    }

    private static Answer check(String index) {
        return client.must("GET", "/_plugins/_simhash/check/" + index, null);
    }

    private static Answer job(String index, String more) {
        return client.send("POST", "/_plugins/_simhash/deduplicate/" + index, "{" + JOB + more + "}");
    }

    /** Returns the run of the job. */
    private static String requireFound(String index) {
        Answer found = client.must(
                "POST",
                "/" + index + "/_search",
                "{\"query\":{\"simhash\":{\"text\":\"" + TRAM + "\"," + JOB
                        + ",\"verify\":{\"field\":\"content\",\"min_similarity\":0.6}}}}");
        assertEquals(2, found.hits().size(), found.text());
        Answer job = job(index, ",\"dest\":{\"index\":\"groups-" + index + "\"}");
        assertEquals(1, job.number("duplicates"), job.text());
        return job.string("run");
    }

    @Test
    void testAFinalPipelineWritesFingerprintsIntoPulledDocuments() {
        pull("pulled", "\"index.final_pipeline\":\"writes\"");
        assertEquals(3, fingerprints("pulled").stream().distinct().count(), "three fingerprints");
        assertEquals("ok", check("pulled").at("status"), check("pulled").text());
        requireFound("pulled");
        for (String action : List.of("tag", "delete")) {
            String archive = action.equals("tag") ? "" : ",\"archive\":false";
            Answer refused = job("pulled", ",\"action\":\"" + action + "\"" + archive);
            assertEquals(400, refused.status());
            assertEquals(
                    "[action] must be report where indices pull their documents, got: " + action + " with [pulled]",
                    refused.reason());
        }
        Answer untag = client.send("POST", "/_plugins/_simhash/deduplicate/pulled/untag", "{}");
        assertEquals(400, untag.status(), untag.text());
        assertEquals(
                "[index] must be one whose documents can be updated as a whole, got: pulled, which pulls its documents"
                        + " ([index.ingestion_source])",
                untag.reason());
    }

    /** It looks up later than OpenSearch waits, and would take the fingerprint with it. */
    @Test
    void testNearDuplicateLeavesPulledDocumentsAsTheyAre() {
        pull("pulled-tags", "\"index.final_pipeline\":\"tags\"");
        assertEquals(3, fingerprints("pulled-tags").stream().distinct().count(), "three fingerprints");
        Answer check = check("pulled-tags");
        assertEquals("pulled", check.at("findings.0.code"), check.text());
        assertTrue(
                check.string("findings.0.message").contains("[near_duplicate] of pipeline [tags] leaves"),
                check.text());
        requireFound("pulled-tags");
    }

    /** Elsewhere it is decoded on threads of its own. */
    @Test
    void testAPulledImageGetsItsHash() throws IOException {
        client.must("PUT", "/_ingest/pipeline/images", "{\"processors\":[{\"image_hash\":{\"field\":\"image\"}}]}");
        String image = TestImages.base64(TestImages.write("png", TestImages.draw(3, 200, 100)));
        pull("pulled-image", "\"index.final_pipeline\":\"images\"", List.of(Map.of("image", image)));
        assertTrue(fingerprints("pulled-image").getFirst() instanceof String);
    }

    @Test
    void testCheckFindsADefaultPipelineThatNeverRuns() {
        pull("pulled-never", "\"index.default_pipeline\":\"writes\"");
        Answer check = check("pulled-never");
        List<?> codes = ((List<?>) check.at("findings"))
                .stream().map(finding -> Json.at(finding, "code")).toList();
        assertTrue(codes.contains("pulled") && codes.contains("no_pipeline"), check.text());
        int at = codes.indexOf("pulled");
        assertTrue(
                check.string("findings." + at + ".message").endsWith("[writes] of [index.default_pipeline] never runs"),
                check.text());
        assertTrue(check.string("findings." + at + ".mend").contains("index.final_pipeline"), check.text());
    }

    /** OpenSearch lets nobody else write: the source is read again, as the steps and the mends say. */
    @Test
    void testSetupOfPulledDocuments() {
        pull("pulled-plain", "\"index.default_pipeline\":\"_none\"");
        Answer refused = client.send("POST", SETUP + "pulled-plain", "{\"near_duplicate\":{\"action\":\"tag\"}}");
        assertEquals(400, refused.status(), refused.text());
        assertTrue(
                refused.reason()
                        .startsWith(
                                "[near_duplicate] must be left out where an index pulls its documents, as OpenSearch does"
                                        + " not wait until they are looked up, got: {action=tag"),
                refused.text());
        Answer applied = client.must("POST", SETUP + "pulled-plain", "{\"apply\":true}");
        List<?> steps = (List<?>) applied.at("steps");
        assertEquals(
                List.of(Map.of("index.final_pipeline", "fingerprint-pulled-plain")),
                steps.stream()
                        .filter(step -> "setting".equals(Json.at(step, "what")))
                        .map(step -> Json.at(step, "body"))
                        .toList());
        Object update = steps.stream()
                .filter(step -> "update".equals(Json.at(step, "what")))
                .findFirst()
                .orElseThrow();
        assertEquals(false, Json.at(update, "done"));
        String why = String.valueOf(Json.at(update, "why"));
        assertTrue(why.contains("pause it (POST /pulled-plain/ingestion/_pause)"), why);
        assertEquals("not_fingerprinted", applied.at("check.findings.0.code"), applied.text());
        String[] mend = applied.string("check.findings.0.mend").split("\n\n", -1);
        assertEquals("POST /pulled-plain/ingestion/_pause", mend[0]);
        String[] resume = mend[1].split("\n", 2);
        assertEquals("POST /pulled-plain/ingestion/_resume", resume[0]);
        assertEquals(Json.at(update, "request"), resume[0]);
        assertEquals(Json.at(update, "body"), Json.parse(resume[1]));
        client.must("POST", "/pulled-plain/ingestion/_pause", null);
        client.must("POST", "/pulled-plain/ingestion/_resume", resume[1]);
        DeletingJob.await(() -> {
            client.must("POST", "/pulled-plain/_refresh", null);
            return fingerprints("pulled-plain").contains(null) == false;
        });
        assertEquals(
                "ok", check("pulled-plain").at("status"), check("pulled-plain").text());
        requireFound("pulled-plain");
        Answer mended = client.send("POST", "/_plugins/_simhash/check/pulled-p*/mend", "{}");
        assertEquals(400, mended.status(), mended.text());
        assertEquals(
                "[index] must be one whose documents can be updated, got: pulled-plain, which pulls its documents"
                        + " ([index.ingestion_source])",
                mended.reason());
    }

    /** A node of its own, whose indices are all in a repository: what {@code near_duplicate} and jobs do, hour by hour. */
    @Test
    void testRemoteStore() {
        Map<String, String> settings = new HashMap<>(NodeOptions.quick(1).settings());
        for (String part : List.of("segment", "translog", "state")) {
            settings.put("node.attr.remote_store." + part + ".repository", "away");
        }
        settings.put("node.attr.remote_store.repository.away.type", "fs");
        settings.put("node.attr.remote_store.repository.away.settings.location", "away");
        NodeOptions options = new NodeOptions(1, NodeOptions.quick(1).jvmOptions(), settings);
        try (RealCluster remote = RealCluster.start(Distribution.ofTheBuild(), options)) {
            RestClient node = remote.client();
            node.must("PUT", "/_ingest/pipeline/writes", "{\"processors\":[" + WRITER + "]}");
            node.must(
                    "PUT",
                    "/_ingest/pipeline/drops",
                    "{\"processors\":[" + WRITER + ",{\"near_duplicate\":{" + JOB
                            + ",\"action\":\"drop\",\"verify\":{\"field\":\"content\",\"min_similarity\":0.6}}}]}");
            node.must(
                    "PUT",
                    "/away",
                    "{\"settings\":{\"number_of_replicas\":0,\"index.default_pipeline\":\"drops\"},\"mappings\":"
                            + mappings() + "}");
            assertEquals("true", node.get("/away/_settings").at("away.settings.index.remote_store.enabled"));
            for (int i = 0; i < TEXTS.size(); i++) {
                node.must("PUT", "/away/_doc/" + i + "?refresh=true", Json.write(Map.of("content", TEXTS.get(i))));
            }
            assertEquals(2, node.must("GET", "/away/_count", null).number("count"), "one was dropped");

            String hourly = "{" + JOB + ",\"action\":\"tag\",\"dest\":{\"index\":\"hourly\"},\"new_since\":\"last\"}";
            assertEquals(0, awayJob(node, hourly).number("tagged"));
            node.must("PUT", "/away/_doc/1?refresh=true&pipeline=writes", Json.write(Map.of("content", TEXTS.get(1))));
            assertEquals(1, awayJob(node, hourly).number("tagged"));
            assertEquals(0, awayJob(node, hourly).number("tagged"));

            Answer deleted = awayJob(node, "{" + JOB + ",\"action\":\"delete\",\"archive\":{\"index\":\"removed\"}}");
            assertEquals(1, deleted.number("deleted"), deleted.text());
            assertEquals(404, node.send("GET", "/away/_doc/1", null).status());
            remote.kill(0);
            remote.restart(0, options);
            RestClient again = remote.client();
            again.must("GET", "/_cluster/health/away,removed?wait_for_status=yellow&timeout=60s", null);
            assertEquals(2, again.must("GET", "/away/_count", null).number("count"));
            Answer restored = again.must(
                    "POST",
                    "/_plugins/_simhash/deduplicate/away/restore",
                    "{\"run\":\"" + deleted.string("run") + "\",\"archive\":{\"index\":\"removed\"}}");
            assertEquals(1, restored.number("restored"), restored.text());
            Answer check = again.must("GET", "/_plugins/_simhash/check/away", null);
            assertEquals("ok", check.at("status"), check.text());
        }
    }

    private static Answer awayJob(RestClient node, String body) {
        Answer job = node.must("POST", "/_plugins/_simhash/deduplicate/away", body);
        node.must("POST", "/away/_refresh", null);
        return job;
    }

    @Test
    void testASearchableSnapshotIsSearchedAndNeverWritten() {
        client.must(
                "PUT",
                "/plain",
                "{\"settings\":{\"number_of_replicas\":0,\"index.default_pipeline\":\"tags\"},\"mappings\":"
                        + mappings() + "}");
        for (int i = 0; i < TEXTS.size(); i++) {
            client.must("PUT", "/plain/_doc/" + i + "?refresh=true", Json.write(Map.of("content", TEXTS.get(i))));
        }
        client.must("PUT", "/_snapshot/kept", "{\"type\":\"fs\",\"settings\":{\"location\":\"kept\"}}");
        client.must(
                "PUT",
                "/_snapshot/kept/one?wait_for_completion=true",
                "{\"indices\":\"plain\",\"include_global_state\":false}");
        client.must(
                "POST",
                "/_snapshot/kept/one/_restore?wait_for_completion=true",
                "{\"indices\":\"plain\",\"storage_type\":\"remote_snapshot\",\"rename_pattern\":\"plain\","
                        + "\"rename_replacement\":\"snapped\"}");
        String run = requireFound("snapped");
        assertEquals("ok", check("snapped").at("status"), check("snapped").text());
        String refusal = "index [snapped] blocked by: [FORBIDDEN/13/remote index is read-only];";
        for (String more : List.of(
                ",\"action\":\"tag\"",
                ",\"action\":\"delete\",\"archive\":{\"index\":\"removed-snapped\"}",
                ",\"dest\":{\"index\":\"snapped\"}")) {
            String source = more.contains("dest") ? "plain" : "snapped";
            Answer refused = job(source, more);
            assertEquals(403, refused.status(), refused.text());
            assertEquals(refusal, refused.reason());
        }
        assertEquals(404, client.send("GET", "/removed-snapped", null).status(), "nothing was written");
        Answer applied = client.send(
                "POST",
                "/_plugins/_simhash/deduplicate/snapped/apply",
                "{\"run\":\"" + run + "\",\"dest\":{\"index\":\"groups-snapped\"},\"action\":\"tag\"}");
        assertEquals(refusal, applied.reason());
        for (String write : List.of("deduplicate/snapped/untag", "check/snapped/mend")) {
            assertTrue(
                    client.send("POST", "/_plugins/_simhash/" + write, "{}")
                            .text()
                            .contains(refusal),
                    write);
        }
    }
}
