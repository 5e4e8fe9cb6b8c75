/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Indices without fingerprints among those of a job, and fields that indices map differently. */
public class ForeignIndicesTests extends DeletingTestCase {

    private static final String PLAIN = "another";
    private static final String NESTED =
            "{\"properties\":{\"tenant\":{\"type\":\"nested\"," + "\"properties\":{\"o\":{\"type\":\"keyword\"}}}}}";
    private static final String LONG_TENANT = "x".repeat(300);

    public void testIndicesWithoutFingerprintsAreReadOnly() throws Exception {
        fill(Settings.EMPTY);
        // Nothing of it would do: no source, and for a survivor text without values, which sorts by no date.
        assertAcked(client().admin()
                .indices()
                .prepareCreate(PLAIN)
                .setSettings(Settings.builder().put(IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.getKey(), true))
                .setMapping("{\"_source\":{\"enabled\":false},\"properties\":{\"published\":{\"type\":\"text\"},"
                        + "\"tenant\":{\"type\":\"long\"}}}"));
        for (int i = 1; i <= 3; i++) {
            client().prepareIndex(PLAIN)
                    .setSource(Map.of("published", "once", "tenant", i))
                    .get();
        }
        for (int i = 1; i <= 4; i++) {
            client().prepareUpdate(INDEX, "" + i)
                    .setDoc(Map.of("published", "2024-01-0" + (9 - i), "tenant", "a"))
                    .get();
        }
        client().admin().indices().prepareRefresh(PLAIN, INDEX).get();

        String order = "\"same\":[\"tenant\"],\"survivor\":[{\"field\":\"published\"}]";
        Map<String, Object> report = counts("{" + order + "}", PLAIN, INDEX);
        assertEquals(7, report.get("documents"));
        assertEquals(4, report.get("fingerprinted"));
        assertEquals(2, report.get("groups"));
        assertEquals(
                List.of("no document has a fingerprint in [simhash] in [another=3]: these documents are near nothing;"
                        + " GET /_plugins/_simhash/check/another says why"),
                report.get("warnings"));
        assertEquals("it is named alone", List.of(), counts("{}", INDEX).get("warnings"));
        assertEquals(
                List.of("[query] matches no document of [copies]"),
                counts("{\"query\":{\"term\":{\"tenant\":\"nobody\"}}}", INDEX).get("warnings"));

        Map<String, Object> tagged = counts("{\"action\":\"tag\"," + order + "}", PLAIN, INDEX);
        assertEquals(2, tagged.get("tagged"));
        assertFalse(client().admin()
                .indices()
                .prepareGetMappings(PLAIN)
                .get()
                .mappings()
                .get(PLAIN)
                .source()
                .string()
                .contains("simhash"));

        Map<String, Object> deleted =
                counts("{\"action\":\"delete\",\"verify\":false,\"archive\":false," + order + "}", PLAIN, INDEX);
        assertEquals(2, deleted.get("deleted"));
        assertEquals(List.of(), deleted.get("failures"));
        assertEquals(Set.of("2", "4"), ids(INDEX));
        assertEquals(3, ids(PLAIN).size());
    }

    public void testInstantsAreTheSameToTheNanosecond() throws Exception {
        String years = "type=date,format=yyyy||strict_date_optional_time";
        createIndexWithSimpleMappings("millis", Settings.EMPTY, "at", "type=date");
        createIndexWithSimpleMappings("nanos", Settings.EMPTY, "at", "type=date_nanos");
        createIndexWithSimpleMappings("years", Settings.EMPTY, "at", years);
        putAt("millis", "1", "2024-05-01T10:00:00.001Z");
        putAt("nanos", "2", "2024-05-01T10:00:00.001000Z");
        putAt("nanos", "3", "2024-05-01T10:00:00.001300Z");
        putAt("years", "4", "2024-05-02T10:00:00.000Z");
        putAt("years", "5", "2024-05-03T10:00:00.000Z");
        client().prepareIndex("log")
                .setSource(Map.of("near", List.of("1", "2", "3", "4", "5")))
                .get();
        client().admin().indices().prepareRefresh("log").get();
        String candidates = "\"candidates\":{\"index\":\"log\",\"field\":\"near\"},\"verify\":{\"field\":\"text\"},";
        for (String links : List.of("", candidates)) {
            Map<String, Object> report = counts("{" + links + "\"same\":[\"at\"]}", "millis", "nanos", "years");
            assertEquals(links, 1, report.get("groups"));
            assertEquals(links, 1, report.get("duplicates"));
        }
    }

