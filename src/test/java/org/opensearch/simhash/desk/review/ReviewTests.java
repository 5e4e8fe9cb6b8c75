/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.RestUtils;
import org.opensearch.simhash.desk.door.HtmlPage;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;

/** What the page asks for and sends. */
public class ReviewTests extends DeletingTestCase {

    private static final String DEST = "groups";
    private static final String OPTIONS = "{\"dest\":{\"index\":\"groups\"}}";

    private record Group(String index, String id, long sequenceNumber, long primaryTerm) {

        Group(Map<?, ?> read) {
            this((String) read.get("_index"), (String) read.get("_id"), (Integer) read.get("_seq_no"), (Integer)
                    read.get("_primary_term"));
        }
    }

    /** What the page reads. */
    private record Page(Map<String, Object> read) {

        String run() {
            return (String) read.get("run");
        }

        List<Map<?, ?>> runs() {
            return objects("runs");
        }

        Map<?, ?> uuids() {
            return (Map<?, ?>) read.get("uuids");
        }

        List<Group> groups() {
            return objects("groups").stream().map(Group::new).toList();
        }

        String next() {
            return (String) read.get("next");
        }

        @SuppressWarnings("unchecked")
        private List<Map<?, ?>> objects(String name) {
            return (List<Map<?, ?>>) read.get(name);
        }
    }

    private Page groups(GroupChoice choice) {
        return groups(DEST, choice);
    }

    private Page groups(String dest, GroupChoice choice) {
        return new Page(client().execute(GroupsAction.INSTANCE, new GroupsAction.Request(dest, choice, null, null))
                .actionGet()
                .asMap());
    }

    private Map<String, Object> decide(Map<String, Object> typed) throws IOException {
        return client().execute(DecideAction.INSTANCE, new DecideAction.Request(DEST, typed))
                .actionGet()
                .asMap();
    }

    private static Map<String, Object> decision(Group group, Object decision) {
        Map<String, Object> typed = new HashMap<>();
        typed.put("index", group.index());
        typed.put("group", group.id());
        typed.put("if_seq_no", group.sequenceNumber());
        typed.put("if_primary_term", group.primaryTerm());
        typed.put("decision", decision);
        return typed;
    }

    private Map<String, Object> stored(Group group) {
        return client().prepareGet(group.index(), group.id()).get().getSourceAsMap();
    }

