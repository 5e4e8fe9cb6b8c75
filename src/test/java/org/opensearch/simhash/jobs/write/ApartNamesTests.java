/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.apply.ApplyAction;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** Documents say themselves from which others people keep them apart, and every job reads it. */
public class ApartNamesTests extends DeletingTestCase {

    private static final String DEST = "\"dest\":{\"index\":\"groups\"}";
    private static final String DELETE = "{\"action\":\"delete\",\"verify\":false,\"archive\":false}";

    private void put(String index, String id, Map<String, Object> print) {
        client().prepareIndex(index)
                .setId(id)
                .setSource(Map.of("simhash", print))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private static Map<String, Object> apart(long bits, String... names) {
        Map<String, Object> print = new HashMap<>(given(bits));
        print.put("apart", List.of(names));
        return print;
    }

    private Map<?, ?> print(String index, String id) {
        return (Map<?, ?>) client().prepareGet(index, id).get().getSourceAsMap().get("simhash");
    }

    private JobResponse job(String options, String... indices) throws IOException {
        client().admin().indices().prepareRefresh().get();
        JobResponse response = run(options, Float.POSITIVE_INFINITY, 100, indices);
        assertEquals(response.toString(), List.of(), response.failures());
        client().admin().indices().prepareRefresh().get();
        return response;
    }

    private JobResponse apply(String run, String action) throws IOException {
        String json = "{\"run\":\"" + run + "\"," + DEST + ",\"action\":\"" + action + "\"}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            WritePace pace = new WritePace(Float.POSITIVE_INFINITY, 100);
            return client().execute(
                            ApplyAction.INSTANCE, ApplyAction.Request.fromXContent(new String[] {INDEX}, parser, pace))
                    .actionGet();
        }
    }

    private void decide(String run, Map<String, Object> decision) {
        String group = client().prepareSearch("groups")
                .setQuery(QueryBuilders.termQuery("run", run))
                .get()
                .getHits()
                .getAt(0)
                .getId();
        client().prepareUpdate("groups", group)
                .setDoc(decision)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** Documents a, b and c are near; b is rejected. */
    private String reject() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        put(INDEX, "a", given(0));
        put(INDEX, "b", given(1));
        put(INDEX, "c", given(0));
        String run = job("{" + DEST + "}", INDEX).run();
        decide(run, Map.of("decision", "accepted", "rejected", List.of("b")));
        return run;
    }

    private void assertNamed() {
        assertEquals(List.of("b"), print(INDEX, "a").get("apart"));
        assertEquals(List.of("a"), print(INDEX, "b").get("apart"));
    }

    public void testAJobThatTagsWritesThem() throws IOException {
        reject();
        JobResponse tagged = job("{\"action\":\"tag\"," + DEST + "}", INDEX);
        assertEquals(tagged.toString(), 1, tagged.count("tagged"));
        assertEquals("two survivors and two documents that name another", 3, tagged.count("grouped"));
        assertNamed();
        assertNull(print(INDEX, "c").get("apart"));
        long version = client().prepareGet(INDEX, "a").get().getVersion();
        JobResponse again = job("{\"action\":\"tag\"," + DEST + "}", INDEX);
        assertEquals(again.toString(), 0, again.count("grouped"));
        assertEquals(version, client().prepareGet(INDEX, "a").get().getVersion());
    }

    public void testAReportWritesNone() throws IOException {
        reject();
        assertEquals(1, job("{" + DEST + "}", INDEX).count("kept_apart"));
        assertNull(print(INDEX, "a").get("apart"));
    }

    public void testApplyWritesThem() throws IOException {
        String run = reject();
        assertEquals(1, apply(run, "tag").count("tagged"));
        assertNamed();
    }

    public void testADeletingApplyWritesThem() throws IOException {
        String run = reject();
        JobResponse applied = apply(run, "delete\",\"verify\":false,\"archive\":false,\"only\":\"accepted");
        assertEquals(applied.toString(), 1, applied.count("deleted"));
        assertEquals(Set.of("a", "b"), ids(INDEX));
        assertNamed();
    }

