/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestResponse;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.test.rest.FakeRestRequest;

/** Samples, and whatever else many people need who review many groups. */
public class WorkTests extends DeletingTestCase {

    private static final String DEST = "groups";

    /** Pairs of documents, and their groups. */
    private String groups(int count) throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < 2 * count; i++) {
            String title = i / 2 % 3 == 0 ? "A winter journey" : "Summer in town";
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of(
                            "simhash", given(1L << 40 | i / 2), "title", title, "lang", i / 2 % 4 == 0 ? "de" : "en")));
        }
        assertFalse(bulk.get().hasFailures());
        String run = run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        refresh();
        return run;
    }

    private void refresh() {
        client().admin().indices().prepareRefresh(DEST).get();
    }

    private static GroupChoice choice(Map<String, String> parameters) {
        return GroupChoice.read(
                new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
                        .withParams(new HashMap<>(parameters))
                        .build(),
                false);
    }

    private Map<String, Object> read(Map<String, String> parameters) {
        return client().execute(GroupsAction.INSTANCE, new GroupsAction.Request(DEST, choice(parameters), null, null))
                .actionGet()
                .asMap();
    }

    @SuppressWarnings("unchecked") // from JSON
    private static List<Map<String, Object>> groupsOf(Map<String, Object> answer) {
        return (List<Map<String, Object>>) answer.get("groups");
    }

    private static List<Object> ids(Map<String, Object> answer) {
        return groupsOf(answer).stream().map(group -> group.get("_id")).toList();
    }

    private static Map<String, Object> on(Map<String, Object> group, String option, Object value) {
        Map<String, Object> typed = new HashMap<>();
        typed.put("index", group.get("_index"));
        typed.put("group", group.get("_id"));
        typed.put("if_seq_no", group.get("_seq_no"));
        typed.put("if_primary_term", group.get("_primary_term"));
        typed.put(option, value);
        return typed;
    }

    private Map<String, Object> decide(String user, Map<String, Object> typed) {
        ThreadContext context = client().threadPool().getThreadContext();
        ThreadContext.StoredContext before = context.stashContext();
        context.putTransient(Caller.INFO, user + "|roles|tenant");
        try {
            return client().execute(DecideAction.INSTANCE, new DecideAction.Request(DEST, typed))
                    .actionGet()
                    .asMap();
        } finally {
            before.restore();
        }
    }

    private void acceptAll() {
        List<Map<String, Object>> decisions = new ArrayList<>();
        Map<String, String> wanted = new HashMap<>(Map.of("size", "100", "decision", "open"));
        do {
            Map<String, Object> answer = read(wanted);
            groupsOf(answer).forEach(group -> decisions.add(on(group, "decision", "accepted")));
            wanted.put("run", (String) answer.get("run"));
            wanted.put("after", (String) answer.get("next"));
        } while (wanted.get("after") != null);
        decide("ada", Map.of("decisions", decisions));
        refresh();
    }

    private static Map<?, ?> sample(Map<String, Object> answer) {
        return (Map<?, ?>) answer.get("sample");
    }

    public void testASampleOfWhatNobodyHasSeen() throws IOException {
        String run = groups(80);
        assertEquals(0, sample(read(Map.of("sample", "true"))).get("drawn"));
        acceptAll();
        Map<String, Object> first = read(Map.of("sample", "true"));
        assertEquals(50, groupsOf(first).size());
        assertNull(first.get("next"));
        assertEquals(80, first.get("total"));
        assertEquals(run, sample(first).get("seed"));
        assertNull(sample(first).get("share"));
        assertEquals("another person draws the same", ids(first), ids(read(Map.of("sample", "true"))));
        assertEquals(ids(first), ids(read(Map.of("sample", "true", "seed", run))));
        assertNotEquals(ids(first), ids(read(Map.of("sample", "true", "seed", "another"))));
        List<Map<String, Object>> drawn = groupsOf(first);
        for (int i = 0; i < 40; i++) {
            Map<String, Object> answer = decide("bob", on(drawn.get(i), "judged", i < 3 ? "wrong" : "right"));
            assertEquals("bob", answer.get("judged_by"));
            if (i == 0) {
                // Whoever finds a wrong one rejects it: it is wrong nevertheless.
                drawn.get(0).put("_seq_no", answer.get("_seq_no"));
                Map<String, Object> rejected = on(drawn.get(0), "decision", "rejected");
                rejected.put("seen", List.of(((Map<?, ?>) source(drawn.get(0)).get("survivor")).get("id")));
                decide("bob", rejected);
            }
        }
        refresh();
        Map<String, Object> judged = read(Map.of("sample", "true"));
        assertEquals(ids(first), ids(judged));
        assertEquals(
                List.of(40, 3),
                List.of(sample(judged).get("judged"), sample(judged).get("wrong")));
        assertEquals(3 / 40.0, sample(judged).get("share"));
        assertEquals(0.015742, (Double) sample(judged).get("low"), 1e-6);
        assertEquals(0.203865, (Double) sample(judged).get("high"), 1e-6);
        Map<String, Object> stored = source(drawn.get(1));
        assertEquals(
                List.of("wrong", "bob", "accepted", "ada"),
                List.of(
                        stored.get("judged"),
                        stored.get("judged_by"),
                        stored.get("decision"),
                        stored.get("decided_by")));
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        refresh();
        assertEquals("the next run keeps it", "wrong", source(drawn.get(1)).get("judged"));
    }

    private Map<String, Object> source(Map<String, Object> group) {
        return client().prepareGet(DEST, (String) group.get("_id")).get().getSourceAsMap();
    }

    public void testWhatSomebodyHasSeenIsInNoSample() throws IOException {
        groups(3);
        acceptAll();
        Map<String, Object> one = groupsOf(read(Map.of("sample", "true"))).getFirst();
        Map<String, Object> seen = on(one, "decision", "accepted");
        seen.put("seen", List.of("none"));
        assertEquals(
                "[seen] must be ids of documents of the group, got: none",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", seen))
                        .getMessage());
        seen.put("seen", List.of(((Map<?, ?>) ((Map<?, ?>) one.get("_source")).get("survivor")).get("id")));
        decide("ada", seen);
        refresh();
        Map<String, Object> rest = read(Map.of("sample", "true", "size", "1"));
        assertEquals(2, rest.get("total"));
        assertFalse(ids(read(Map.of("sample", "true"))).contains(one.get("_id")));
        Map<String, Object> both = on(one, "judged", "right");
        both.put("decision", "accepted");
        assertTrue(expectThrows(IllegalArgumentException.class, () -> decide("ada", both))
                .getMessage()
                .startsWith("[judged] must stand without a decision, got: "));
        assertEquals(
                "[judged] must be one of [right, wrong] or null, got: maybe",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", on(one, "judged", "maybe")))
                        .getMessage());
        for (Map<String, String> wrong : List.of(Map.of("sample", "true", "decision", "open"), Map.of("seed", "1"))) {
            String message = expectThrows(IllegalArgumentException.class, () -> read(wrong))
                    .getMessage();
            assertTrue(
                    message, message.startsWith("[sample] takes [run], [seed] and [size], and [seed] needs it, got: "));
        }
    }

    public void testDecisionsAreAppendedAndNeverOverwritten() throws IOException {
        groups(1);
        Map<String, Object> group = groupsOf(read(Map.of())).getFirst();
        Map<?, ?> survivor = (Map<?, ?>) source(group).get("survivor");
        client().prepareUpdate(DEST, (String) group.get("_id"))
                .setDoc(Map.of("decision", "skipped"))
                .get();
        for (String decision : Arrays.asList("accepted", null, "rejected")) {
            Map<String, Object> typed = on(again(group), "decision", decision);
            typed.put("note", "because");
            typed.put("seen", List.of(survivor.get("id")));
            decide(decision == null ? "bob" : "ada", typed);
        }
        decide("eve", on(again(group), "judged", "wrong"));
        List<Map<String, Object>> history = history(group);
        assertEquals(
                Arrays.asList("skipped", "accepted", null, "rejected", null),
                history.stream().map(entry -> entry.get("decision")).toList());
        assertEquals(
                Arrays.asList(null, "ada", "bob", "ada", "eve"),
                history.stream().map(entry -> entry.get("decided_by")).toList());
        assertEquals("wrong", history.get(4).get("judged"));
        assertEquals("because", history.get(1).get("note"));
        assertEquals(List.of(survivor.get("fingerprint")), history.get(1).get("seen"));
        refresh();
        String rows = client().execute(
                                        GroupsAction.INSTANCE,
                                        new GroupsAction.Request(
                                                DEST,
                                                choice(Map.of()),
                                                null,
                                                new GroupRows.Form(true, GroupRows.ROWS.get("history"), List.of())))
                                .actionGet()
                        instanceof GroupRows read
                ? text(read)
                : null;
        List<String> lines = rows.lines().toList();
        assertEquals(
                "group,decision,judged,decided_by,decided_at,note,rejected,chosen_survivor,seen", lines.getFirst());
        assertEquals(6, lines.size());
        assertTrue(lines.get(2), lines.get(2).startsWith(group.get("_id") + ",accepted,,ada,2"));
        for (int i = 0; i < 100; i++) {
            decide("ada", on(again(group), "decision", "accepted"));
        }
        assertEquals(100, history(group).size());
        Map<String, Object> typed = on(again(group), "note", "x".repeat(1_001));
        assertEquals(
                "[note] must have at most 1000 characters, got: 1001",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", typed))
                        .getMessage());
        // The documents change: the decision is an earlier one, its history stays.
        put(1_000_000, 1L << 40);
        client().admin().indices().prepareRefresh(INDEX).get();
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        assertNull(source(group).get("decision"));
        assertEquals(100, history(group).size());
    }

    private static String text(GroupRows rows) {
        RestResponse response = rows.response(new HashMap<>());
        String text = response.content().utf8ToString();
        ((Releasable) response.content()).close();
        return text;
    }

    /** As it is stored now. */
    private Map<String, Object> again(Map<String, Object> group) {
        GetResponse now = client().prepareGet(DEST, (String) group.get("_id")).get();
        return Map.of(
                "_index", DEST, "_id", now.getId(), "_seq_no", now.getSeqNo(), "_primary_term", now.getPrimaryTerm());
    }

    @SuppressWarnings("unchecked") // from JSON
    private List<Map<String, Object>> history(Map<String, Object> group) {
        return (List<Map<String, Object>>) source(group).get("history");
    }

    public void testNobodyDecidesWhatSomebodyElseHasTaken() throws IOException {
        String run = groups(5);
        Map<String, Object> batch = decide("ada", Map.of("batch", 2));
        assertEquals(List.of(run, "ada"), List.of(batch.get("run"), batch.get("claimed_by")));
        String until = (String) batch.get("claimed_until");
        assertTrue(until, Instant.parse(until).isAfter(Instant.now().plusSeconds(3_590)));
        assertEquals(2, groupsOf(batch).size());
        refresh();
        assertEquals(3, groupsOf(decide("bob", Map.of("batch", 100))).size());
        assertEquals(List.of(), groupsOf(decide("eve", Map.of("batch", 1))));
        refresh();
        assertEquals(Set.copyOf(ids(batch)), Set.copyOf(ids(read(Map.of("claimed_by", "ada")))));
        Map<String, Object> one = groupsOf(batch).getFirst();
        assertEquals("others see who has it", "ada", ((Map<?, ?>) one.get("_source")).get("claimed_by"));
        OpenSearchStatusException taken =
                expectThrows(OpenSearchStatusException.class, () -> decide("bob", on(one, "decision", "accepted")));
        assertEquals(RestStatus.CONFLICT, taken.status());
        assertEquals(
                "[group] " + one.get("_id") + " is taken by [ada] until " + until
                        + ": wait, or decide it with [take] true",
                taken.getMessage());
        Map<String, Object> many = decide("bob", Map.of("decisions", List.of(on(one, "decision", "accepted"))));
        assertEquals(409, ((Map<?, ?>) ((List<?>) many.get("decisions")).getFirst()).get("status"));
        decide("ada", on(one, "decision", "accepted"));
        assertNull(source(one).get("claimed_until"));
        Map<String, Object> other = on(groupsOf(batch).getLast(), "decision", "rejected");
        other.put("take", true);
        assertEquals("bob", decide("bob", other).get("decided_by"));
        assertEquals(
                "[batch] must be between 1 and 100, got: 101",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", Map.of("batch", 101)))
                        .getMessage());
        assertEquals(
                "[batch] takes groups that nobody has, and stands without [claimed_by], got: ada",
                expectThrows(
                                IllegalArgumentException.class,
                                () -> decide("ada", Map.of("batch", 1, "claimed_by", "ada")))
                        .getMessage());
        assertEquals(List.of(), groupsOf(decide("eve", Map.of("batch", 1, "claimed_by", ""))));
        assertEquals(
                "unknown option [group]",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", Map.of("batch", 1, "group", "g")))
                        .getMessage());
    }

    /** After an hour the group is free, and without a security plugin the request says who asks. */
    public void testAClaimEnds() throws IOException {
        groups(1);
        Map<String, Object> one = groupsOf(client().execute(
                                DecideAction.INSTANCE,
                                new DecideAction.Request(DEST, Map.of("batch", 1, "reviewer", "ada")))
                        .actionGet()
                        .asMap())
                .getFirst();
        assertEquals("ada", source(one).get("claimed_by"));
        client().prepareUpdate(DEST, (String) one.get("_id"))
                .setDoc(Map.of("claimed_until", "2020-01-01T00:00:00Z"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertEquals(1, groupsOf(decide("bob", Map.of("batch", 1))).size());
    }

    public void testARunThatChangesNothingKeepsBatchesAndTheWayBack() throws IOException {
        groups(6);
        Map<String, Object> decided =
                decide("ada", Map.of("query", Map.of("value", "lang:de"), "decision", "rejected", "note", "at once"));
        assertEquals(2, decided.get("decided"));
        Map<String, Object> one = groupsOf(decide("bob", Map.of("batch", 1))).getFirst();
        refresh();
        Map<String, Object> rejected =
                groupsOf(read(Map.of("value", "lang:de"))).getFirst();
        // After a rejection, a run makes other groups.
        decide("ada", Map.of("undo", decided.get("undo")));
        decided = decide("ada", Map.of("query", Map.of("value", "lang:de"), "decision", "accepted"));
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        refresh();
        assertEquals("bob", source(one).get("claimed_by"));
        assertEquals(List.of(one.get("_id")), ids(read(Map.of("claimed_by", "bob"))));
        assertEquals(decided.get("undo"), source(rejected).get("decided_in"));
        Map<String, Object> back = decide("ada", Map.of("undo", decided.get("undo")));
        assertEquals(List.of(2, 2), List.of(back.get("groups"), back.get("decided")));
        assertNull(source(rejected).get("decision"));
        // The documents change: nobody takes back what is decided no more.
        decided = decide("ada", Map.of("query", Map.of("value", "lang:de"), "decision", "accepted"));
        put(1_000_000, 1L << 40);
        client().admin().indices().prepareRefresh(INDEX).get();
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        refresh();
        assertEquals("bob", source(one).get("claimed_by"));
        assertNull(source(groupsOf(read(Map.of("q", "1000000"))).getFirst()).get("decided_in"));
        assertEquals(1, decide("ada", Map.of("undo", decided.get("undo"))).get("groups"));
    }

    /** The survivor that somebody chose is in the new index, also where it is that of the decision before. */
    public void testAWayBackLeadsIntoANewIndex() throws IOException {
        String run = groups(3);
        Map<String, Object> one = groupsOf(read(Map.of())).getFirst();
        Object id = ((Map<?, ?>) ((List<?>) source(one).get("members")).getFirst()).get("id");
        Map<String, Object> skipped = on(one, "decision", "skipped");
        skipped.put("chosen_survivor", Map.of("index", INDEX, "id", id));
        decide("ada", skipped);
        refresh();
        Map<String, Object> decided = decide("ada", acceptAllOf(run));
        for (SearchHit hit : client().prepareSearch(INDEX).get().getHits()) {
            client().prepareIndex("copies-new")
                    .setId(hit.getId())
                    .setSource(hit.getSourceAsMap())
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        String options = "{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}";
        String now = run(options, Float.POSITIVE_INFINITY, 100, "copies-new").run();
        Map<String, Object> back = decide("ada", Map.of("undo", decided.get("undo"), "run", now));
        assertEquals(back.toString(), List.of(3, 3), List.of(back.get("groups"), back.get("decided")));
        refresh();
        Map<String, Object> moved =
                source(groupsOf(read(Map.of("run", now, "decision", "skipped"))).getFirst());
        assertEquals(Map.of("index", "copies-new", "id", id), moved.get("chosen_survivor"));
    }

    /** It ends no more for a group that cannot have its decision back than for one that was changed meanwhile. */
    public void testAWayBackToADocumentThatIsNotInItsGroupIsRefused() throws IOException {
        String run = groups(230);
        Map<String, Object> decided = decide("ada", acceptAllOf(run));
        refresh();
        client().prepareUpdate(
                        DEST, (String) groupsOf(read(Map.of())).getFirst().get("_id"))
                .setDoc("before", Map.of("chosen_survivor", Map.of("index", INDEX, "id", "none")))
                .get();
        Map<String, Object> back = decide("ada", Map.of("undo", decided.get("undo")));
        assertEquals(List.of(229, 1), List.of(back.get("decided"), back.get("refused")));
        assertNull(back.get("error"));
    }

    public void testADocumentWithManyValuesIsFoundByTheFirst() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        for (int i = 0; i < 2; i++) {
            int document = i;
            client().prepareIndex(INDEX)
                    .setSource(Map.of(
                            "simhash",
                            given(7),
                            "tags",
                            IntStream.range(0, 60)
                                    .mapToObj(tag -> document + "-" + tag)
                                    .toList()))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        refresh();
        assertEquals(40, ((List<?>) source(groupsOf(read(Map.of())).getFirst()).get("columns")).size());
    }

    public void testEightPeopleDecideEachGroupOnce() throws Exception {
        groups(400);
        AtomicInteger decided = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> people = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "person" + i;
            people.add(new Thread(() -> {
                List<Map<String, Object>> batch;
                do {
                    batch = groupsOf(decide(name, Map.of("batch", 10)));
                    List<Map<String, Object>> decisions = batch.stream()
                            .map(group -> on(group, "decision", "accepted"))
                            .toList();
                    if (batch.isEmpty() == false) {
                        for (Object answer : (List<?>)
                                decide(name, Map.of("decisions", decisions)).get("decisions")) {
                            (((Map<?, ?>) answer).get("error") == null ? decided : refused).incrementAndGet();
                        }
                    }
                } while (batch.isEmpty() == false);
            }));
        }
        people.forEach(Thread::start);
        for (Thread one : people) {
            one.join();
        }
        refresh();
        assertEquals(List.of(400, 0), List.of(decided.get(), refused.get()));
        assertEquals(0, read(Map.of("decision", "open")).get("total"));
        for (SearchHit hit : client().prepareSearch(DEST).setSize(1_000).get().getHits()) {
            assertEquals(1, ((List<?>) hit.getSourceAsMap().get("history")).size());
        }
    }

    private static Map<?, ?> facet(Map<String, Object> answer) {
        return ((List<?>) answer.get("facet"))
                .stream()
                        .collect(Collectors.toMap(
                                one -> ((Map<?, ?>) one).get("value"), one -> ((Map<?, ?>) one).get("groups")));
    }

    public void testGroupsAreFoundByWhatTheirDocumentsSay() throws IOException {
        groups(12);
        Map<String, Object> winter = read(Map.of("q", "winter journ*", "facet", "lang"));
        assertEquals(4, winter.get("total"));
        assertEquals(Map.of("de", 1, "en", 3), facet(winter));
        assertEquals(Map.of("de", 3, "en", 9), facet(read(Map.of("facet", "lang"))));
        assertEquals(Map.of(), facet(read(Map.of("facet", "lan."))));
        assertEquals(
                Set.of("A winter journey", "Summer in town"),
                facet(read(Map.of("facet", "title"))).keySet());
        assertEquals(0, read(Map.of("q", "title")).get("total"));
        assertEquals(3, read(Map.of("value", "lang:de")).get("total"));
        assertEquals(1, read(Map.of("value", "lang:de", "q", "Winter")).get("total"));
        assertEquals("also by the id of a member", 1, read(Map.of("q", "7")).get("total"));
        Map<String, Object> one = groupsOf(read(Map.of("q", "7"))).getFirst();
        assertTrue("" + source(one).get("columns"), ((List<?>) source(one).get("columns")).contains("lang:en"));
    }

    public void testWhatIsFoundIsDecidedAtOnceAndTakenBack() throws IOException {
        groups(230);
        Map<String, Object> first = groupsOf(read(Map.of("value", "lang:de"))).getFirst();
        String member = ((Map<?, ?>) ((List<?>) source(first).get("members")).getFirst())
                .get("id")
                .toString();
        Map<String, Object> skipped = on(first, "decision", "skipped");
        skipped.put("rejected", List.of(member));
        decide("ada", skipped);
        Map<String, Object> summer = groupsOf(read(Map.of("value", "lang:en"))).getFirst();
        decide("bob", Map.of("batch", 1, "value", "lang:en"));
        Map<String, Object> typed = new HashMap<>(Map.of(
                "query", Map.of("value", "lang:en"), "decision", "accepted", "dry_run", true, "note", "at once"));
        Map<String, Object> counted = decide("ada", typed);
        assertEquals(172, counted.get("groups"));
        assertNull(counted.get("decided"));
        refresh();
        assertEquals(229, read(Map.of("decision", "open")).get("total"));
        typed.remove("dry_run");
        Map<String, Object> decided = decide("ada", typed);
        assertEquals("bob has one", List.of(171, 1), List.of(decided.get("decided"), decided.get("refused")));
        Map<String, Object> both =
                decide("ada", Map.of("query", "winter OR summer", "decision", "rejected", "take", true));
        assertEquals(
                decided.toString(),
                230,
                decide("ada", Map.of("query", "winter | summer", "decision", "rejected", "take", true))
                        .get("decided"));
        assertEquals(0, both.get("decided"));
        refresh();
        Map<String, Object> last =
                decide("ada", Map.of("query", Map.of("decision", "rejected"), "decision", "accepted"));
        assertEquals(230, last.get("decided"));
        assertEquals(List.of(member), source(first).get("rejected"));
        Map<String, Object> back = decide("ada", Map.of("undo", last.get("undo")));
        assertEquals(List.of(230, 230), List.of(back.get("groups"), back.get("decided")));
        assertEquals("rejected", source(summer).get("decision"));
        assertEquals(0, decide("ada", Map.of("undo", last.get("undo"))).get("groups"));
        assertEquals(
                "nothing else",
                0,
                decide("ada", Map.of("undo", decided.get("undo"))).get("groups"));
        assertEquals(
                "[query] takes [decision], and [note], [take] and [dry_run], got: [rejected]",
                expectThrows(IllegalArgumentException.class, () -> decide("ada", Map.of("query", "a", "rejected", "b")))
                        .getMessage());
    }

    /** Whoever types what counts alone, or takes from nobody, gets no decision in its place. */
    public void testWhatOnlyCountsIsTypedAsSuch() throws IOException {
        groups(3);
        Map<String, Object> one = groupsOf(read(Map.of())).getFirst();
        Map<String, Object> taking = on(one, "decision", "accepted");
        taking.put("take", "no");
        Map<String, Object> nothing = new HashMap<>(Map.of("decision", "accepted"));
        nothing.put("query", null);
        Map.<Map<String, Object>, String>of(
                        Map.of("query", "winter", "decision", "accepted", "dry_run", "true"),
                        "[dry_run] must be true or false, got: true",
                        Map.of("query", "winter", "decision", "accepted", "dry_run", 1),
                        "[dry_run] must be true or false, got: 1",
                        Map.of("query", "winter", "decision", "accepted", "take", "yes"),
                        "[take] must be true or false, got: yes",
                        taking,
                        "[take] must be true or false, got: no",
                        Map.of("undo", "id", "query", "winter"),
                        "[undo] must be that of an answer, and stand without [query], got: ",
                        Map.of("undo", ""),
                        "[undo] must be that of an answer, and stand without [query], got: {undo=}",
                        Map.of("undo", 5),
                        "[undo] must be a string, got: 5",
                        nothing,
                        "[query] must be an object or a string, got: null",
                        Map.of("query", List.of("winter"), "decision", "accepted"),
                        "[query] must be an object or a string, got: [winter]",
                        Map.of("batch", 1, "reviewer", List.of("ada")),
                        "[reviewer] must be a string, got: [ada]")
                .forEach((typed, message) -> {
                    String refused = expectThrows(IllegalArgumentException.class, () -> decide("ada", typed))
                            .getMessage();
                    assertTrue(refused, refused.startsWith(message));
                });
        refresh();
        assertEquals(3, read(Map.of("decision", "open")).get("total"));
    }

    private static Map<String, Object> acceptAllOf(String run) {
        return Map.of("query", Map.of("run", run), "decision", "accepted");
    }

    /** Nothing is decided without a way back, also if the rest cannot be decided. */
    public void testWhatWasDecidedBeforeAFailureIsTakenBack() throws IOException {
        String run = groups(230);
        for (boolean isOfEach : List.of(true, false)) {
            AtomicInteger bulks = new AtomicInteger();
            RequestHook.set(request -> {
                if (request instanceof BulkRequest bulk && bulks.incrementAndGet() == 2) {
                    if (isOfEach) {
                        return RequestHook.failed(bulk, RestStatus.TOO_MANY_REQUESTS);
                    }
                    throw new OpenSearchStatusException("as told", RestStatus.TOO_MANY_REQUESTS);
                }
                return null;
            });
            Map<String, Object> some = decide("ada", acceptAllOf(run));
            RequestHook.clear();
            assertEquals(List.of(230, 100, 0), List.of(some.get("groups"), some.get("decided"), some.get("refused")));
            assertEquals(2, bulks.get());
            assertEquals("as told", ((Map<?, ?>) some.get("error")).get("reason"));
            assertEquals(100, decide("ada", Map.of("undo", some.get("undo"))).get("decided"));
            refresh();
            assertEquals(230, read(Map.of("decision", "open")).get("total"));
        }
        RequestHook.onBulks(bulk -> {
            throw new OpenSearchStatusException("as told", RestStatus.FORBIDDEN);
        });
        assertEquals(
                "nothing was decided",
                RestStatus.FORBIDDEN,
                expectThrows(OpenSearchStatusException.class, () -> decide("ada", acceptAllOf(run)))
                        .status());
        RequestHook.clear();
        // Of a program: numbers are no ids.
        client().prepareUpdate(
                        DEST, (String) groupsOf(read(Map.of())).getFirst().get("_id"))
                .setDoc("rejected", List.of(1))
                .get();
        Map<String, Object> some = decide("ada", acceptAllOf(run));
        assertEquals(List.of(229, 1), List.of(some.get("decided"), some.get("refused")));
        assertNull(some.get("error"));
        assertEquals(229, decide("ada", Map.of("undo", some.get("undo"))).get("decided"));
    }

    /** A program may write what no decision says: the others are decided. */
    public void testAGroupThatCannotBeDecidedEndsNothing() throws IOException {
        String run = groups(230);
        client().prepareUpdate(
                        DEST, (String) groupsOf(read(Map.of())).getFirst().get("_id"))
                .setDoc("rejected", List.of("nosuch"))
                .get();
        Map<String, Object> some = decide("ada", acceptAllOf(run));
        assertEquals(List.of(229, 1), List.of(some.get("decided"), some.get("refused")));
        assertNull(some.get("error"));
        for (boolean isDryRun : List.of(true, false)) {
            Map<String, Object> wrong = new HashMap<>(acceptAllOf(run));
            wrong.putAll(Map.of("decision", "kept", "dry_run", isDryRun));
            assertEquals(
                    "[decision] must be one of [accepted, rejected, skipped] or null, got: kept",
                    expectThrows(IllegalArgumentException.class, () -> decide("ada", wrong))
                            .getMessage());
        }
    }

    /** Between some groups and the next ones. */
    public void testADecisionAboutWhatIsFoundIsCancelled() throws Exception {
        String run = groups(230);
        DecideAction.Request request = new DecideAction.Request(DEST, acceptAllOf(run));
        assertTrue(request.createTask(1, "type", "action", TaskId.EMPTY_TASK_ID, Map.of()) instanceof CancellableTask);
        AtomicInteger asked = new AtomicInteger();
        CancellableTask task = new CancellableTask(1, "type", "action", "", TaskId.EMPTY_TASK_ID, Map.of()) {
            @Override
            public boolean isCancelled() {
                return asked.incrementAndGet() > 1;
            }

            @Override
            public boolean shouldCancelChildrenOnCancellation() {
                return true;
            }
        };
        DecideAction action = getInstanceFromNode(DecideAction.class);
        Map<String, Object> some = action.answer(request, task).asMap();
        assertEquals(100, some.get("decided"));
        assertEquals("task_cancelled_exception", ((Map<?, ?>) some.get("error")).get("type"));
        assertEquals(100, decide("ada", Map.of("undo", some.get("undo"))).get("decided"));
        assertThrows(TaskCancelledException.class, () -> action.answer(request, task));
    }

    public void testGroupsThatAreFoundAreOnTheBreaker() throws IOException {
        String run = groups(2);
        Map<String, Object> large = groupsOf(read(Map.of())).getFirst();
        client().prepareUpdate(DEST, (String) large.get("_id"))
                .setDoc("parameters", Map.of("long", "x".repeat(3 << 20)))
                .get();
        Map<String, Object> named = on(again(large), "decision", "accepted");
        limitRequests("10mb");
        try {
            Exception e = expectThrows(Exception.class, () -> decide("ada", acceptAllOf(run)));
            assertNotNull("" + e, ExceptionsHelper.unwrap(e, CircuitBreakingException.class));
            Exception one = expectThrows(Exception.class, () -> decide("ada", named));
            assertNotNull("" + one, ExceptionsHelper.unwrap(one, CircuitBreakingException.class));
        } finally {
            limitRequests(null);
        }
        assertEquals(2, decide("ada", acceptAllOf(run)).get("decided"));
    }

    /** A run keeps what was decided, and which request did. */
    public void testWhatLaterRunsHaveKeptIsTakenBack() throws IOException {
        String run = groups(5);
        Map<String, Object> decided = decide("ada", acceptAllOf(run));
        refresh();
        List<Object> kept = ids(read(Map.of())).subList(0, 2);
        for (Object id : kept) {
            client().prepareUpdate(DEST, id.toString())
                    .setDoc("run", "later", "run_at", "2100-01-01T00:00:00Z")
                    .get();
        }
        refresh();
        Map<String, Object> counted = decide("ada", Map.of("undo", decided.get("undo"), "dry_run", true));
        assertEquals(5, counted.get("groups"));
        assertEquals(
                2,
                decide("ada", Map.of("undo", decided.get("undo"), "run", "later"))
                        .get("decided"));
        assertEquals(3, decide("ada", Map.of("undo", decided.get("undo"))).get("decided"));
        refresh();
        assertEquals(
                List.of(2, 3),
                List.of(
                        read(Map.of("decision", "open")).get("total"),
                        read(Map.of("decision", "open", "run", run)).get("total")));
    }

    public void testWhatProgramsDecidedIsInTheHistory() throws IOException {
        groups(1);
        Map<String, Object> group = groupsOf(read(Map.of())).getFirst();
        String id = (String) group.get("_id");
        Object member = ((Map<?, ?>) ((List<?>) source(group).get("members")).getFirst()).get("id");
        decide("ada", on(again(group), "decision", "accepted"));
        client().prepareUpdate(DEST, id)
                .setDoc("decision", "rejected", "decided_by", "robot")
                .get();
        decide("bob", on(again(group), "decision", "skipped"));
        client().prepareUpdate(DEST, id).setDoc("rejected", member).get();
        decide("eve", on(again(group), "judged", "right"));
        decide("eve", on(again(group), "judged", "wrong"));
        decide("bob", on(again(group), "decision", "accepted"));
        assertEquals(
                Arrays.asList(
                        "accepted ada null",
                        "rejected robot null",
                        "skipped bob null",
                        "skipped bob [" + member + "]",
                        "null eve null",
                        "null eve null",
                        "accepted bob null"),
                history(group).stream()
                        .map(entry ->
                                entry.get("decision") + " " + entry.get("decided_by") + " " + entry.get("rejected"))
                        .toList());
    }

    /** A value that anybody may have written. */
    public void testAClaimWithoutATimeIsNone() throws IOException {
        groups(2);
        Map<String, Object> batch = decide("ada", Map.of("batch", 2));
        client().prepareUpdate(DEST, (String) groupsOf(batch).getFirst().get("_id"))
                .setDoc("claimed_until", "2100-01-01")
                .get();
        List<Map<String, Object>> decisions = groupsOf(batch).stream()
                .map(group -> on(again(group), "decision", "accepted"))
                .toList();
        List<?> answers =
                (List<?>) decide("bob", Map.of("decisions", decisions)).get("decisions");
        assertEquals("bob", ((Map<?, ?>) answers.get(0)).get("decided_by"));
        assertEquals(409, ((Map<?, ?>) answers.get(1)).get("status"));
    }

    /** As an answer of groups: no more documents than that, but one group. */
    public void testABatchOfLargeGroupsIsSmall() throws IOException {
        groups(3);
        for (Map<String, Object> group : groupsOf(read(Map.of()))) {
            client().prepareUpdate(DEST, (String) group.get("_id"))
                    .setDoc("size", 30_000)
                    .get();
        }
        refresh();
        assertEquals(1, groupsOf(decide("ada", Map.of("batch", 2))).size());
    }

    /** As the page leaves a batch: nobody has decided anything. */
    public void testABatchIsGivenBack() throws IOException {
        groups(5);
        List<Object> batch = ids(decide("ada", Map.of("batch", 3)));
        decide("bob", Map.of("batch", 1));
        refresh();
        assertEquals(1, read(Map.of("claimed_by", "")).get("total"));
        Map<String, Object> typed = new HashMap<>(Map.of("query", Map.of("claimed_by", "ada", "decision", "open")));
        typed.put("decision", null);
        assertEquals(3, decide("ada", typed).get("decided"));
        for (Object id : batch) {
            Map<String, Object> free = source(Map.of("_id", id));
            assertNull(free.get("claimed_by"));
            assertNull(free.get("history"));
        }
        refresh();
        assertEquals(4, groupsOf(decide("eve", Map.of("batch", 5))).size());
    }
}
