/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.admin.indices.shrink.ResizeType;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

/** What people rejected stays apart wherever its documents are now: a decision is found by id and digest. */
public class MovedDecisionsTests extends DeletingTestCase {

    private static final String DEST = "\"dest\":{\"index\":\"groups\"}";
    private static final String TAG = DEST + ",\"action\":\"tag\"";
    private static final String NEW = "copies-2";
    private static final String ALIAS = "current";

    private JobResponse job(String options) throws IOException {
        client().admin().indices().prepareRefresh().get();
        JobResponse response = run("{" + options + "}", Float.POSITIVE_INFINITY, 100, ALIAS);
        assertEquals(response.toString(), List.of(), response.failures());
        return response;
    }

    private static Map<String, Object> print(String digest) {
        Map<String, Object> print = new HashMap<>(given(0));
        print.put("digest", digest);
        return print;
    }

    private void put(String index, String id, String routing, Map<String, Object> source) {
        IndexRequestBuilder request =
                client().prepareIndex(index).setId(id).setSource(source).setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        (routing == null ? request : request.setRouting(routing)).get();
    }

    private void put(String index, String id, String digest) {
        put(index, id, null, Map.of("simhash", print(digest)));
    }

    private void reject(String one, String other) throws IOException {
        job(DEST);
        SearchHit group = client().prepareSearch("groups").get().getHits().getAt(0);
        assertEquals(one, ((Map<?, ?>) group.getSourceAsMap().get("survivor")).get("id"));
        client().prepareUpdate("groups", group.getId())
                .setDoc(Map.of("decision", "accepted", "rejected", List.of(other)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        JobResponse held = job(TAG);
        assertEquals(held.toString(), List.of(0L, 1L, 0L), counts(held));
    }

    private static List<Long> counts(JobResponse response) {
        return List.of(
                response.count("tagged"), response.count("kept_apart"), response.count("decisions_without_documents"));
    }

    private void move(String to) {
        client().admin()
                .indices()
                .prepareAliases()
                .removeIndex(INDEX)
                .addAlias(to, ALIAS)
                .get();
    }

    private void create() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias(INDEX, ALIAS).get();
        put(INDEX, "a", "of-a");
        put(INDEX, "b", "of-b");
        reject("a", "b");
    }

    private void assertHeld() throws IOException {
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(0L, 1L, 0L), counts(after));
        assertEquals(after.toString(), List.of(), after.warnings());
    }

    public void testInAnIndexOfAnotherName() throws IOException {
        create();
        put(NEW, "a", "of-a");
        put(NEW, "b", "of-b");
        move(NEW);
        assertHeld();
    }

    public void testInAClone() throws IOException {
        create();
        client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(Settings.builder().put("index.blocks.write", true))
                .get();
        client().admin()
                .indices()
                .prepareResizeIndex(INDEX, NEW)
                .setResizeType(ResizeType.CLONE)
                .setSettings(Settings.builder()
                        .putNull("index.blocks.write")
                        .put("index.number_of_replicas", 0)
                        .build())
                .get();
        ensureGreen(NEW);
        move(NEW);
        assertHeld();
    }

    public void testInSeveralIndices() throws IOException {
        create();
        put(NEW, "b", "of-b");
        put("copies-3", "a", "of-a");
        client().admin().indices().prepareAliases().addAlias("copies-3", ALIAS).get();
        move(NEW);
        assertHeld();
    }

    public void testWithAnotherRouting() throws IOException {
        create();
        client().prepareDelete(INDEX, "b").get();
        put(INDEX, "b", "elsewhere", Map.of("simhash", print("of-b")));
        assertHeld();
    }

    public void testWithAFingerprintInAnotherField() throws IOException {
        create();
        put(INDEX, "a", null, Map.of("other", print("of-a")));
        put(INDEX, "b", null, Map.of("other", print("of-b")));
        JobResponse after = job(TAG + ",\"field\":\"other\"");
        assertEquals(after.toString(), List.of(0L, 1L, 0L), counts(after));
    }