    private void putAt(String index, String id, String at) {
        client().prepareIndex(index)
                .setId(id)
                .setSource(Map.of("at", at, "text", "some words", "simhash", given(7)))
                .get();
        client().admin().indices().prepareRefresh(index).get();
    }

    public void testExamplesTellOfMembersThatTheyLeaveOut() throws Exception {
        createIndex(INDEX);
        for (int i = 1; i <= 30; i++) {
            put(100 + i, i == 30 ? 7 : 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<?, ?> group = (Map<?, ?>) ((List<?>) counts("{}", INDEX).get("examples")).getFirst();
        assertEquals(30, group.get("size"));
        assertEquals(10, ((List<?>) group.get("members")).size());
        assertEquals(3, group.get("largest_distance"));
    }

    public void testJobsLeaveNothingWhereAnswersAreKept() throws Exception {
        fill(Settings.EMPTY);
        counts("{}", INDEX);
        assertEquals(
                0,
                client().admin()
                        .indices()
                        .prepareStats(INDEX)
                        .setRequestCache(true)
                        .get()
                        .getTotal()
                        .getRequestCache()
                        .getMissCount());
    }

    public void testSomeIndexHasToHaveFingerprints() throws Exception {
        createIndex(PLAIN);
        createIndex(PLAIN + "-2");
        Exception e = expectThrows(IllegalArgumentException.class, () -> counts("{}", PLAIN, PLAIN + "-2"));
        assertEquals(
                "[field] must be the object that the [simhash] processor writes, but [simhash.bits] is not mapped in"
                        + " [another, another-2]: map it, and set a pipeline; POST /_plugins/_simhash/setup/{index} does it",
                e.getMessage());
    }

    public void testAWrongMappingStaysAnError() throws Exception {
        fill(Settings.EMPTY);
        createIndexWithSimpleMappings(PLAIN, Settings.EMPTY, "simhash.bits", "type=text");
        Exception e = expectThrows(Exception.class, () -> counts("{}", PLAIN, INDEX));
        assertTrue(
                ExceptionsHelper.stackTrace(e),
                ExceptionsHelper.stackTrace(e)
                        .contains("[simhash.bits] must be of type [long] with doc values, but is of type [text]"));
    }

    public void testDynamicStringsCompareByTheirKeywords() throws Exception {
        tenants(INDEX, "a", "b", "a", "b");
        String order = "{\"same\":[\"tenant\"],\"survivor\":[{\"field\":\"tenant\",\"order\":\"desc\"}]}";
        assertEquals(2, counts(order, INDEX).get("groups"));
        // The same field is a keyword here, and everything else is as it was there.
        createIndexWithSimpleMappings(PLAIN, Settings.EMPTY, "tenant", "type=keyword");
        tenants(PLAIN, "c", "b", "c", "c");
        Map<String, Object> both = counts(order, PLAIN, INDEX);
        assertEquals(3, both.get("groups"));
        assertEquals(3, both.get("largest_group"));
        // With missing values equal to all, the values are compared link by link.
        String any = "{\"same\":[{\"field\":\"tenant\",\"missing\":\"any\"}]}";
        assertEquals(3, counts(any, PLAIN, INDEX).get("groups"));
        assertEquals(
                5,
                counts("{\"differ\":[\"tenant\"],\"same_id\":\"duplicate\"}", PLAIN, INDEX)
                        .get("duplicates"));
        Map<String, Object> byTenant = counts(
                "{\"survivor\":[{\"field\":\"tenant\",\"order\":\"desc\"}],\"same_id\":\"duplicate\"}", PLAIN, INDEX);
        assertEquals(1, byTenant.get("groups"));
        assertEquals(
                "{index=another, id=1}",
                ((Map<?, ?>) ((List<?>) byTenant.get("examples")).getFirst())
                        .get("survivor")
                        .toString());
    }

    public void testLongValuesAreNoMissingValues() throws Exception {
        tenants(INDEX, LONG_TENANT + "a", LONG_TENANT + "b");
        for (String action : List.of("report", "delete\",\"verify\":false,\"archive\":false,\"linkage\":\"chain")) {
            for (String field : List.of("tenant", "tenant.keyword")) {
                Exception e = expectThrows(
                        IllegalArgumentException.class,
                        () -> counts("{\"same\":[\"" + field + "\"],\"action\":\"" + action + "\"}", INDEX));
                assertTrue(
                        e.getMessage(),
                        e.getMessage()
                                .matches("\\[same] must name fields whose values all have doc values, but document"
                                        + " \\[[12]] of \\[copies] has 301 characters in \\[tenant], whose"
                                        + " \\[ignore_above] is 256"));
            }
        }
        assertEquals(Set.of("1", "2"), ids(INDEX));
        // Of several values one may be left out.
        client().admin().indices().prepareDelete(INDEX).get();
        tenants(INDEX, List.of("a", LONG_TENANT + "a"), List.of("a", LONG_TENANT + "b"));
        expectThrows(IllegalArgumentException.class, () -> counts("{\"same\":[\"tenant\"]}", INDEX));
    }

    public void testValuesOfNestedObjectsAreNotThoseOfTheDocument() throws Exception {
        assertAcked(client().admin().indices().prepareCreate(INDEX).setMapping(NESTED));
        tenants(INDEX, Map.of("o", "a"), Map.of("o", "b"));
        for (String option : List.of("same", "survivor")) {
            String field = option.equals("same") ? "\"tenant.o\"" : "{\"field\":\"tenant.o\"}";
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> counts("{\"" + option + "\":[" + field + "]}", INDEX));
            assertEquals(
                    "[" + option
                            + "] must name fields of the documents themselves, but [tenant.o] is in [tenant] of type"
                            + " [nested]",
                    e.getMessage());
        }
        // Of an index without fingerprints nothing is compared.
        assertAcked(client().admin().indices().prepareCreate(PLAIN).setMapping(NESTED));
        client().admin().indices().prepareDelete(INDEX).get();
        tenants(INDEX, Map.of("o", "a"), Map.of("o", "b"), Map.of("o", "b"));
        assertEquals(1, counts("{\"same\":[\"tenant.o\"]}", PLAIN, INDEX).get("groups"));
    }

    public void testMalformedAndLongValuesOfAllTypesAreNoMissingValues() throws Exception {
        Map<String, String> refusals = Map.of(
                "type=long,ignore_malformed=true", "a malformed value in [tenant], which is ignored",
                "type=wildcard,doc_values=true,ignore_above=3", "5 characters in [tenant], whose [ignore_above] is 3");
        for (String mapping : refusals.keySet()) {
            createIndexWithSimpleMappings(INDEX, Settings.EMPTY, "tenant", mapping);
            tenants(INDEX, "one-a", "one-b");
            Exception e = expectThrows(
                    IllegalArgumentException.class,
                    () -> counts(
                            "{\"same\":[\"tenant\"],\"survivor\":[{\"field\":\"_id\",\"order\":\"desc\"}]}", INDEX));
            assertTrue(e.getMessage(), e.getMessage().endsWith(" of [copies] has " + refusals.get(mapping)));
            assertEquals(1, counts("{}", INDEX).get("groups"));
            assertAcked(client().admin().indices().prepareDelete(INDEX));
        }
    }

    /** Which of them are too long no source tells. */
    public void testLongValuesThatNoSourceHasAreRefusedAhead() throws Exception {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping("{\"_source\":{\"excludes\":[\"tenant\"]},"
                        + "\"properties\":{\"tenant\":{\"type\":\"keyword\",\"ignore_above\":10}}}"));
        tenants(INDEX, "a", "b");
        Exception e = expectThrows(IllegalArgumentException.class, () -> counts("{\"same\":[\"tenant\"]}", INDEX));
        assertEquals(
                "[same] must name fields without [ignore_above] where _source does not keep them, got: [tenant] in"
                        + " [copies]",
                e.getMessage());
    }

