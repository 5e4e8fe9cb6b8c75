/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;
import org.opensearch.tasks.TaskInfo;

/** Only what people decided is done, and with the guards of a job. */
public class ApplyTests extends DeletingTestCase {

    private static final String DEST = "groups";
    private static final String REPORT = "{\"dest\":{\"index\":\"groups\"}}";
    private static final String DELETE = "\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE;
    private static final String TAG = "\"action\":\"tag\"";

    /** By the id of the group's survivor. */
    private final Map<String, String> groups = new HashMap<>();

    private String run;

    private void report() throws IOException {
        report(INDEX);
    }

    private void report(String... indices) throws IOException {
        run = run(REPORT, Float.POSITIVE_INFINITY, 100, indices).run();
        collect();
    }

    private void collect() {
        groups.clear();
        for (SearchHit group : client().prepareSearch(DEST).setSize(100).get().getHits()) {
            Map<?, ?> survivor = (Map<?, ?>) group.getSourceAsMap().get("survivor");
            groups.put((String) survivor.get("id"), group.getId());
        }
    }

    /** What was rejected would be in no group again. */
    private void forget() {
        client().admin().indices().prepareDelete(DEST).get();
        client().prepareUpdate(INDEX, "3")
                .setDoc(Map.of("simhash", Map.of("apart", List.of())))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private void decide(String survivor, Map<String, Object> decision) {
        client().prepareUpdate(DEST, groups.get(survivor))
                .setDoc(decision)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private void accept(String survivor) {
        decide(survivor, Map.of("decision", "accepted"));
    }

    private ActionFuture<JobResponse> start(String json, String... indices) throws IOException {
        return start(json, new WritePace(Float.POSITIVE_INFINITY, randomFrom(1, 100)), indices);
    }

    private ActionFuture<JobResponse> start(String json, WritePace pace, String... indices) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(
                            ApplyAction.INSTANCE,
                            new ApplyAction.Request(indices, ApplyOptions.fromXContent(parser), pace));
        }
    }

    private JobResponse apply(String options) throws IOException {
        return apply(options, INDEX);
    }

    private JobResponse apply(String options, String... indices) throws IOException {
        return start("{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + options + "}", indices)
                .actionGet();
    }