    public void testADeleteKeepsThemToo() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias(INDEX, ALIAS).get();
        put(INDEX, "a", null, Map.of("simhash", given(0)));
        put(INDEX, "b", null, Map.of("simhash", given(1)));
        reject("a", "b");
        put(NEW, "a", null, Map.of("simhash", given(0)));
        put(NEW, "b", null, Map.of("simhash", given(1)));
        put(NEW, "c", null, Map.of("simhash", given(1)));
        move(NEW);
        JobResponse after = job(DEST + ",\"action\":\"delete\",\"verify\":false,\"archive\":false");
        assertEquals(after.toString(), 1, after.count("kept_apart"));
        assertEquals("c is near a", Set.of("a", "b"), ids(NEW));
    }

    public void testWithOtherIds() throws IOException {
        create();
        put(NEW, "new-a", "of-a");
        put(NEW, "new-b", "of-b");
        move(NEW);
        assertHeld();
    }

    public void testWithOtherIdsWhereStrangersHaveTheirs() throws IOException {
        create();
        put(NEW, "a", "of-stranger-a");
        put(NEW, "b", "of-stranger-b");
        put(NEW, "new-a", "of-a");
        put(NEW, "new-b", "of-b");
        move(NEW);
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(2L, 1L, 0L), counts(after));
    }

    public void testAmongManyDocumentsWithItsId() throws IOException {
        create();
        for (int number = 0; number < 11; number++) {
            String index = "before-" + number;
            put(index, "b", "of-stranger-" + number);
            client().admin().indices().prepareAliases().addAlias(index, ALIAS).get();
        }
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(11L, 1L, 0L), counts(after));
    }

    public void testADocumentThatDoesNotSayWhatItsTextIsStaysApart() throws IOException {
        create();
        put(INDEX, "a", null, Map.of("simhash", given(0)));
        put(INDEX, "b", null, Map.of("simhash", given(0)));
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(0L, 1L, 0L), counts(after));
        assertEquals(
                "[[dest] has decisions about 1 pairs of documents that do not say whether their texts have changed"
                        + " since: they are kept apart]",
                after.warnings().toString());
    }

    public void testAHashOfAnotherSchemeDoesNotSayThatTheTextHasChanged() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias(INDEX, ALIAS).get();
        put(INDEX, "a", null, Map.of("simhash", given(0)));
        put(INDEX, "b", null, Map.of("simhash", given(1)));
        reject("a", "b");
        Map<String, Object> other = new HashMap<>(given(7));
        other.put("scheme", "given-b");
        put(NEW, "a", null, Map.of("simhash", other));
        put(NEW, "b", null, Map.of("simhash", other));
        move(NEW);
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(0L, 1L, 0L), counts(after));
        assertEquals(after.toString(), 1, after.warnings().size());
    }

    public void testAChangedTextIsAskedAboutAgainThereToo() throws IOException {
        create();
        put(NEW, "a", "of-a");
        put(NEW, "b", "of-another-b");
        move(NEW);
        JobResponse after = job(DEST);
        assertEquals(after.toString(), List.of(0L, 0L, 0L), counts(after));
        assertEquals(1, after.count("groups"));
        assertEquals(
                "[[dest] has decisions about 1 groups whose documents changed since: kept as [earlier_decision], to be"
                        + " decided again]",
                after.warnings().toString());
    }

    public void testTheSameIdsInAnotherIndexAreOtherDocuments() throws IOException {
        create();
        put(NEW, "a", "of-stranger-a");
        put(NEW, "b", "of-stranger-b");
        client().admin().indices().prepareAliases().addAlias(NEW, ALIAS).get();
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(2L, 1L, 0L), counts(after));
    }

    private Map<String, Object> decided(JobResponse of) {
        client().admin().indices().prepareRefresh("groups").get();
        return client().prepareSearch("groups")
                .setQuery(QueryBuilders.termQuery("run", of.run()))
                .get()
                .getHits()
                .getAt(0)
                .getSourceAsMap();
    }

    private void accept(Map<String, Object> more) throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        client().admin().indices().prepareAliases().addAlias(INDEX, ALIAS).get();
        put(INDEX, "a", "of-a");
        put(INDEX, "b", "of-b");
        put(INDEX, "c", "of-c");
        job(DEST);
        Map<String, Object> decision = new HashMap<>(more);
        decision.put("decision", "accepted");
        decision.put("decided_by", "ada");
        client().prepareUpdate(
                        "groups",
                        client().prepareSearch("groups")
                                .get()
                                .getHits()
                                .getAt(0)
                                .getId())
                .setDoc(decision)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    public void testAnAcceptedGroupStaysAcceptedThere() throws IOException {
        accept(Map.of("chosen_survivor", Map.of("index", INDEX, "id", "b")));
        put(NEW, "b", "of-b");
        put(NEW, "a", "of-a");
        put(NEW, "c", "of-c");
        move(NEW);
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(), after.warnings());
        assertEquals("accepted", decided(after).get("decision"));
        assertEquals("ada", decided(after).get("decided_by"));
        assertEquals(Map.of("index", NEW, "id", "b"), decided(after).get("chosen_survivor"));
        assertEquals("written by the tags only", "accepted", decided(job(TAG)).get("decision"));
    }

    public void testWhatIsLeftOfAnAcceptedGroupStaysAcceptedThere() throws IOException {
        accept(Map.of("rejected", List.of("c")));
        put(NEW, "a", "of-a");
        put(NEW, "b", "of-b");
        put(NEW, "c", "of-c");
        move(NEW);
        JobResponse after = job(DEST);
        assertEquals(after.toString(), 1, after.count("kept_apart"));
        assertEquals("accepted", decided(after).get("decision"));
        assertNull(decided(after).get("rejected"));
    }

    /** The one to read many at once is the only right to read that a job needs on its groups. */
    public void testWithoutTheRightToGetOneGroup() throws IOException {
        accept(Map.of("rejected", List.of("c")));
        RequestHook.set(request -> {
            if (request instanceof GetRequest) {
                throw new OpenSearchSecurityException("as told", RestStatus.FORBIDDEN);
            }
            return null;
        });
        put(NEW, "a", "of-a");
        put(NEW, "b", "of-b");
        put(NEW, "c", "of-c");
        assertEquals(1, run("{" + DEST + "}", Float.POSITIVE_INFINITY, 100, NEW).count("kept_apart"));
        assertEquals(1, job(DEST).count("kept_apart"));
    }

    public void testAnAcceptedGroupWithAnotherTextIsDecidedAgainThere() throws IOException {
        accept(Map.of());
        put(NEW, "a", "of-a");
        put(NEW, "b", "of-another-b");
        put(NEW, "c", "of-c");
        move(NEW);
        assertNull(decided(job(DEST)).get("decision"));
    }

    public void testAnAcceptedGroupThatIsNowhereIsCounted() throws IOException {
        accept(Map.of());
        put(NEW, "d", "of-d");
        move(NEW);
        JobResponse after = job(DEST);
        assertEquals(after.toString(), 1, after.count("decisions_without_documents"));
        assertEquals(1, after.warnings().size());
        put(NEW, "e", "of-b");
        assertEquals("by its text", 0, job(DEST).count("decisions_without_documents"));
    }

    public void testAnAcceptedGroupThatIsGoneFromItsIndexIsCounted() throws IOException {
        accept(Map.of());
        for (int i = 0; i < 3; i++) {
            put(INDEX, "x" + i, null, Map.of("simhash", given(-1L >>> (i * 20))));
        }
        assertEquals("they are there", 0, job(DEST).count("decisions_without_documents"));
        client().prepareDelete(INDEX, "a").get();
        client().prepareDelete(INDEX, "b").get();
        assertEquals("one is there", 0, job(DEST).count("decisions_without_documents"));
        client().prepareDelete(INDEX, "c").get();
        JobResponse after = job(DEST);
        assertEquals(after.toString(), 1, after.count("decisions_without_documents"));
        assertEquals(1, after.warnings().size());
    }

    public void testDocumentsThatAreNowhereAreCounted() throws IOException {
        create();
        put(NEW, "c", "of-c");
        put(NEW, "d", "of-d");
        move(NEW);
        JobResponse after = job(TAG);
        assertEquals(after.toString(), List.of(1L, 0L, 1L), counts(after));
        assertEquals(
                "[[dest] has 1 decisions about documents that are nowhere in the indices of this job, neither by [_id] nor by"
                        + " digest]",
                after.warnings().toString());
    }
}