    /** It is near none any more, so that the job clears its tag, too. */
    public void testADocumentThatLosesItsTagNamesTheOther() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        put(INDEX, "a", given(0));
        put(INDEX, "b", given(0b11111));
        put(INDEX, "c", given(0));
        JobResponse wide = job("{\"action\":\"tag\",\"max_distance\":7," + DEST + "}", INDEX);
        assertEquals("a", print(INDEX, "b").get("duplicate_of"));
        decide(wide.run(), Map.of("decision", "accepted", "rejected", List.of("b")));
        JobResponse narrow = job("{\"action\":\"tag\",\"max_distance\":3," + DEST + "}", INDEX);
        assertEquals(narrow.toString(), 1, narrow.count("cleared"));
        assertEquals(narrow.toString(), 0, narrow.count("version_conflicts"));
        assertNull(print(INDEX, "b").get("duplicate_of"));
        assertNamed();
    }

    private void mergeAndRestore(CheckedFunction<String, JobResponse, IOException> job) throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        for (String id : List.of("a", "b", "c")) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", given(0), "owner", id))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        String run = job("{" + DEST + "}", INDEX).run();
        decide(run, Map.of("decision", "accepted", "rejected", List.of("b")));
        JobResponse merged = job.apply(run);
        assertEquals(merged.toString(), 1, merged.count("merged"));
        assertEquals(merged.toString(), 0, merged.count("version_conflicts"));
        assertEquals(List.of("a", "c"), source("a").get("owner"));
        assertNamed();
        WritePace pace = new WritePace(Float.POSITIVE_INFINITY, 100);
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(new String[] {INDEX}, merged.run(), REMOVED, null, pace))
                .actionGet();
        assertEquals(restored.toString(), 0, restored.count("version_conflicts"));
        assertEquals(Set.of("a", "b", "c"), ids(INDEX));
        assertEquals("a", source("a").get("owner"));
    }

    private Map<String, Object> source(String id) {
        return client().prepareGet(INDEX, id).get().getSourceAsMap();
    }

    public void testARestoreAfterApplyTakesBackValuesAndNoNames() throws IOException {
        mergeAndRestore(run -> apply(
                run, "delete\",\"verify\":false,\"merge\":\"owner\",\"archive\":" + ARCHIVE + ",\"only\":\"accepted"));
        assertEquals("b", "" + print(INDEX, "a").get("apart"));
        assertEquals(List.of("a"), print(INDEX, "b").get("apart"));
    }

    public void testARestoreAfterATagJobTakesBackValuesAndNoNames() throws IOException {
        mergeAndRestore(
                run -> job("{\"action\":\"tag\",\"merge\":\"owner\",\"archive\":" + ARCHIVE + "," + DEST + "}", INDEX));
        assertEquals("b", "" + print(INDEX, "a").get("apart"));
        assertEquals(List.of("a"), print(INDEX, "b").get("apart"));
    }

    public void testEveryJobHonoursThemWithoutADest() throws IOException {
        reject();
        job("{\"action\":\"tag\"," + DEST + "}", INDEX);
        client().admin().indices().prepareDelete("groups").get();
        for (String id : List.of("a", "b", "c")) {
            client().prepareIndex("copies-2")
                    .setId(id)
                    .setSource(client().prepareGet(INDEX, id).get().getSourceAsMap())
                    .get();
        }
        for (String linkage : List.of("survivor", "chain")) {
            for (String action : List.of("report", "tag")) {
                String options = "{\"action\":\"" + action + "\",\"linkage\":\"" + linkage + "\"}";
                JobResponse response = job(options, "copies-2");
                assertEquals(response.toString(), 1, response.count("kept_apart"));
                assertEquals(response.toString(), 1, response.count("duplicates"));
            }
        }
        JobResponse deleted = job(DELETE, "copies-2");
        assertEquals(deleted.toString(), 1, deleted.count("deleted"));
        assertEquals(Set.of("a", "b"), ids("copies-2"));
    }

    public void testOneThatIsNotNamedBackIsApartFromNone() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        put(INDEX, "a", apart(0, "b"));
        put(INDEX, "b", given(1));
        JobResponse response = job("{}", INDEX);
        assertEquals(response.toString(), 0, response.count("kept_apart"));
        assertEquals(response.toString(), 1, response.count("duplicates"));
    }

    public void testACopyJoinsTheNearerOfTwoStories() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        put(INDEX, "a", apart(0, "b"));
        put(INDEX, "b", apart(3, "a"));
        put(INDEX, "copy-of-a", given(0));
        put(INDEX, "copy-of-b", given(3));
        // Near to all, and before the copies.
        put(INDEX, "between", given(1));
        for (String linkage : List.of("survivor", "chain")) {
            job("{\"action\":\"tag\",\"linkage\":\"" + linkage + "\"}", INDEX);
            Object group = print(INDEX, "a").get("group");
            assertEquals(linkage, group, print(INDEX, "copy-of-a").get("group"));
            assertNotEquals(linkage, group, print(INDEX, "b").get("group"));
            assertEquals(
                    linkage,
                    print(INDEX, "b").get("group"),
                    print(INDEX, "copy-of-b").get("group"));
        }
    }

    public void testADocumentNamesAThousand() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int id = 10_000; id < 11_005; id++) {
            bulk.add(client().prepareIndex(INDEX).setId("" + id).setSource(Map.of("simhash", given(0))));
        }
        bulk.get();
        decide(job("{" + DEST + "}", INDEX).run(), Map.of("decision", "rejected"));
        JobResponse tagged = job("{\"action\":\"tag\"," + DEST + "}", INDEX);
        assertEquals(tagged.toString(), 1_004, tagged.count("kept_apart"));
        String beyond = "[dest] alone keeps 4 pairs apart: a document names at most 1000 others in [apart]";
        assertTrue(tagged.toString(), tagged.warnings().contains(beyond));
        assertEquals(1_000, ((List<?>) print(INDEX, "10000").get("apart")).size());
        JobResponse report = job("{" + DEST + "}", INDEX);
        assertFalse("a report writes no names: " + report, report.warnings().contains(beyond));
        assertEquals(1_000, job("{}", INDEX).count("kept_apart"));
    }
}
