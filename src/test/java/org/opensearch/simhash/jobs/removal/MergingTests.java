/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;
import org.opensearch.simhash.jobs.untag.UntagAction;

/** A survivor gets the values of its duplicates, and a restore puts back what it was. */
public class MergingTests extends DeletingTestCase {

    private static final int GROUPS = 500;
    private static final String MERGE = "\"merge\":[\"custodian\",\"meta.tags\"],\"archive\":" + ARCHIVE;
    private static final String DELETE = "{\"action\":\"delete\",\"verify\":false," + MERGE + "}";

    private void create() {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.number_of_shards", between(1, 3)))
                .setMapping(Map.of(
                        "properties",
                        Map.of(
                                "custodian", Map.of("type", "keyword"),
                                "meta", Map.of("properties", Map.of("tags", Map.of("type", "keyword"))),
                                "title", Map.of("type", "text"),
                                "dynamic",
                                        Map.of("type", "text", "fields", Map.of("keyword", Map.of("type", "keyword"))),
                                "same", Map.of("type", "constant_keyword", "value", "x"),
                                "other", Map.of("type", "alias", "path", "custodian"),
                                "copied", Map.of("type", "keyword"),
                                "source", Map.of("type", "keyword", "copy_to", "copied"),
                                "mails",
                                        Map.of("type", "nested", "properties", Map.of("to", Map.of("type", "keyword"))),
                                "strict", Map.of("type", "object", "dynamic", "strict"))))
                .get();
    }

    private static String json(long bits, String fields) {
        return "{ \"simhash\" : {\"hash\":\"" + Fingerprint.toHex(bits) + "\",\"bits\":" + bits
                + ",\"scheme\":\"given-a\"} , \"price\" : 1.10" + fields + "  }";
    }