    public void testTheNewestRunComesFirstAndDoubtfulGroupsBeforeOthers() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        List<String> ids = new ArrayList<>();
        double[] similarities = {0.9, 0.7, 0.7, 0.95, 0.7};
        int[] distances = {1, 2, 5, 1, 2};
        for (int i = 0; i < similarities.length; i++) {
            put("later", "g" + i, similarities[i], distances[i], i + 2).get();
        }
        client().admin().indices().prepareRefresh(DEST).get();
        String after = null;
        do {
            Page page = groups(all(after == null ? null : "later", after, randomFrom(1, 2, 5)));
            assertEquals("later", page.run());
            assertEquals("only with the first page", after == null, page.runs() != null);
            page.groups().forEach(group -> ids.add(group.id()));
            after = page.next();
        } while (after != null);
        assertEquals(List.of("g2", "g1", "g4", "g0", "g3"), ids);
        List<Map<?, ?>> runs = groups(all(null, null, 20)).runs();
        assertEquals(2, runs.size());
        assertEquals(5, runs.getFirst().get("groups"));
        GroupChoice some = GroupChoice.of(Map.of(
                "decision", "open", "min_similarity", 0.7, "max_similarity", 0.92, "min_size", 3, "max_size", 4));
        assertEquals(
                List.of("g2", "g1"),
                groups(some).groups().stream().map(Group::id).toList());
        assertEquals(2, groups(some).read().get("total"));
        assertEquals(5, groups(all("later", null, 1)).read().get("total"));
    }

    private IndexRequestBuilder put(String run, String id, double similarity, int distance, int size) {
        Map<String, Object> source = new HashMap<>();
        source.put("run", run);
        source.put("run_at", "2100-01-01T00:00:00Z");
        source.put("group", id);
        source.put("size", size);
        source.put("lowest_similarity", similarity);
        source.put("largest_distance", distance);
        source.put("survivor", Map.of("index", INDEX, "id", "1"));
        source.put("members", List.of(Map.of("index", INDEX, "id", "2")));
        source.put("parameters", Map.of("field", "simhash", "verify", Map.of("field", "text")));
        return client().prepareIndex(DEST).setId(id).setSource(source);
    }

    /** Beside more runs than are listed. */
    public void testAnOldRunIsFound() throws IOException {
        fill(Settings.EMPTY);
        String first = run(OPTIONS, Float.POSITIVE_INFINITY, 100).run();
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < 100; i++) {
            bulk.add(put("later-" + i, "g" + i, 0.9, 1, 2));
        }
        assertFalse(bulk.get().hasFailures());
        assertEquals(100, groups(all(null, null, 20)).runs().size());
        Page old = groups(all(first, null, 20));
        assertEquals(2, old.groups().size());
        assertEquals(101, old.runs().size());
        assertEquals(first, old.runs().getLast().get("run"));
        assertEquals(
                2,
                decide(Map.of("query", Map.of("run", first), "decision", "accepted"))
                        .get("decided"));
        assertEquals(
                "[run] must be a run that has groups in [" + DEST + "], got: nosuch",
                expectThrows(ResourceNotFoundException.class, () -> groups(all("nosuch", null, 20)))
                        .getMessage());
    }

    public void testGroupsSayWhatIsNeededToShowThem() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        Page page = groups(all(null, null, 20));
        assertEquals(2, page.groups().size());
        assertEquals("simhash", page.read().get("field"));
        Page first = groups(all(null, null, 1));
        Page second = groups(all(first.run(), first.next(), 1));
        assertNotEquals(
                "they have no similarity to be ordered by",
                first.groups().getFirst().id(),
                second.groups().getFirst().id());
        assertEquals("nobody knows what was compared", List.of(), page.read().get("text"));
        Map<?, ?> survivor = (Map<?, ?>) stored(page.groups().getFirst()).get("survivor");
        assertEquals(survivor.get("index_uuid"), page.uuids().get(INDEX));
        put("later", "g", 0.5, 1, 2).setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
        assertEquals(List.of("text"), groups(all(null, null, 20)).read().get("text"));
    }

    public void testADecisionIsStoredOnceAndTheSecondReviewerLearnsOfIt() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        Group group = groups(all(null, null, 20)).groups().getFirst();
        Map<?, ?> survivor = (Map<?, ?>) stored(group).get("survivor");
        Map<?, ?> member = (Map<?, ?>) ((List<?>) stored(group).get("members")).getFirst();
        Map<String, Object> accepted = decision(group, "accepted");
        accepted.put("rejected", List.of(member.get("id")));
        accepted.put("chosen_survivor", Map.of("index", INDEX, "id", survivor.get("id")));
        ThreadContext context = client().threadPool().getThreadContext();
        ThreadContext.StoredContext before = context.stashContext();
        context.putTransient(Caller.INFO, "ada|roles|tenant");
        Map<String, Object> first = decide(accepted);
        before.restore();
        assertTrue((Integer) first.get("_seq_no") > group.sequenceNumber());
        assertEquals("ada", first.get("decided_by"));
        assertEquals("accepted", stored(group).get("decision"));
        assertEquals("ada", stored(group).get("decided_by"));
        assertEquals(List.of(member.get("id")), stored(group).get("rejected"));
        VersionConflictEngineException conflict =
                expectThrows(VersionConflictEngineException.class, () -> decide(decision(group, "rejected")));
        assertEquals(RestStatus.CONFLICT, conflict.status());
        assertEquals("accepted", stored(group).get("decision"));
        client().admin().indices().prepareRefresh(DEST).get();
        Page again = groups(GroupChoice.of(Map.of("decision", "accepted")));
        assertEquals(1, again.runs().getFirst().get("accepted"));
        decide(decision(again.groups().getFirst(), null));
        assertNull(stored(group).get("decision"));
        assertNull(stored(group).get("decided_by"));
        assertNull(stored(group).get("chosen_survivor"));
        assertNull(stored(group).get("rejected"));
    }

    public void testAFilterThatNoGroupCanMeetIsRefused() {
        for (Map.Entry<String, String> wrong : Map.of(
                        "min_similarity=7", "[min_similarity] must be a number between 0 and 1, got: 7",
                        "max_similarity=NaN", "[max_similarity] must be a number between 0 and 1, got: NaN",
                        "size=101", "[size] must be between 1 and 100, got: 101",
                        "min_size=-1", "[min_size] must be a number of at least 0, got: -1",
                        "max_size=many", "[max_size] must be a number of at least 0, got: many",
                        "min_size=5&max_size=2", "[min_size] must be at most [max_size], got: 5 and 2")
                .entrySet()) {
            Map<String, String> typed = new HashMap<>();
            RestUtils.decodeQueryString(wrong.getKey(), 0, typed);
            RestRequest request = new FakeRestRequest.Builder(xContentRegistry())
                    .withParams(typed)
                    .build();
            Exception e = expectThrows(IllegalArgumentException.class, () -> GroupChoice.read(request, false));
            assertEquals(wrong.getValue(), e.getMessage());
        }
    }

    public void testADecisionAboutSomethingElseIsRefused() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        Group group = groups(all(null, null, 20)).groups().getFirst();
        assertRefused(
                "[decision] must be one of [accepted, rejected, skipped] or null, got: maybe",
                group,
                "decision",
                "maybe");
        assertRefused(
                "[rejected] must be ids of members of the group other than its survivor, got: none",
                group,
                "rejected",
                List.of("none"));
        Map<?, ?> survivor = (Map<?, ?>) stored(group).get("survivor");
        assertRefused(
                "[rejected] must be ids of members of the group other than its survivor, got: " + survivor.get("id"),
                group,
                "rejected",
                List.of(survivor.get("id")));
        Map<?, ?> member = (Map<?, ?>) ((List<?>) stored(group).get("members")).getFirst();
        Map<String, Object> chosen =
                with(group, "chosen_survivor", Map.of("index", member.get("index"), "id", member.get("id")));
        chosen.put("rejected", List.of(member.get("id")));
        expectThrows(IllegalArgumentException.class, () -> decide(chosen));
        assertRefused("[rejected] must be a list of ids, got: [7]", group, "rejected", List.of(7));
        assertRefused(
                "[chosen_survivor] must be an object with [index] and [id], and [routing] where there is one, got: 7",
                group,
                "chosen_survivor",
                7);
        Exception other = expectThrows(
                IllegalArgumentException.class,
                () -> decide(with(group, "chosen_survivor", Map.of("index", INDEX, "id", "none"))));
        assertTrue(
                other.getMessage(),
                other.getMessage().startsWith("[chosen_survivor] must be a document of the group, "));
        assertRefused("[index] must be one of the indices of [groups], got: copies", group, "index", INDEX);
        assertRefused("[if_seq_no] must be a whole number, got: 1.5", group, "if_seq_no", 1.5);
        assertRefused("unknown option [decisoin]", group, "decisoin", "accepted");
        expectThrows(ResourceNotFoundException.class, () -> decide(with(group, "group", "none")));
        assertNull(stored(group).get("decision"));
    }

    public void testManyDecisionsHaveAnAnswerEach() throws IOException {
        fill(Settings.EMPTY);
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        List<Group> groups = groups(all(null, null, 20)).groups();
        Map<String, Object> stale = decision(groups.getFirst(), "accepted");
        decide(stale);
        List<Map<String, Object>> all = new ArrayList<>();
        groups.forEach(group -> all.add(decision(group, "accepted")));
        all.add(with(groups.getLast(), "group", "none"));
        all.add(with(groups.getLast(), "index", INDEX));
        all.add(with(groups.getLast(), "rejected", List.of("none")));
        // A decision about a group that an earlier one of the request has decided.
        all.add(decision(groups.getLast(), "rejected"));
        List<?> answers = (List<?>) decide(Map.of("decisions", all)).get("decisions");
        List<Object> statuses = new ArrayList<>();
        answers.forEach(answer -> statuses.add(((Map<?, ?>) answer).get("status")));
        List<Object> expected = new ArrayList<>(Collections.nCopies(groups.size(), null));
        expected.set(0, 409);
        expected.addAll(List.of(404, 400, 400, 409));
        assertEquals(answers.toString(), expected, statuses);
        Map<?, ?> last = (Map<?, ?>) answers.get(groups.size() - 1);
        assertEquals("accepted", stored(groups.getLast()).get("decision"));
        assertEquals(groups.getLast().id(), last.get("_id"));
        Map<String, Object> error = cast(((Map<?, ?>) answers.get(groups.size() + 2)).get("error"));
        assertEquals(
                "[rejected] must be ids of members of the group other than its survivor, got: none",
                error.get("reason"));
        // Taken back with what the answers say.
        Map<String, Object> back = decision(groups.getLast(), null);
        back.put("if_seq_no", last.get("_seq_no"));
        decide(Map.of("decisions", List.of(back)));
        assertNull(stored(groups.getLast()).get("decision"));
        for (Object wrong : List.of(List.of(), Collections.nCopies(1_001, stale), List.of(7), Map.of())) {
            Exception e = expectThrows(IllegalArgumentException.class, () -> decide(Map.of("decisions", wrong)));
            assertTrue(e.getMessage(), e.getMessage().startsWith("[decisions] must be "));
        }
        Map<String, Object> maybe = with(groups.getLast(), "decision", "maybe");
        expectThrows(IllegalArgumentException.class, () -> decide(Map.of("decisions", List.of(back, maybe))));
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> cast(Object object) {
        return (Map<String, Object>) object;
    }

    private static Map<String, Object> with(Group group, String option, Object value) {
        Map<String, Object> typed = decision(group, "accepted");
        typed.put(option, value);
        return typed;
    }

    private void assertRefused(String message, Group group, String option, Object value) {
        assertEquals(
                message,
                expectThrows(IllegalArgumentException.class, () -> decide(with(group, option, value)))
                        .getMessage());
    }

    public void testWhatIsNoGroupIsSaidInWords() throws IOException {
        fill(Settings.EMPTY);
        GroupChoice any = all(null, null, 20);
        expectThrows(IndexNotFoundException.class, () -> groups("gone", any));
        Exception none = expectThrows(IllegalArgumentException.class, () -> groups(INDEX, any));
        assertEquals(
                "[dest] must be an index that a job wrote its groups into, got: copies, which does not map [run]",
                none.getMessage());
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        Exception run = expectThrows(ResourceNotFoundException.class, () -> groups(all("other", null, 20)));
        assertEquals("[run] must be a run that has groups in [groups], got: other", run.getMessage());
        Exception after = expectThrows(IllegalArgumentException.class, () -> groups(all("x", "eA", 20)));
        assertEquals("[after] must be the [next] of an answer, got: eA", after.getMessage());
        Exception decision =
                expectThrows(IllegalArgumentException.class, () -> GroupChoice.of(Map.of("decision", "maybe")));
        assertEquals(
                "[decision] must be one of [open, accepted, rejected, skipped], got: maybe", decision.getMessage());
    }

    public void testAnIndexWithoutGroupsYetHasNone() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        run(OPTIONS, Float.POSITIVE_INFINITY, 100);
        Page page = groups(all(null, null, 20));
        assertNull(page.run());
        assertEquals(List.of(), page.groups());
    }

    public void testNamesOfUsers() {
        ThreadContext context = new ThreadContext(Settings.EMPTY);
        assertNull(Caller.of(context).name());
        context.putTransient(Caller.INFO, "a\\|b|role,other|tenant");
        assertEquals("a|b", Caller.of(context).name());
    }

    private static Endpoint page() {
        return new Endpoint("GET review/{dest}", "dest", "review", HtmlPage::review);
    }

    public void testTheAnswerForbidsWhatThePageDoesNotNeed() throws Exception {
        Map<String, String> parameters =
                new HashMap<>(Map.of("dest", "groups", "run", "r", "text", "a,b", "decision", "open"));
        FakeRestRequest request = new FakeRestRequest.Builder(xContentRegistry())
                .withParams(parameters)
                .build();
        FakeRestChannel channel = new FakeRestChannel(request, true, 0);
        page().handleRequest(request, channel, null);
        RestResponse response = channel.capturedResponse();
        assertEquals(RestStatus.OK, response.status());
        assertEquals("text/html; charset=UTF-8", response.contentType());
        Map<String, List<String>> headers = response.getHeaders();
        String policy = headers.get("Content-Security-Policy").getFirst();
        for (String part : List.of(
                "default-src 'none'",
                "connect-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
                "require-trusted-types-for 'script'")) {
            assertTrue(policy, policy.contains(part));
        }
        assertEquals(List.of("nosniff"), headers.get("X-Content-Type-Options"));
    }

    public void testThePageIsSmall() {
        HtmlPage page = HtmlPage.REVIEW;
        int live = page.html().getBytes(StandardCharsets.UTF_8).length;
        assertTrue("bytes: " + live, live <= 128_000);
    }

    public void testThePolicyAllowsWhatIsInThePageAndNothingElse() {
        HtmlPage page = HtmlPage.REVIEW;
        assertTrue(page.policy(), page.policy().startsWith("default-src 'none'; script-src 'sha256-"));
        assertFalse(page.policy(), page.policy().contains("unsafe"));
        assertFalse("everything is filled in", page.html().contains("{{"));
        assertFalse(page.html(), page.html().contains("http://") || page.html().contains("https://"));
    }

    private static GroupChoice all(String run, String after, int size) {
        return new GroupChoice(run, null, null, null, null, null, null, null, null, null, null, after, size, null);
    }
}
