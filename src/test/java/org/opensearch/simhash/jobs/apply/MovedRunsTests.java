/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** What a run found or deleted is applied and restored where its documents are now. */
public class MovedRunsTests extends DeletingTestCase {

    private static final String NEW = "copies-2";
    private static final String ALIAS = "current";
    private static final WritePace PACE = new WritePace(Float.POSITIVE_INFINITY, 100);

    private String run(String options) throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias(INDEX, ALIAS).get();
        put(INDEX, "a", 0);
        put(INDEX, "b", 1);
        put(INDEX, "c", 2);
        String run = run(options, Float.POSITIVE_INFINITY, 100, ALIAS).run();
        client().admin().indices().prepareRefresh().get();
        return run;
    }

    private void swap() {
        client().admin()
                .indices()
                .prepareAliases()
                .removeAlias(INDEX, ALIAS)
                .addAlias(NEW, ALIAS)
                .get();
    }

    private JobResponse apply(String run, String more, String... names) throws IOException {
        String json = "{\"dest\":{\"index\":\"groups\"},\"only\":\"not_rejected\",\"run\":\"" + run + "\"" + more + "}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(ApplyAction.INSTANCE, ApplyAction.Request.fromXContent(names, parser, PACE))
                    .actionGet();
        }
    }

    private JobResponse restore(String run, String more, String... names) throws IOException {
        String json = "{\"run\":\"" + run + "\",\"archive\":{\"index\":\"" + REMOVED + "\"}" + more + "}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(RestoreAction.INSTANCE, RestoreAction.Request.fromXContent(names, parser, PACE))
                    .actionGet();
        }
    }

    public void testDecisionsAreAppliedWhereTheTextsAre() throws IOException {
        String run = run("{\"dest\":{\"index\":\"groups\"}}");
        put(NEW, "a", 0);
        put(NEW, "b", 1);
        put(NEW, "c", 7);
        String delete = ",\"action\":\"delete\",\"verify\":false,\"archive\":false";
        assertEquals("another index", 1, apply(run, delete, NEW).count("outside"));
        swap();
        JobResponse applied = apply(run, delete, ALIAS);
        assertEquals(applied.toString(), 1, applied.count("deleted"));
        assertEquals("its text has changed", 1, applied.count("version_conflicts"));
        assertEquals(Set.of("a", "c"), ids(NEW));
        assertEquals(Set.of("a", "b", "c"), ids(INDEX));
    }

    public void testADeletedDocumentComesBackBehindTheAlias() throws IOException {
        String run = run("{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}");
        put(NEW, "a", 0);
        swap();
        JobResponse restored = restore(run, "", ALIAS);
        assertEquals(restored.toString(), 2, restored.count("restored"));
        assertEquals(Set.of("a", "b", "c"), ids(NEW));
        assertEquals(Set.of("a"), ids(INDEX));
    }

    public void testOfSeveralIndicesOneMustBeNamed() throws IOException {
        String run = run("{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}");
        put(NEW, "y", 0);
        put("copies-3", "z", -1L);
        client().admin().indices().prepareDelete(INDEX).get();
        Exception e = expectThrows(IllegalArgumentException.class, () -> restore(run, "", NEW, "copies-3"));
        assertEquals(
                "[into] must name the index for what was in [copies], as {\"into\": \"index\"}, because the request has 2"
                        + " writable indices, got: [copies-2, copies-3]",
                e.getMessage());
        e = expectThrows(IllegalArgumentException.class, () -> restore(run, ",\"into\":\"other\"", NEW, "copies-3"));
        assertEquals(
                "[into] must be one of the indices of the request, got: other, not of [copies-2, copies-3]",
                e.getMessage());
        assertEquals(2, restore(run, ",\"into\":\"copies-2\"", NEW, "copies-3").count("restored"));
        assertEquals(Set.of("b", "c", "y"), ids(NEW));
        assertEquals(List.of("z"), List.copyOf(ids("copies-3")));
    }

    /** Of each index of a run two near documents; the first one is gone then, and its documents are in a new one. */
    private String runOfTwo(String options) throws IOException {
        for (String index : List.of(INDEX, "copies-3")) {
            put(index, "a" + index, index.equals(INDEX) ? 0 : -1);
            put(index, "b" + index, index.equals(INDEX) ? 1 : -2);
            client().admin().indices().prepareAliases().addAlias(index, ALIAS).get();
        }
        String run = run(options, Float.POSITIVE_INFINITY, 100, ALIAS).run();
        client().admin().indices().prepareRefresh().get();
        put(NEW, "a" + INDEX, 0);
        swap();
        client().admin().indices().prepareDelete(INDEX).get();
        return run;
    }

    public void testOfTwoIndicesOneIsGone() throws IOException {
        String run = runOfTwo("{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}");
        JobResponse left = restore(run, "", "copies-3");
        assertEquals(left.toString(), 1, left.count("restored"));
        assertEquals(
                "[copies of [copies], which is gone, are left: [into] names an index for them]",
                left.warnings().toString());
        assertEquals("where the survivor is", 1, restore(run, "", ALIAS).count("restored"));
        assertEquals(Set.of("acopies", "bcopies"), ids(NEW));
        assertEquals(Set.of("acopies-3", "bcopies-3"), ids("copies-3"));
    }

    public void testOfTwoIndicesOneIsGoneAndNoneHasTheIds() throws IOException {
        String run = runOfTwo("{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}");
        client().prepareDelete(NEW, "a" + INDEX)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        Exception e = expectThrows(IllegalArgumentException.class, () -> restore(run, "", ALIAS));
        assertTrue(e.getMessage(), e.getMessage().startsWith("[into] must name the index for what was in [copies]"));
        assertEquals(2, restore(run, ",\"into\":\"copies-2\"", ALIAS).count("restored"));
        assertEquals(List.of("bcopies"), List.copyOf(ids(NEW)));
        assertEquals(Set.of("acopies-3", "bcopies-3"), ids("copies-3"));
    }

    public void testTheIndexThatHasTheirIdsIsTaken() throws IOException {
        String run = runOfTwo("{\"dest\":{\"index\":\"groups\"}}");
        put(NEW, "b" + INDEX, 1);
        List<SearchRequest> partial = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && Boolean.FALSE.equals(search.allowPartialSearchResults()) == false) {
                partial.add(search);
            }
            return null;
        });
        JobResponse applied = apply(run, ",\"action\":\"tag\"", ALIAS);
        assertEquals(applied.toString(), 2, applied.count("tagged"));
        assertEquals(applied.toString(), 0, applied.count("version_conflicts"));
        assertEquals("a shard that does not answer may have the ids", List.of(), partial);
    }

    public void testAnIndexThatWasMadeAgainHasTheDocumentsWithTheirTexts() throws IOException {
        String run = run("{\"dest\":{\"index\":\"groups\"}}");
        client().admin().indices().prepareDelete(INDEX).get();
        put(INDEX, "c", 7);
        put(INDEX, "b", 1);
        put(INDEX, "a", 0);
        JobResponse applied = apply(run, ",\"action\":\"tag\"", INDEX);
        assertEquals(applied.toString(), 1, applied.count("tagged"));
        assertEquals("its text has changed", 1, applied.count("version_conflicts"));
    }

    public void testTwoDocumentsThatAreOneNowAreNoDuplicates() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        put(INDEX, "a", 0);
        put("copies-3", "a", 0);
        put("copies-3", "b", 0);
        String run = run(
                        "{\"same_id\":\"duplicate\",\"dest\":{\"index\":\"groups\"}}",
                        Float.POSITIVE_INFINITY,
                        100,
                        INDEX,
                        "copies-3")
                .run();
        client().admin().indices().prepareRefresh().get();
        put(NEW, "a", 0);
        put(NEW, "b", 0);
        long version = client().prepareGet(NEW, "a").get().getSeqNo();
        client().admin().indices().prepareDelete(INDEX, "copies-3").get();
        String delete = ",\"into\":\"copies-2\",\"action\":\"delete\",\"verify\":false,\"archive\":false";
        JobResponse applied = apply(run, delete, NEW);
        assertEquals(applied.toString(), List.of(1L, 0L), List.of(applied.count("deleted"), applied.count("put_back")));
        assertEquals(Set.of("a"), ids(NEW));
        assertEquals(version, client().prepareGet(NEW, "a").get().getSeqNo());
    }
}