    /** What each document is a duplicate of. */
    private Map<String, Object> tags() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, Object> tags = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(100).get().getHits()) {
            Map<?, ?> simhash = (Map<?, ?>) hit.getSourceAsMap().get("simhash");
            if (simhash.get("duplicate_of") != null) {
                tags.put(hit.getId(), simhash.get("duplicate_of"));
            }
        }
        return tags;
    }

    private Map<String, Object> sources() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, Object> sources = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(100).get().getHits()) {
            sources.put(hit.getId(), hit.getSourceAsMap());
        }
        return sources;
    }

    public void testNothingOfTheOtherIndexIsChanged() throws IOException {
        fill(Settings.EMPTY);
        for (int id = 11; id <= 12; id++) {
            Map<String, Object> print = new HashMap<>(given(id == 11 ? 0 : -1));
            print.put("group", "story-" + id);
            client().prepareIndex("old")
                    .setId("" + id)
                    .setSource(Map.of("simhash", print))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        Object mapping = client().admin()
                .indices()
                .prepareGetMappings("old")
                .get()
                .mappings()
                .get("old");
        client().admin()
                .indices()
                .prepareUpdateSettings("old")
                .setSettings(Settings.builder().put("index.blocks.write", true))
                .get();
        run = run("{\"dest\":{\"index\":\"groups\"},\"against\":{\"index\":\"old\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        collect();
        assertEquals(Set.of("11", "12"), groups.keySet());
        decide("11", Map.of("decision", "accepted", "rejected", List.of("2")));
        decide("12", Map.of("decision", "accepted", "chosen_survivor", Map.of("index", INDEX, "id", "3")));
        JobResponse tagged = apply(TAG, INDEX, "old");
        assertEquals(Map.of("1", "11"), tags());
        assertEquals("story-11", ((Map<?, ?>) ((Map<?, ?>) sources().get("1")).get("simhash")).get("group"));
        assertEquals(1, tagged.count("refused"));
        assertEquals(
                "[chosen_survivor] must be the document of [against], got: 3",
                tagged.failures().getFirst().reason());
        JobResponse deleted = apply(DELETE, INDEX, "old");
        assertEquals(deleted.toString(), 1, deleted.count("version_conflicts"));
        decide("12", Map.of("chosen_survivor", Map.of("index", "old", "id", "12")));
        assertEquals(2, apply(DELETE, INDEX, "old").count("deleted"));
        assertEquals(Set.of("1", "2"), ids(INDEX));
        assertEquals(
                mapping,
                client().admin()
                        .indices()
                        .prepareGetMappings("old")
                        .get()
                        .mappings()
                        .get("old"));
        client().admin()
                .indices()
                .prepareUpdateSettings("old")
                .setSettings(Settings.builder().putNull("index.blocks.write"))
                .get();
    }

    public void testOnlyAcceptedGroupsAreDeletedAndRestored() throws IOException {
        fill(Settings.EMPTY);
        Map<String, Object> before = sources();
        report();
        accept("3");
        JobResponse response = apply(DELETE);
        assertEquals(response.toString(), RestStatus.OK, response.status());
        assertEquals(1, response.count("groups"));
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("archived"));
        assertEquals(0, response.count("version_conflicts"));
        assertEquals(run, response.run());
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        JobResponse restored = client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
        assertEquals(1, restored.count("restored"));
        assertEquals(before, sources());
    }

    /** A delete names what people keep apart, too: dynamic mappings would make a text of it. */
    public void testWhatIsKeptApartIsMappedBeforeADelete() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 3; i++) {
            put(i, 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        report();
        decide("1", Map.of("decision", "accepted", "rejected", List.of("2")));
        assertEquals(1, apply(DELETE).count("deleted"));
        assertEquals(List.of("1"), ((Map<?, ?>) ((Map<?, ?>) sources().get("2")).get("simhash")).get("apart"));
        assertEquals(
                "keyword",
                client().admin()
                        .cluster()
                        .prepareState()
                        .get()
                        .getState()
                        .metadata()
                        .index(INDEX)
                        .mapping()
                        .sourceAsMap()
                        .toString()
                        .replaceAll(".*apart=\\{type=(\\w+).*", "$1"));
    }

    public void testWhatNobodyRejectedIsTagged() throws IOException {
        fill(Settings.EMPTY);
        report();
        decide("1", Map.of("decision", "rejected"));
        JobResponse response = apply(TAG + ",\"only\":\"not_rejected\"");
        assertEquals(1, response.count("tagged"));
        assertEquals(Map.of("4", "3"), tags());
        decide("3", Map.of("decision", "skipped"));
        assertEquals(1, apply(TAG + ",\"only\":\"not_rejected\"").count("groups"));
        assertEquals("skipped is not accepted", 0, apply(TAG).count("groups"));
    }

    private void acceptWithThirdAsSurvivor(List<String> rejected) {
        decide(
                "1",
                Map.of(
                        "decision",
                        "accepted",
                        "rejected",
                        rejected,
                        "chosen_survivor",
                        Map.of("index", INDEX, "id", "3")));
    }

    public void testRejectedMembersStayAndAnotherSurvivorIsKept() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 4; i++) {
            put(i, 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        report();
        acceptWithThirdAsSurvivor(List.of("2"));
        JobResponse response = apply(TAG);
        assertEquals(2, response.count("tagged"));
        assertEquals(1, response.count("rejected"));
        assertEquals(Map.of("1", "3", "4", "3"), tags());
        forget();
        report();
        acceptWithThirdAsSurvivor(List.of("2", "4"));
        assertEquals("the tag of what is rejected by now goes", 1, apply(TAG).count("cleared"));
        assertEquals(Map.of("1", "3"), tags());
        forget();
        report();
        acceptWithThirdAsSurvivor(List.of("2"));
        apply("\"action\":\"delete\",\"verify\":false,\"archive\":false");
        assertEquals(Set.of("2", "3"), ids(INDEX));
    }

    private Object group(String id) {
        return ((Map<?, ?>) ((Map<?, ?>) sources().get(id)).get("simhash")).get("group");
    }

    /** One story, of which a report within three bits makes two groups. */
    private Object tellOneStory() throws IOException {
        createIndex(INDEX);
        long[] bits = {0, 1, 0b1111110, 0b111110};
        for (int i = 0; i < bits.length; i++) {
            put(i + 1, bits[i]);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                3,
                run("{\"action\":\"tag\",\"max_distance\":7}", Float.POSITIVE_INFINITY, 100)
                        .count("tagged"));
        Object story = group("1");
        report();
        assertEquals(Set.of("1", "3"), groups.keySet());
        return story;
    }

    public void testAStoryKeepsItsIdWithASurvivorThatNobodyDecided() throws IOException {
        Object story = tellOneStory();
        accept("3");
        JobResponse response = apply(TAG);
        assertEquals(response.toString(), 1, response.count("groups_split"));
        assertEquals(Map.of("2", "1", "4", "3"), tags());
        assertEquals(story, group("1"));
        assertEquals(story, group("2"));
        assertNotEquals("two survivors would be one story", story, group("3"));
        assertEquals(group("3"), group("4"));
    }

    public void testAStoryKeepsItsIdWhereOnlyADuplicateIsLeftOut() throws IOException {
        Object story = tellOneStory();
        accept("1");
        JobResponse response = apply(TAG);
        assertEquals(response.toString(), 0, response.count("groups_split"));
        assertEquals(Map.of("2", "1", "3", "1", "4", "1"), tags());
        for (String id : ids(INDEX)) {
            assertEquals(story, group(id));
        }
    }

    public void testDocumentsThatChangedSinceTheJobAreConflicts() throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        accept("3");
        client().prepareUpdate(INDEX, "2").setDoc(Map.of("other", 1)).get();
        client().prepareUpdate(INDEX, "3").setDoc(Map.of("other", 1)).get();
        JobResponse response = apply(DELETE);
        assertEquals(0, response.count("deleted"));
        assertEquals(2, response.count("version_conflicts"));
        assertEquals("all of them stay", Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** Nobody is in its place: by the group, a search would find all documents without one as one hit. */
    public void testWhoEndsNothingKeepsAStory() throws IOException {
        fill(Settings.EMPTY);
        run("{\"action\":\"tag\",\"groups\":\"all\"}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(INDEX).get();
        report();
        accept("1");
        decide("3", Map.of("decision", "accepted", "rejected", List.of("4")));
        client().prepareUpdate(INDEX, "2").setDoc(Map.of("simhash", given(77))).get();
        client().admin().indices().prepareRefresh(INDEX).get();
        Object before = story("1");
        assertNotNull(before);
        JobResponse response = apply(TAG + ",\"groups\":\"all\"");
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(List.of(before, before), List.of(story("1"), story("2")));
        assertNotNull(story("3"));
        assertNotNull(story("4"));
        assertNotEquals(story("3"), story("4"));
        apply(TAG);
        assertEquals("as its duplicate does", before, story("1"));
    }

    private Object story(String id) {
        return ((Map<?, ?>)
                        client().prepareGet(INDEX, id).get().getSourceAsMap().get("simhash"))
                .get("group");
    }

    /** Else {@code untag} would take what is noted for all that has a tag of the run. */
    public void testWhatFailsBeforeItWritesIsNotApplied() throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        accept("3");
        for (int place = 1; ; place++) {
            AtomicInteger left = new AtomicInteger(place);
            RequestHook.set(request -> {
                if (request instanceof SearchRequest && left.decrementAndGet() == 0) {
                    throw new IllegalStateException("refused");
                }
                return null;
            });
            try {
                assertEquals(2, apply(TAG).count("groups"));
                assertTrue("got " + place, place > 3);
                return;
            } catch (IllegalStateException | OpenSearchException e) {
                RequestHook.set(request -> null);
                client().admin().indices().prepareRefresh(DEST).get();
                for (SearchHit group : client().prepareSearch(DEST).get().getHits()) {
                    assertNull("" + place, group.getSourceAsMap().get("applied_at"));
                }
            }
        }
    }

    public void testASurvivorThatChangesMeanwhileKeepsItsDuplicate() throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> {
            if (deletes(bulk, INDEX) && isFirst.getAndSet(false)) {
                client().prepareUpdate(INDEX, "1").setDoc(Map.of("other", 1)).get();
            }
        });
        JobResponse response = apply(DELETE);
        assertEquals(response.toString(), 1, response.count("put_back"));
        assertEquals(0, response.count("deleted"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testAnIndexThatWasMadeAgainHasTheDocumentsWithTheSameTexts() throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        accept("3");
        client().admin().indices().prepareDelete(INDEX).get();
        fill(Settings.EMPTY);
        put(4, 7);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse response = apply(DELETE);
        assertEquals(1, response.count("deleted"));
        assertEquals(1, response.count("version_conflicts"));
        assertEquals(Set.of("1", "3", "4"), ids(INDEX));
    }

    public void testGroupsOfOtherIndicesAreLeftAsTheyAre() throws IOException {
        fill(Settings.EMPTY);
        createIndex("others");
        client().prepareIndex("others")
                .setId("5")
                .setSource(Map.of("simhash", given(-1L)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        report(INDEX, "others");
        accept("1");
        accept("3");
        JobResponse response = apply(DELETE);
        assertEquals(1, response.count("outside"));
        assertEquals(1, response.count("deleted"));
        assertEquals(
                "[[index] does not cover 1 of the groups: they are left as they are]",
                response.warnings().toString());
        assertEquals(Set.of("1", "3", "4"), ids(INDEX));
        assertEquals(2, apply(DELETE, INDEX, "others").count("deleted"));
    }

    public void testManyGroupsAreReadInSlices() throws IOException {
        createIndex(INDEX);
        for (int i = 0; i < 200; i++) {
            put(i, 0x123456789abcdefL * (i / 2));
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        report();
        assertTrue(groups.size() > 40);
        groups.keySet().forEach(this::accept);
        JobResponse response = apply(TAG);
        assertEquals(groups.size(), response.count("groups"));
        assertEquals(response.count("duplicates"), response.count("tagged"));
        assertEquals(RestStatus.OK, response.status());
    }

    /** Two documents are written, a thousand seconds after each other. */
    public void testItsStepsAreWrites() throws Exception {
        fill(Settings.EMPTY);
        report();
        accept("1");
        accept("3");
        ActionFuture<JobResponse> job = start(
                "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + TAG + "}",
                new WritePace(0.001f, 1),
                INDEX);
        AtomicReference<TaskInfo> task = new AtomicReference<>();
        assertBusy(() -> {
            task.set(client().admin()
                    .cluster()
                    .prepareListTasks()
                    .setActions(ApplyAction.NAME)
                    .setDetailed(true)
                    .get()
                    .getTasks()
                    .getFirst());
            JobStatus waiting = (JobStatus) task.get().getStatus();
            assertEquals(1, waiting.done());
            assertTrue(waiting.throttledUntil() > 0);
        });
        JobStatus waiting = (JobStatus) task.get().getStatus();
        assertEquals("survivors, too", 4, waiting.total());
        assertEquals("for three more", 3.0 * waiting.throttledUntil(), (double) waiting.remaining(), 180_000);
        client().admin()
                .cluster()
                .prepareCancelTasks()
                .setTaskId(task.get().getTaskId())
                .get();
        expectThrows(TaskCancelledException.class, job::actionGet);
    }

    public void testNoJobDeletesBesideIt() throws Exception {
        fill(Settings.EMPTY);
        report();
        accept("1");
        CountDownLatch deleting = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> hold(bulk, isFirst, deleting, goOn));
        ActionFuture<JobResponse> first =
                start("{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + DELETE + "}", INDEX);
        try {
            assertTrue(deleting.await(1, TimeUnit.MINUTES));
            OpenSearchStatusException job =
                    expectThrows(OpenSearchStatusException.class, () -> delete(Float.POSITIVE_INFINITY, 100, "false"));
            assertEquals(RestStatus.CONFLICT, job.status());
            assertTrue(job.getMessage(), job.getMessage().contains("by the decisions in [groups], task ["));
            OpenSearchStatusException second = expectThrows(OpenSearchStatusException.class, () -> apply(DELETE));
            assertEquals(RestStatus.CONFLICT, second.status());
        } finally {
            goOn.countDown();
        }
        assertEquals(1, first.actionGet().count("deleted"));
    }

    /** {@code applied_at} says what may be undone. */
    public void testWhatIsRefusedAtTheFirstWriteIsNotNotedAsApplied() throws IOException {
        for (int refusedAfter = 0; refusedAfter <= 1; refusedAfter++) {
            fill(Settings.EMPTY);
            report();
            accept("1");
            accept("3");
            AtomicInteger left = new AtomicInteger(refusedAfter);
            RequestHook.set(request -> request instanceof BulkRequest bulk
                            && bulk.requests().getFirst().index().equals(INDEX)
                            && left.getAndDecrement() <= 0
                    ? RequestHook.failed(bulk, RestStatus.FORBIDDEN)
                    : null);
            JobResponse response = start(
                            "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + DELETE + "}",
                            new WritePace(Float.POSITIVE_INFINITY, 1),
                            INDEX)
                    .actionGet();
            RequestHook.clear();
            assertEquals(RestStatus.FORBIDDEN, response.status());
            assertEquals(refusedAfter, response.count("deleted"));
            client().admin().indices().prepareRefresh(DEST).get();
            for (SearchHit group : client().prepareSearch(DEST).get().getHits()) {
                assertEquals(refusedAfter > 0, group.getSourceAsMap().containsKey("applied_at"));
            }
            client().admin().indices().prepareDelete(INDEX, DEST).get();
        }
    }

    private static void hold(BulkRequest bulk, AtomicBoolean isFirst, CountDownLatch deleting, CountDownLatch goOn) {
        if (deletes(bulk, INDEX) && isFirst.getAndSet(false)) {
            deleting.countDown();
            try {
                assertTrue(goOn.await(1, TimeUnit.MINUTES));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public void testWhatIsNoGroupIsRefusedInWords() throws IOException {
        fill(Settings.EMPTY);
        report();
        String delete = ",\"run\":\"" + run + "\"," + DELETE + "}";
        IllegalArgumentException none = expectThrows(
                IllegalArgumentException.class,
                () -> start("{\"dest\":{\"index\":\"copies\"}" + delete, INDEX).actionGet());
        assertEquals(
                "[dest] must be an index that a job wrote its groups into, got: copies, which does not map [run]",
                none.getMessage());
        expectThrows(
                IndexNotFoundException.class,
                () -> start("{\"dest\":{\"index\":\"gone\"}" + delete, INDEX).actionGet());
        client().admin()
                .indices()
                .prepareCreate("older")
                .setMapping("run", "type=keyword", "survivor.id", "type=keyword", "members.id", "type=keyword")
                .get();
        IllegalArgumentException older = expectThrows(
                IllegalArgumentException.class,
                () -> start("{\"dest\":{\"index\":\"older\"}" + delete, INDEX).actionGet());
        assertEquals(
                "[dest] must be an index that a job wrote its groups into, got: older, which does not map [group]",
                older.getMessage());
        run = "another";
        ResourceNotFoundException missing = expectThrows(ResourceNotFoundException.class, () -> apply(DELETE));
        assertEquals("[run] must be a run that has groups in [groups], got: another", missing.getMessage());
    }

    public void testAGroupThatSaysNothingOfItsDocumentsFails() throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        accept("3");
        Object survivor = client().prepareGet(DEST, groups.get("3"))
                .get()
                .getSourceAsMap()
                .get("survivor");
        Map<String, Object> unknown = new HashMap<>();
        unknown.put("index_uuid", null);
        decide("3", Map.of("survivor", unknown));
        JobResponse response = apply(TAG);
        assertEquals(1, response.count("tagged"));
        assertEquals(RestStatus.BAD_REQUEST, response.status());
        assertEquals(groups.get("3"), response.failures().getFirst().id());
        decide("3", Map.of("survivor", survivor, "chosen_survivor", Map.of("index", INDEX, "id", "1")));
        assertEquals(
                "[chosen_survivor] must be a document of the group, got: {index=copies, id=1}",
                apply(TAG).failures().getFirst().reason());
    }

    /** A mistyped decision must not read as consent. */
    public void testUnknownDecisionsRefuseTheirGroup() throws IOException {
        for (Object decision :
                List.of("reject", "Rejected", "rejected ", "Accepted", "", "no", 0, true, List.of("accepted"))) {
            assertRefused(
                    Map.of("decision", decision), "[decision] must be one of [accepted, rejected, skipped], got: ");
        }
        String form = "[rejected] must be a list of ids, got: ";
        String members = "[rejected] must name members of the group other than its survivor, got: ";
        for (Object rejected : List.of("4,x", List.of("4", "5"), "four", List.of(" 4"), List.of("3"), List.of(""))) {
            assertRefused(Map.of("decision", "accepted", "rejected", rejected), members);
        }
        for (Object rejected : List.of(4, List.of(4), true, List.of("4", List.of("4")))) {
            assertRefused(Map.of("decision", "accepted", "rejected", rejected), form);
        }
    }

    private void assertRefused(Map<String, Object> decision, String reason) throws IOException {
        fill(Settings.EMPTY);
        report();
        accept("1");
        decide("3", decision);
        String only = randomFrom("accepted", "not_rejected");
        JobResponse response =
                apply("\"action\":\"delete\",\"verify\":false,\"archive\":false,\"only\":\"" + only + "\"");
        String message = decision + ", " + only + ": " + response;
        assertEquals(message, 1, response.count("refused"));
        assertEquals(message, 1, response.count("groups"));
        assertEquals(message, groups.get("3"), response.failures().getFirst().id());
        assertTrue(message, response.failures().getFirst().reason().startsWith(reason));
        assertEquals(message, Set.of("1", "3", "4"), ids(INDEX));
        client().admin().indices().prepareDelete(INDEX, DEST).get();
    }

    public void testOneRejectedIdNeedsNoList() throws IOException {
        fill(Settings.EMPTY);
        report();
        decide("3", Map.of("decision", "accepted", "rejected", "4"));
        assertEquals(1, apply(DELETE).count("rejected"));
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    private static String text(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "word" + i * i).collect(Collectors.joining(" "));
    }

    private void writeTexts(String... texts) {
        String pipeline = "{\"processors\":[{\"simhash\":{\"field\":\"content\"}}]}";
        client().admin()
                .cluster()
                .preparePutPipeline("prints", new BytesArray(pipeline), MediaTypeRegistry.JSON)
                .get();
        createIndex(
                INDEX,
                Settings.builder().put("index.default_pipeline", "prints").build());
        for (int i = 0; i < texts.length; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("content", texts[i]))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }

    private void reportWithin(String options) throws IOException {
        run = run("{\"dest\":{\"index\":\"groups\"}," + options + "}", Float.POSITIVE_INFINITY, 100)
                .run();
        SearchHit group = client().prepareSearch(DEST).get().getHits().getAt(0);
        client().prepareUpdate(DEST, group.getId())
                .setDoc(Map.of("decision", "accepted"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** Even what people accepted: they may have seen another version, or the first of many members. */
    public void testTextsAreLookedAtBeforeADelete() throws IOException {
        String delete = "\"action\":\"delete\",\"archive\":false";
        writeTexts(text(0, 400), text(0, 400), text(0, 400) + text(1000, 1040), text(0, 300) + text(2000, 2100));
        reportWithin("\"max_distance\":16");
        assertEquals(
                "[max_distance] must be between 0 and 3 with [action] delete and [verify] false, got: 16",
                expectThrows(IllegalArgumentException.class, () -> apply(delete + ",\"verify\":false"))
                        .getMessage());
        assertEquals(
                "[min_similarity] of [verify] must be between 0.5 and 1.0 with [action] delete, got: 0.1",
                expectThrows(
                                IllegalArgumentException.class,
                                () -> apply(delete + ",\"verify\":{\"min_similarity\":0.1}"))
                        .getMessage());
        JobResponse response = apply(delete);
        assertEquals(response.toString(), 1, response.count("deleted"));
        assertEquals(response.toString(), 1, response.count("own_text"));
        assertEquals(response.toString(), 1, response.count("not_similar"));
        assertEquals(Set.of("0", "2", "3"), ids(INDEX));
        response = apply(delete + ",\"max_own_words\":-1,\"verify\":{\"min_similarity\":0.5}");
        assertEquals(response.toString(), 2, response.count("deleted"));
    }

    public void testShortTextsStayByDefault() throws IOException {
        writeTexts("Thanks!", "Thanks!");
        reportWithin("\"max_distance\":3");
        for (String verify : List.of("", "\"verify\":false,")) {
            String delete = "\"action\":\"delete\"," + verify + "\"archive\":false";
            JobResponse response = apply(delete);
            assertEquals(0, response.count("deleted"));
            assertEquals(1, response.count("short_text"));
        }
        assertEquals(1, apply(DELETE + ",\"short_texts\":true").count("deleted"));
        assertEquals(
                "[short_texts] is only allowed with [action] delete, got: true",
                expectThrows(IllegalArgumentException.class, () -> apply(TAG + ",\"short_texts\":true"))
                        .getMessage());
    }

    public void testAFingerprintOfAnotherTextEndsNothing() throws IOException {
        writeTexts(text(0, 40), text(0, 40));
        Map<String, Object> stale =
                new HashMap<>(client().prepareGet(INDEX, "1").get().getSourceAsMap());
        stale.put("content", text(100, 140));
        client().prepareIndex(INDEX)
                .setId("1")
                .setSource(stale)
                .setPipeline("_none")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        reportWithin("\"max_distance\":3");
        JobResponse response = apply(DELETE);
        assertEquals(response.toString(), 0, response.count("deleted"));
        assertEquals(0, response.count("archived"));
        assertEquals(1, response.count("stale_fingerprint"));
        assertEquals(Set.of("0", "1"), ids(INDEX));
    }

    public void testWhatIsRejectedMeanwhileStays() throws IOException {
        for (String action : List.of(TAG, DELETE)) {
            fill(Settings.EMPTY);
            report();
            accept("1");
            accept("3");
            AtomicReference<String> first = new AtomicReference<>();
            RequestHook.onBulks(bulk -> {
                String id = bulk.requests().getFirst().id();
                boolean writes = bulk.requests().getFirst().index().equals(INDEX);
                if (writes && first.compareAndSet(null, id)) {
                    // While the first group is written, somebody rejects the other one; nothing is refreshed.
                    client().prepareUpdate(DEST, groups.get(Set.of("1", "2").contains(id) ? "3" : "1"))
                            .setDoc(Map.of("decision", "rejected"))
                            .get();
                }
            });
            JobResponse response = start(
                            "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + action + "}",
                            new WritePace(Float.POSITIVE_INFINITY, 1),
                            INDEX)
                    .actionGet();
            RequestHook.clear();
            assertEquals(response.toString(), action.equals(TAG) ? 1 : 0, response.count("tagged"));
            assertEquals(action.equals(TAG) ? 0 : 1, response.count("deleted"));
            assertEquals(1, response.count("refused"));
            assertEquals(1, response.count("groups"));
            assertEquals(1, response.count("duplicates"));
            assertEquals(action.equals(DELETE) ? 1 : 0, response.count("archived"));
            assertTrue(
                    response.toString(), response.warnings().getFirst().contains("was changed while it was applied"));
            client().admin().indices().prepareDelete(INDEX, DEST).get();
        }
    }

    /** Also the tags that survivors and rejected members lose. */
    public void testNoTagIsClearedForAGroupThatChangedMeanwhile() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 4; i++) {
            put(i, 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        report();
        acceptWithThirdAsSurvivor(List.of("2"));
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> {
            if (bulk.requests().getFirst().index().equals(INDEX) && isFirst.getAndSet(false)) {
                client().prepareUpdate(DEST, groups.get("1"))
                        .setDoc(Map.of("decision", "rejected"))
                        .get();
            }
        });
        JobResponse response = start(
                        "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + TAG + "}",
                        new WritePace(Float.POSITIVE_INFINITY, 1),
                        INDEX)
                .actionGet();
        assertEquals(response.toString(), 1, response.count("cleared"));
        assertEquals(0, response.count("tagged"));
        assertEquals(1, response.count("refused"));
        assertEquals(0, response.count("groups") + response.count("duplicates") + response.count("rejected"));
    }

    /** Members are near the survivor of the job, and perhaps not the one that people chose. */
    public void testAHashBeyondTheDistanceOfTheChosenSurvivorStays() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0b111000);
        put(3, 0b111);
        client().admin().indices().prepareRefresh(INDEX).get();
        report();
        acceptWithThirdAsSurvivor(List.of());
        JobResponse response = apply(DELETE);
        assertEquals(response.toString(), 1, response.count("deleted"));
        assertEquals(1, response.count("not_similar"));
        assertEquals(Set.of("2", "3"), ids(INDEX));
    }

    private void writeHashes(long... hashes) {
        for (int i = 0; i < hashes.length; i++) {
            client().prepareIndex(INDEX)
                    .setId("hash" + i)
                    .setPipeline("_none")
                    .setSource(Map.of("simhash", given(hashes[i])))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }

    /** A link of the chain may meet the conditions where the two documents do not. */
    public void testAMemberOfAChainThatDoesNotMeetTheConditionsWithItsSurvivorStays() throws IOException {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping("tenant", "type=keyword")
                .get();
        String[] tenants = {"a", null, "b"};
        for (int id = 0; id < tenants.length; id++) {
            Map<String, Object> source = new HashMap<>(Map.of("simhash", given(7)));
            source.put("tenant", tenants[id]);
            client().prepareIndex(INDEX)
                    .setId("" + id)
                    .setSource(source)
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        reportWithin("\"linkage\":\"chain\",\"same\":[{\"field\":\"tenant\",\"missing\":\"any\"}]");
        JobResponse response = apply(DELETE);
        assertEquals(Set.of("0", "2"), ids(INDEX));
        assertEquals(1, response.count("not_similar"));
        assertEquals(0, response.count("kept_apart"));
    }

    /** Whichever document a search finds first. */
    public void testWhereSomeFingerprintsAreOfTextEachPairIsJudgedByItself() throws IOException {
        for (int first = 0; first < 2; first++) {
            writeTexts();
            if (first == 1) {
                writeHashes(0, 0x3FF);
            }
            String near = text(0, 60) + " " + text(100, 106);
            for (String text : List.of(text(0, 60), text(0, 60), near)) {
                client().prepareIndex(INDEX)
                        .setSource(Map.of("content", text))
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                        .get();
            }
            if (first == 0) {
                writeHashes(0, 0x3FF);
            }
            run = run("{\"dest\":{\"index\":\"groups\"},\"max_distance\":16}", Float.POSITIVE_INFINITY, 100)
                    .run();
            String delete = "\"action\":\"delete\",\"only\":\"not_rejected\",\"archive\":false";
            JobResponse verified = apply(delete + ",\"max_own_words\":-1");
            assertEquals(verified.toString(), 1 + 1, verified.count("deleted"));
            assertEquals(verified.toString(), 1, verified.count("stale_fingerprint"));
            assertTrue(ids(INDEX).containsAll(Set.of("hash0", "hash1")));
            client().admin().indices().prepareDelete(INDEX, DEST).get();
        }
    }

    public void testWithoutVerifyTextsBeyondThreeBitsStay() throws IOException {
        writeTexts(text(0, 60), text(0, 60), text(0, 60) + " " + text(100, 110));
        writeHashes(0, 0x3FF);
        run = run("{\"dest\":{\"index\":\"groups\"},\"max_distance\":16}", Float.POSITIVE_INFINITY, 100)
                .run();
        JobResponse response =
                apply("\"action\":\"delete\",\"only\":\"not_rejected\",\"archive\":false,\"verify\":false");
        assertEquals(response.toString(), 2, response.count("deleted"));
        assertEquals(response.toString(), 1, response.count("not_similar"));
        assertEquals(Set.of("0", "2", "hash0"), ids(INDEX));
    }

    public void testCandidatesAreComparedByTheirTexts() throws IOException {
        createIndex(INDEX);
        for (int i = 1; i <= 3; i++) {
            Map<String, Object> source = new HashMap<>(Map.of("content", i < 3 ? text(0, 60) : text(0, 59)));
            if (i == 2) {
                source.put("simhash", given(-1L));
            }
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(source)
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        client().prepareIndex("log")
                .setSource(Map.of("near", List.of("1", "2", "3")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        reportWithin("\"candidates\":{\"index\":\"log\",\"field\":\"near\"},\"verify\":{\"field\":\"content\"}");
        JobResponse response = apply("\"action\":\"delete\",\"archive\":false");
        assertEquals(response.toString(), 2, response.count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
    }

    public void testMistypedOptionsAreNamed() throws IOException {
        fill(Settings.EMPTY);
        report();
        assertWrong("[action] must be one of [tag, delete], got: report", "\"action\":\"report\"");
        assertWrong("[only] must be one of [accepted, not_rejected], got: all", "\"action\":\"tag\",\"only\":\"all\"");
        assertWrong(
                "[archive] is required with [action] delete: name an index, or say [\"archive\": false] to delete"
                        + " without a copy, got: nothing",
                "\"action\":\"delete\"");
        assertWrong(
                "[archive] is only allowed with [action] delete, or with [merge], got: tag",
                TAG + ",\"archive\":" + ARCHIVE);
        Exception e = expectThrows(
                IllegalArgumentException.class,
                () -> start("{\"run\":\"x\",\"action\":\"tag\"}", INDEX).actionGet());
        assertTrue(e.getMessage(), e.getMessage().contains("dest"));
    }

    private void assertWrong(String message, String options) {
        assertEquals(
                message,
                expectThrows(IllegalArgumentException.class, () -> apply(options))
                        .getMessage());
    }
}