    public void testLongValuesThatAreCopiedAreSeenWhereTheyComeFrom() throws Exception {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping("{\"properties\":{\"name\":{\"type\":\"keyword\",\"copy_to\":[\"tenant\"]},"
                        + "\"tenant\":{\"type\":\"keyword\",\"ignore_above\":10}}}"));
        tenants(INDEX, "a", "a");
        assertEquals(1, counts("{\"same\":[\"tenant\"]}", INDEX).get("groups"));
        store("copied", Map.of("simhash", given(0), "name", LONG_TENANT, "tenant", "a"));
        assertLong(
                "{\"same\":[\"tenant\"]}",
                "[copied] of [copies] has 300 characters in [name], whose [ignore_above] is 10");
    }

    private void store(String id, Map<String, ?> source) {
        client().prepareIndex(INDEX).setId(id).setSource(source).get();
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private void assertLong(String options, String end) {
        Exception e = expectThrows(IllegalArgumentException.class, () -> counts(options, INDEX));
        assertTrue(e.getMessage(), e.getMessage().endsWith(end));
    }

    /** They decide nothing. */
    public void testLongValuesOfDocumentsThatAreNearToNoneAreTaken() throws Exception {
        tenants(INDEX, "a", "a");
        store("far", Map.of("simhash", given(-1L), "tenant", LONG_TENANT));
        assertEquals(1, counts("{\"same\":[\"tenant\"]}", INDEX).get("groups"));
        assertEquals(0, counts("{\"differ\":[\"tenant\"]}", INDEX).get("groups"));
        store("near", Map.of("simhash", given(0), "tenant", LONG_TENANT));
        for (String option : List.of("same", "differ")) {
            // With [same], the missing value of an ignored one is near that of another.
            store("far", Map.of("simhash", given(0), "tenant", LONG_TENANT));
            assertLong(
                    "{\"" + option + "\":[\"tenant\"]}",
                    "of [copies] has 300 characters in [tenant], whose [ignore_above] is 256");
        }
        // What the job does not read does not count.
        assertEquals(
                1,
                counts("{\"same\":[\"tenant\"],\"query\":{\"exists\":{\"field\":\"tenant.keyword\"}}}", INDEX)
                        .get("groups"));
    }

    /** Of the same text, fingerprinted by two recipes of one analyzer. */
    public void testEqualDigestsCountWhateverTheScheme() throws Exception {
        for (int i = 1; i <= 4; i++) {
            Map<String, Object> simhash =
                    Map.of("bits", i * 0x0F0F_1234_5678L, "scheme", "v1-" + i, "digest", "d".repeat(32));
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", simhash, "tenant", i == 4 ? "b" : "a"))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, Object> all = counts("{}", INDEX);
        assertEquals(6, all.get("pairs"));
        assertEquals(4, all.get("largest_group"));
        Map<String, Object> apart = counts("{\"same\":[\"tenant\"]}", INDEX);
        assertEquals(3, apart.get("pairs"));
        assertEquals(3, apart.get("largest_group"));
        Map<String, Object> changed = counts("{\"new_since\":{\"ids\":{\"values\":[\"3\"]}}}", INDEX);
        assertEquals(4, changed.get("largest_group"));
    }

    /** What is too short for a fingerprint by one recipe need not be so by another. */
    public void testNewTextsAreFoundByTheirDigestsWhereTheseHaveNoDocValues() throws Exception {
        createIndexWithSimpleMappings(PLAIN, Settings.EMPTY, "simhash.digest", "type=keyword,doc_values=false");
        Map<String, Object> tooShort = Map.of("scheme", "v1-b", "digest", "d".repeat(32));
        client().prepareIndex(PLAIN)
                .setId("short")
                .setSource(Map.of("simhash", tooShort))
                .get();
        Map<String, Object> whole = Map.of("bits", 7L, "scheme", "given-a", "digest", "d".repeat(32));
        client().prepareIndex(INDEX)
                .setId("new")
                .setSource(Map.of("simhash", whole))
                .get();
        client().admin().indices().prepareRefresh(PLAIN, INDEX).get();
        assertEquals(1, counts("{}", PLAIN, INDEX).get("groups"));
        String onlyNew = "{\"new_since\":{\"ids\":{\"values\":[\"new\"]}}}";
        assertEquals(1, counts(onlyNew, PLAIN, INDEX).get("groups"));
    }

    /** In doc values; in sources, of which a few are read, and in terms; or in terms only. */
    public void testEachOfSeveralDigestsIsFoundWhereverTheyAreKept() throws Exception {
        String mapping =
                "\"properties\":{\"simhash\":{\"properties\":{\"digest\":{\"type\":\"keyword\",\"doc_values\":";
        List<String> mappings = List.of(
                "{" + mapping + "true}}}}}",
                "{" + mapping + "false}}}}}",
                "{\"_source\":{\"excludes\":[\"simhash.digest\"]}," + mapping + "false}}}}}");
        for (int i = 0; i < mappings.size(); i++) {
            String index = "digests-" + i;
            client().admin()
                    .indices()
                    .prepareCreate(index)
                    .setMapping(mappings.get(i))
                    .get();
            BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
            for (int id = 0; id < 300; id++) {
                Map<String, Object> simhash =
                        Map.of("scheme", "v1-b", "digest", List.of("two-" + id % 150, "three-" + id % 100));
                bulk.add(client().prepareIndex(index).setSource(Map.of("simhash", simhash)));
            }
            assertFalse(bulk.get().hasFailures());
            assertEquals(mappings.get(i), 150 + 3 * 100, counts("{}", index).get("pairs"));
        }
    }

    public void testTextsWithoutWordsAreNoDuplicates() throws Exception {
        for (int i = 1; i <= 5; i++) {
            Map<String, Object> simhash =
                    Map.of("digest", (i <= 3 ? "0" : "1").repeat(32), "scheme", "v1-a", "features", i <= 3 ? 0 : 3);
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", simhash))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        for (String action : List.of("", "\"action\":\"tag\",", "\"linkage\":\"chain\",")) {
            Map<String, Object> found = counts("{" + action + "\"max_distance\":3}", INDEX);
            assertEquals("digests are none", 0, found.get("fingerprinted"));
            assertEquals(Map.of("v1-a", 5), found.get("schemes"));
            assertEquals("4 and 5 have words", 1, found.get("duplicates"));
            assertEquals(3, found.get("no_text"));
        }
        counts("{\"action\":\"delete\",\"verify\":false,\"archive\":false}", INDEX);
        assertEquals(Set.of("1", "2", "3", "4", "5"), ids(INDEX));
    }

    /** Documents 1, 2, … of one fingerprint. */
    private void tenants(String index, Object... tenants) {
        for (int i = 0; i < tenants.length; i++) {
            client().prepareIndex(index)
                    .setId("" + (i + 1))
                    .setSource(Map.of("simhash", given(7L), "tenant", tenants[i]))
                    .get();
        }
        client().admin().indices().prepareRefresh(index).get();
    }

    private Map<String, Object> counts(String options, String... indices) throws IOException {
        JobResponse response = run(options, Float.POSITIVE_INFINITY, 100, indices);
        var json = response.toXContent(JsonXContent.contentBuilder(), ToXContent.EMPTY_PARAMS);
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, json.toString(), true);
    }

    public void testAPatternThatMatchesNoLogIsNoIndex() {
        tenants(INDEX, "a", "a");
        String options = "{\"candidates\":{\"index\":\"nope-*\",\"field\":\"near\"},\"verify\":{\"field\":\"tenant\"}}";
        Exception e = expectThrows(IndexNotFoundException.class, () -> counts(options, INDEX));
        assertEquals("no such index [nope-*]", e.getMessage());
    }
}