    private void put(String id, String json) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(json, XContentType.JSON)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** Byte for byte. */
    private Map<String, String> sources() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, String> sources = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(10_000).get().getHits()) {
            sources.put(hit.getId(), hit.getSourceAsString());
        }
        return sources;
    }

    private Map<String, Object> source(String id) {
        return client().prepareGet(INDEX, id).get().getSourceAsMap();
    }

    private JobResponse restore(String run) {
        return client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
    }

    private JobResponse job(String json) throws IOException {
        return run(json, Float.POSITIVE_INFINITY, 100);
    }

    private static List<String> union(List<List<String>> members) {
        LinkedHashSet<String> union = new LinkedHashSet<>();
        members.forEach(union::addAll);
        return List.copyOf(union);
    }

    private static List<?> list(Object value) {
        return value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
    }

    public void testRandomGroupsAreMergedAndRestoredByteForByte() throws IOException {
        create();
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        List<List<String>> expected = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            List<List<String>> values = new ArrayList<>();
            for (int member = between(1, 4); member >= 0; member--) {
                List<String> custodians = randomSubsetOf(List.of("ada", "bob", "eve"));
                values.add(custodians);
                String fields = custodians.isEmpty() && randomBoolean()
                        ? ""
                        : custodians.size() == 1 && randomBoolean()
                                ? ", \"custodian\":\"" + custodians.getFirst() + "\""
                                : ", \"custodian\" : [\"" + String.join("\", \"", custodians) + "\"]";
                fields = custodians.isEmpty() ? "" : fields;
                fields += randomFrom(
                        "",
                        ",\"meta\":{\"tags\":[1,  2]}",
                        ",\"meta.tags\":\"" + member + "\"",
                        ",\"meta\":{\"x\":1.50}");
                String id = String.format(Locale.ROOT, "%04d-%d", group, values.size());
                bulk.add(client().prepareIndex(INDEX)
                        .setId(id)
                        .setSource(json(0x9E3779B97F4A7C15L * group, fields), XContentType.JSON));
            }
            expected.add(union(values));
        }
        BulkResponse filled = bulk.get();
        assertFalse(filled.buildFailureMessage(), filled.hasFailures());
        Map<String, String> before = sources();
        boolean deletes = randomBoolean();
        JobResponse response = job(deletes ? DELETE : "{\"action\":\"tag\",\"max_distance\":0," + MERGE + "}");
        assertEquals(response.toString(), List.of(), response.failures());
        assertEquals(GROUPS, response.count("groups"));
        Map<String, String> after = sources();
        long merged = 0;
        for (int group = 0; group < GROUPS; group++) {
            String id = String.format(Locale.ROOT, "%04d-1", group);
            assertEquals(id, expected.get(group), list(source(id).get("custodian")));
            merged += source(id).toString().contains("custodian") ? 1 : 0;
        }
        assertTrue(merged > 0 && response.count("merged") > 0);
        assertNotEquals(before, after);
        if (deletes == false && randomBoolean()) {
            untag();
        }
        JobResponse restored = restore(response.run());
        assertEquals(restored.toString(), 0, restored.count("version_conflicts"));
        Map<String, String> back = sources();
        if (deletes == false) {
            untag();
            back = sources();
            // Those that lost their tag have other white space.
            before.replaceAll((id, json) -> parsed(json));
            back.replaceAll((id, json) -> parsed(json));
        }
        assertEquals(before, back);
        if (deletes) {
            assertEquals(response.count("merged") + response.count("deleted"), restored.count("restored"));
        }
    }

    private String parsed(String json) {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return new TreeMap<>(parser.map()).toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void untag() {
        String json = "{}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            client().execute(
                            UntagAction.INSTANCE,
                            UntagAction.Request.fromXContent(
                                    new String[] {INDEX}, parser, new WritePace(Float.POSITIVE_INFINITY, 100)))
                    .actionGet();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public void testASurvivorOfATagJobIsWhatItWasByteForByteEvenAfterUntag() throws IOException {
        for (boolean untagsFirst : new boolean[] {false, true}) {
            create();
            put("1", json(0, ", \"custodian\" : \"ada\""));
            put("2", json(0, ",\"custodian\":[\"bob\",\"ada\"]"));
            String before = sources().get("1");
            JobResponse response = job("{\"action\":\"tag\"," + MERGE + "}");
            assertEquals(response.toString(), 1, response.count("merged"));
            assertEquals(List.of("ada", "bob"), source("1").get("custodian"));
            assertNotNull(((Map<?, ?>) source("1").get("simhash")).get("group"));
            assertEquals(
                    "nothing is left to merge",
                    0,
                    job("{\"action\":\"tag\"," + MERGE + "}").count("merged"));
            if (untagsFirst) {
                untag();
                assertEquals(List.of("ada", "bob"), source("1").get("custodian"));
            }
            assertEquals(1, restore(response.run()).count("restored"));
            assertEquals(before, sources().get("1"));
            client().admin().indices().prepareDelete(INDEX, REMOVED).get();
        }
    }

    public void testASurvivorThatChangedSinceIsNotPutBack() throws IOException {
        create();
        put("1", json(0, ",\"custodian\":\"ada\""));
        put("2", json(0, ",\"custodian\":\"bob\""));
        JobResponse response = job(DELETE);
        client().prepareUpdate(INDEX, "1").setDoc(Map.of("price", 2)).get();
        JobResponse restored = restore(response.run());
        assertEquals(1, restored.count("restored"));
        assertEquals(1, restored.count("version_conflicts"));
        assertEquals(List.of("ada", "bob"), source("1").get("custodian"));
        assertEquals(2, source("1").get("price"));
    }

    public void testNoValueIsLostWhenTheSurvivorChangesMeanwhile() throws IOException {
        create();
        put("1", json(0, ",\"custodian\":\"ada\""));
        put("2", json(0, ",\"custodian\":\"bob\""));
        put("3", json(-1L, ""));
        put("4", json(-1L, ",\"custodian\":\"eve\""));
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> {
            DocWriteRequest<?> first = bulk.requests().getFirst();
            if (first.index().equals(INDEX) && isFirst.getAndSet(false)) {
                client().prepareUpdate(INDEX, "1").setDoc(Map.of("price", 2)).get();
            }
        });
        JobResponse response = job(DELETE);
        assertEquals(response.toString(), 1, response.count("version_conflicts"));
        assertEquals(1, response.count("merged"));
        assertEquals("2 has the only copy of bob", Set.of("1", "2", "3"), ids(INDEX));
        assertEquals("eve", source("3").get("custodian"));
        assertEquals("4 and the earlier 3", 2, response.count("archived"));
        assertEquals(2, ids(REMOVED).size());
    }

    public void testWhatTheMappingForbidsIsRefusedBeforeAnythingIsWritten() throws IOException {
        create();
        put("1", json(0, ",\"custodian\":\"ada\""));
        put("2", json(0, ",\"custodian\":\"bob\""));
        Map<String, String> before = sources();
        Map.of(
                        "title", "which is of type [text] without an indexed [keyword] below it",
                        "same", "which is of type [constant_keyword]",
                        "other", "which is of type [alias]",
                        "copied", "which [copy_to] fills",
                        "mails", "which is of type [nested]",
                        "mails.to", "where [mails] is of type [nested]",
                        "strict", "which is of type [object]",
                        "strict.x", "which is not mapped, and [dynamic] is strict",
                        "custodian.keyword", "where [custodian] is of type [keyword]")
                .forEach((field, reason) -> {
                    IllegalArgumentException refused = expectThrows(
                            IllegalArgumentException.class,
                            () -> job("{\"action\":\"tag\",\"archive\":false,\"merge\":[\"" + field + "\"]}"));
                    assertEquals(
                            "[merge] must name fields that may have several values, got: [" + field + "], " + reason
                                    + " in [" + INDEX + "]",
                            refused.getMessage());
                });
        for (String options : List.of(
                "\"action\":\"report\",\"merge\":[\"custodian\"]",
                "\"action\":\"tag\",\"merge\":[\"custodian\"]",
                "\"action\":\"tag\",\"archive\":false,\"merge\":[\"simhash.x\"]",
                "\"action\":\"tag\",\"archive\":false,\"merge\":[\"_id\"]",
                "\"action\":\"tag\",\"archive\":false,\"merge\":[\"\"]",
                "\"action\":\"tag\",\"archive\":false,\"size_field\":\"copies\",\"merge\":[\"copies\"]",
                "\"action\":\"tag\",\"archive\":false,\"merge\":[1]")) {
            Exception refused = expectThrows(IllegalArgumentException.class, () -> job("{" + options + "}"));
            assertTrue(refused.getMessage(), refused.getMessage().contains("[merge]"));
        }
        assertEquals(before, sources());
        assertEquals(
                1,
                job("{\"action\":\"tag\",\"archive\":false,\"merge\":\"dynamic\"}")
                        .count("groups"));
    }

    /** With the values of its duplicates, a survivor would meet other conditions than the document that it was. */
    public void testWhatAConditionNamesIsRefusedByAnyNameOfIt() throws IOException {
        create();
        put("1", json(0, ",\"custodian\":\"ada\",\"source\":\"a\",\"dynamic\":\"x\""));
        put("2", json(0, ",\"custodian\":\"bob\",\"source\":\"b\",\"dynamic\":\"y\""));
        Map<String, String> before = sources();
        Map.of(
                        "custodian", List.of("custodian", "other"),
                        "source", List.of("source", "copied"),
                        "dynamic", List.of("dynamic", "dynamic.keyword"),
                        "meta.tags", List.of("meta.tags"))
                .forEach((merged, names) -> {
                    for (String name : names) {
                        for (String condition : List.of(
                                "\"same\":[\"" + name + "\"]",
                                "\"same\":[{\"field\":\"" + name + "\",\"missing\":\"any\"}]",
                                "\"differ\":[\"" + name + "\"]")) {
                            IllegalArgumentException refused = expectThrows(
                                    IllegalArgumentException.class,
                                    () -> job("{\"action\":\"tag\",\"archive\":false,\"merge\":[\"" + merged + "\"],"
                                            + condition + "}"));
                            assertEquals(
                                    "[merge] must name fields that no condition is about, got: [" + merged + "], and ["
                                            + (condition.contains("same") ? "same" : "differ") + "] names [" + name
                                            + "]",
                                    refused.getMessage());
                        }
                    }
                });
        assertEquals(before, sources());
        assertEquals(
                1,
                job("{\"action\":\"tag\",\"archive\":false,\"merge\":\"meta.tags\",\"differ\":\"custodian\"}")
                        .count("groups"));
    }

    public void testAFieldOfTheTextIsRefused() throws IOException {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "prints",
                        new BytesArray("{\"processors\":[{\"simhash\":{\"field\":\"title\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        createIndex(
                INDEX,
                Settings.builder().put("index.default_pipeline", "prints").build());
        put("1", "{\"title\":\"a title of some words\"}");
        IllegalArgumentException refused = expectThrows(
                IllegalArgumentException.class,
                () -> job("{\"action\":\"tag\",\"archive\":false,\"merge\":[\"title\"]}"));
        assertEquals(
                "[merge] must name fields that are not compared, got: [title], which is part of the text",
                refused.getMessage());
    }

    public void testAValueWithoutAPlaceKeepsItsDuplicate() throws IOException {
        create();
        put("1", json(0, ",\"meta\":[{\"tags\":\"a\"},{\"tags\":\"b\"}]"));
        put("2", json(0, ",\"meta\":{\"tags\":\"c\"}"));
        JobResponse response = job(DELETE);
        assertEquals(1, response.failures().size());
        assertEquals(Set.of("1", "2"), ids(INDEX));
    }
}
