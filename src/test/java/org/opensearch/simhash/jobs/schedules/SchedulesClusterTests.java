/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.After;
import org.junit.Before;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.HookedClusterTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.schedules.Schedule.Plan;
import org.opensearch.simhash.jobs.schedules.Schedule.Running;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.DeleteScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.GetSchedulesAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.PutScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.ScheduleRequest;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Schedules of three nodes, whose clocks are those of the tests. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class SchedulesClusterTests extends HookedClusterTestCase {

    private static final long DAY = TimeValue.timeValueDays(1).millis();
    private static final String NAME = "daily";
    private static final String JOB = "{'index':'texts','every':'1d','dest':{'index':'groups-docs'}}";

    private final List<Scheduler> schedulers = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();
    private CountDownLatch proceed = new CountDownLatch(0);

    @Before
    public void documentsAndSchedulers() {
        newIndex("texts", "{'properties': {}}", 1, 1);
        for (String id : List.of("a", "b")) {
            client().prepareIndex("texts")
                    .setId(id)
                    .setSource(Map.of("simhash", Map.of("bits", 7, "scheme", "v1-a")))
                    .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
                    .get();
        }
        internalCluster().getInstances(Scheduler.class).forEach(schedulers::add);
        proceed = new CountDownLatch(1);
        proceed.countDown();
        RequestHook.set(request -> {
            if (request instanceof DeduplicateAction.Request) {
                runs.incrementAndGet();
            }
            if (request instanceof PairsAction.Request) {
                await(proceed);
            }
            return null;
        });
    }

    @After
    public void noSchedule() throws Exception {
        proceed.countDown();
        for (String name : schedules().all().keySet()) {
            client().execute(DeleteScheduleAction.INSTANCE, new ScheduleRequest(name))
                    .actionGet();
        }
        schedulers.clear();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Schedules schedules() {
        return internalCluster().getInstance(Schedules.class);
    }

    private static Schedule stored() {
        return schedules().read(NAME);
    }

    private JsonResponse put(String body) throws IOException {
        return client().execute(PutScheduleAction.INSTANCE, request(NAME, body)).actionGet();
    }

    private PutScheduleAction.Request request(String name, String body) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, new BytesArray(body.replace('\'', '"')))) {
            Plan plan = Plan.fromXContent(parser, new WritePace(1_000, 10));
            return new PutScheduleAction.Request(name, plan, plan.request(xContentRegistry()));
        }
    }

    /** All nodes at once, by clocks that agree. */
    private void tick(long now) throws Exception {
        CyclicBarrier start = new CyclicBarrier(schedulers.size());
        List<Thread> threads = new ArrayList<>();
        List<Exception> failures = new ArrayList<>();
        for (Scheduler scheduler : schedulers) {
            threads.add(new Thread(() -> {
                try {
                    start.await();
                    scheduler.tick(now);
                } catch (Exception e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
    }

    private Schedule ended() throws Exception {
        assertBusy(() -> assertNull(stored().running()));
        return stored();
    }

    public void testOneNodeRunsWhatIsDue() throws Exception {
        put(JOB);
        proceed = new CountDownLatch(1);
        long now = stored().next();
        tick(now - 1);
        assertEquals(0, runs.get());
        tick(now);
        Schedule running = stored();
        assertNotNull(running.running().task());
        assertEquals(now + DAY, running.next());
        assertTrue(
                client()
                        .admin()
                        .cluster()
                        .prepareListTasks()
                        .setActions(DeduplicateAction.NAME)
                        .get()
                        .getTasks()
                        .stream()
                        .anyMatch(task -> task.getTaskId()
                                        .toString()
                                        .equals(running.running().task())
                                && task.getHeaders().containsValue("simhash-schedule-" + NAME)));
        tick(now + 5 * DAY); // It is still at work.
        proceed.countDown();
        Schedule ended = ended();
        assertEquals(1, runs.get());
        assertEquals(Schedule.COMPLETED, ended.last().get("result"));
        assertEquals(1, ended.last().get("groups"));
        assertEquals(Schedule.millis(ended.last(), "ended_at"), ended.completed());
        assertEquals(
                1,
                client().prepareSearch("groups-docs")
                        .setSize(0)
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    public void testMissedRunsAreCaughtUpOnce() throws Exception {
        put(JOB);
        long first = stored().next();
        tick(first);
        ended();
        tick(first + 5 * DAY + 7);
        Schedule caughtUp = ended();
        assertEquals(2, runs.get());
        assertEquals(4, caughtUp.missed());
        assertEquals(first + 6 * DAY, caughtUp.next());
        tick(first + 6 * DAY - 1);
        assertEquals(2, runs.get());
        tick(first + 6 * DAY);
        assertEquals(4, ended().missed());
        assertEquals(3, runs.get());
    }

    public void testARunWhoseNodeEndedIsRepeatedOnce() throws Exception {
        put(JOB);
        long now = stored().next();
        tick(now);
        long next = ended().next();
        schedules().change(NAME, there -> there.started(new Running("x", "gone", "node", null, now, true)));
        // As if the first of them had never been told.
        schedules()
                .change(
                        NAME,
                        there -> new Schedule(
                                there.plan(),
                                there.by(),
                                there.at(),
                                next,
                                0,
                                there.completed(),
                                new Running("x", "gone", "node", null, now, false),
                                there.last()));
        tick(now + 1);
        assertTrue(stored().running() == null || stored().running().isRepeated());
        Schedule repeated = ended();
        assertEquals(2, runs.get());
        assertEquals(Schedule.COMPLETED, repeated.last().get("result"));
        assertEquals("a repeated run is none of the next day", next, repeated.next());
        schedules().change(NAME, there -> there.started(new Running("y", "gone", "node", null, now, true)));
        tick(now + 2);
        Schedule given = ended();
        assertEquals(2, runs.get());
        assertEquals(Schedule.INTERRUPTED, given.last().get("result"));
        assertEquals(repeated.completed(), given.completed());
        tick(next);
        assertEquals(Schedule.COMPLETED, ended().last().get("result"));
        forgetWarningsOf("org.opensearch.simhash.jobs.schedules.");
    }

    private void loseClusterManager() throws Exception {
        ClusterState state = clusterService().state();
        ClusterState alone = ClusterState.builder(state)
                .nodes(DiscoveryNodes.builder(state.nodes()).clusterManagerNodeId(null))
                .build();
        schedulers.forEach(scheduler -> scheduler.clusterChanged(new ClusterChangedEvent("test", alone, state)));
        proceed.countDown();
        assertBusy(() -> assertEquals("", stored().times().process()));
    }

    /** Also if the node stays, as when there is another cluster manager a moment later. */
    public void testARunWhoseNodeSeesNoClusterManagerIsRepeatedOnce() throws Exception {
        put(JOB);
        proceed = new CountDownLatch(1);
        long now = stored().next();
        tick(now);
        Schedule running = stored();
        loseClusterManager();
        assertEquals(running.with("", running.running().task()), stored());
        tick(now + 1);
        Schedule repeated = ended();
        assertEquals(2, runs.get());
        assertEquals(Schedule.COMPLETED, repeated.last().get("result"));
        assertEquals("a repeated run is none of the next day", now + DAY, repeated.next());
        proceed = new CountDownLatch(1);
        tick(now + DAY);
        loseClusterManager();
        proceed = new CountDownLatch(1);
        tick(now + DAY + 1);
        loseClusterManager();
        tick(now + DAY + 2);
        Schedule given = ended();
        assertEquals(4, runs.get());
        assertEquals(Schedule.INTERRUPTED, given.last().get("result"));
        assertEquals(now + 2 * DAY, given.next());
        forgetWarningsOf("org.opensearch.simhash.jobs.schedules.");
    }

    public void testTheEndOfARunIsStoredLaterIfItCannotBeNow() throws Exception {
        put(JOB);
        proceed = new CountDownLatch(1);
        long now = stored().next();
        tick(now);
        CountDownLatch refused = new CountDownLatch(1);
        RequestHook.set(request -> {
            if (request instanceof IndexRequest write
                    && write.index().equals(Schedules.INDEX)
                    && refused.getCount() > 0) {
                refused.countDown();
                throw new IllegalStateException("as told");
            }
            return null;
        });
        proceed.countDown();
        await(refused);
        assertNotNull(stored().running());
        tick(now + 1);
        assertEquals(Schedule.COMPLETED, ended().last().get("result"));
    }

    public void testARunThatFailsIsShown() throws Exception {
        put(JOB);
        client().admin().indices().prepareDelete("texts").get();
        tick(stored().next());
        Schedule ended = ended();
        assertEquals(Schedule.FAILED, ended.last().get("result"));
        assertTrue("" + ended.last(), ((String) ended.last().get("error")).contains("no such index [texts]"));
    }

    public void testReplacedAndRemovedDuringARun() throws Exception {
        put(JOB);
        proceed = new CountDownLatch(1);
        long now = stored().next();
        tick(now);
        Map<String, Object> other = put(JOB.replace("1d", "2d")).asMap();
        assertEquals("2d", other.get("every"));
        assertNotNull(other.get("running"));
        tick(now + DAY);
        assertEquals(1, runs.get());
        client().execute(DeleteScheduleAction.INSTANCE, new ScheduleRequest(NAME))
                .actionGet();
        proceed.countDown();
        assertBusy(() -> assertEquals(
                List.of(),
                client().admin()
                        .cluster()
                        .prepareListTasks()
                        .setActions(DeduplicateAction.NAME)
                        .get()
                        .getTasks()));
        tick(now + 2 * DAY);
        assertNull(stored());
        expectThrows(
                ResourceNotFoundException.class,
                () -> client().execute(DeleteScheduleAction.INSTANCE, new ScheduleRequest(NAME))
                        .actionGet());
    }

    public void testWhatIsShown() throws Exception {
        Map<String, Object> shown = new HashMap<>(put(JOB).asMap());
        assertEquals(shown, one());
        assertNotNull(shown.remove("created_at"));
        assertNotNull(shown.remove("next_run"));
        assertEquals(
                Map.of(
                        "name",
                        NAME,
                        "index",
                        List.of("texts"),
                        "every",
                        "1d",
                        "job",
                        Map.of("dest", Map.of("index", "groups-docs")),
                        "requests_per_second",
                        1_000.0,
                        "missed_runs",
                        0),
                withoutNull(shown));
    }

    private static Map<String, Object> withoutNull(Map<String, Object> fields) {
        fields.values().removeIf(value -> value == null);
        return fields;
    }

    private static Map<String, Object> one() {
        return client().execute(GetSchedulesAction.INSTANCE, new ScheduleRequest(NAME))
                .actionGet()
                .asMap();
    }

    public void testWhatAJobRefusesIsRefused() throws Exception {
        refused("[every] must be between 1d and 365d, got: 23h", JOB.replace("1d", "23h"));
        refused("[every] must be between 1d and 365d, got: 366d", JOB.replace("1d", "366d"));
        refused("[every] must be a time such as 1h, got: 3", JOB.replace("'1d'", "3"));
        refused("[every] must be a time such as 1h, got: null", "{'index':'texts','dest':{'index':'groups-docs'}}");
        refused(
                "[index] must name an index, an alias or a pattern (_all for all indices), got: ",
                "{'every':'1d','dest':{'index':'groups-docs'}}");
        refused("[index] must be a string or a list of strings, got: 3", JOB.replace("'texts'", "3"));
        refused(
                "[dest] must be given in a schedule: it keeps what its runs find, got: null",
                "{'index':'texts','every':'1d'}");
        refused(
                "[max_distance] must be between 0 and 64, got: 70",
                JOB.replace("'every'", "'max_distance':70,'every'"));
        refused(
                "[every] must be the time between two runs, as in 1h, in place of a [cron], got: 0 * * * *",
                JOB.replace("'every':'1d'", "'cron':'0 * * * *'"));
        refused("no such index [none]", JOB.replace("'texts'", "'none'"));
        refused("[dest] must not be one of the deduplicated indices, got: texts", JOB.replace("groups-docs", "texts"));
        refused(
                "[field] must be the object that the [simhash] processor writes, but [print.bits] is not mapped in [texts]"
                        + ": map it, and set a pipeline; POST /_plugins/_simhash/setup/texts {\"target_field\": \"print\"} does it",
                JOB.replace("'every'", "'field':'print','every'"));
        refused(
                "no such index [none]",
                JOB.replace(
                        "'every'", "'candidates':{'index':'none','field':'ids'},'verify':{'field':'text'},'every'"));
        newIndex("shared", "{'properties': {'passages': {'properties': {'terms': {'type': 'keyword'}}}}}", 1, 1);
        refused(
                "no ingest pipeline with a [passages] processor for field [passages] found for [shared]: set [pipeline], or"
                        + " [index.default_pipeline] of the index; POST /_plugins/_simhash/setup/shared {\"sketch\": \"passages\"}"
                        + " does it",
                JOB.replace("texts", "shared").replace("'every'", "'sketch':'passages','every'"));
        assertNull(stored());
    }

    /** Of what is read and written, as the job does. */
    public void testWhatIsCheckedIsTheJobThatWillRun() throws Exception {
        String print = "'fp': {'properties': {'bits': {'type': 'long'}, 'digest': {'type': 'keyword'},"
                + " 'scheme': {'type': 'keyword'}}}";
        newIndex("titled", "{'properties': {'title': {'type': 'keyword'}, " + print + "}}", 1, 1);
        put(JOB.replace("texts", "titled"));
        assertNotNull("its only fingerprint is compared", stored());
        newIndex("groups-docs", "{'properties': {}}", 1, 1);
        refused(
                "[dest] must not be one of the deduplicated indices, got: groups-docs",
                JOB.replace("'every'", "'against':{'index':'groups-docs'},'every'"));
        newIndex("others", "{'properties': {" + print + "}}", 1, 1);
        refused(
                "[same] must name mapped fields, but [title] is not mapped in [others]",
                JOB.replace("texts", "titled")
                        .replace("'every'", "'against':{'index':'others'},'same':['title'],'every'"));
        refused("no such index [none*]", JOB.replace("'every'", "'against':{'index':'none*'},'every'"));
        pipeline("titles", "{'processors': [{'simhash': {'field': 'title', 'target_field': 'fp'}}]}");
        client().admin()
                .indices()
                .prepareUpdateSettings("titled")
                .setSettings(Map.of("index.default_pipeline", "titles"))
                .get();
        refused(
                "[merge] must name fields that are not compared, got: [title], which is part of the text",
                JOB.replace("texts", "titled")
                        .replace("'every'", "'action':'tag','merge':['title'],'archive':false,'every'"));
    }

    /** What is large would be read and written again with each run. */
    public void testALargeScheduleIsRefused() throws Exception {
        String ids = "'x'" + ",'x'".repeat(17_000);
        String body = JOB.replace("'every'", "'query':{'terms':{'_id':[" + ids + "]}},'every'");
        refused("[body] of a schedule must have at most 65536 bytes, got: 68132", body);
        put(JOB.replace("'every'", "'query':{'terms':{'_id':[" + "'x'" + ",'x'".repeat(1_000) + "]}},'every'"));
        refused("[body] of a schedule must have at most 65536 bytes, got: 68132", body);
    }

    public void testMoreSchedulesThanThereMayBeAreRefused() throws Exception {
        put(JOB);
        Map<String, Object> first =
                client().prepareGet(Schedules.INDEX, NAME).get().getSourceAsMap();
        BulkRequestBuilder others = client().prepareBulk();
        for (int i = 1; i < Schedules.MOST; i++) {
            others.add(new IndexRequest(Schedules.INDEX).id("s" + i).source(first));
        }
        assertFalse(others.get().hasFailures());
        assertEquals(Schedules.MOST, schedules().all().size());
        put(JOB.replace("1d", "2d")); // None more.
        IllegalArgumentException full = expectThrows(
                IllegalArgumentException.class, () -> schedules().change("more", there -> Schedule.of(first)));
        assertEquals("[name] must be one of at most 1000 schedules, got: more", full.getMessage());
        assertEquals(Schedules.MOST, schedules().all().size());
        List<?> shown = (List<?>) client().execute(GetSchedulesAction.INSTANCE, new ScheduleRequest(null))
                .actionGet()
                .asMap()
                .get("schedules");
        assertEquals(Schedules.MOST, shown.size());
        assertEquals(NAME, ((Map<?, ?>) shown.getFirst()).get("name"));
        proceed = new CountDownLatch(1);
        tick(Schedule.of(first).next());
        assertEquals(Scheduler.MOST_AT_WORK, runs.get());
        tick(Schedule.of(first).next());
        assertEquals("others wait", Scheduler.MOST_AT_WORK, runs.get());
        proceed.countDown();
        assertBusy(() -> assertTrue(schedules().all().values().stream().allMatch(times -> times.process() == null)));
        BulkRequestBuilder none = client().prepareBulk();
        schedules().all().keySet().forEach(name -> none.add(new DeleteRequest(Schedules.INDEX, name)));
        assertFalse(none.get().hasFailures());
    }

    /** Nothing is read while nothing changes, and a change writes one document. */
    public void testALookReadsWhatHasChanged() throws Exception {
        put(JOB);
        client().execute(PutScheduleAction.INSTANCE, request("other", JOB)).actionGet();
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        RequestHook.set(request -> {
            if (request instanceof GetRequest get && get.index().equals(Schedules.INDEX)) {
                asked.add("get " + get.id());
            } else if (request instanceof SearchRequest search
                    && List.of(search.indices()).equals(List.of(Schedules.INDEX))) {
                asked.add("search, source: " + search.source().fetchSource().fetchSource());
            } else if (request instanceof IndexRequest write && write.index().equals(Schedules.INDEX)) {
                asked.add("write " + write.id());
            }
            return null;
        });
        long now = Math.min(stored().next(), schedules().read("other").next());
        asked.clear();
        tick(now - 1);
        assertEquals(List.of("search, source: false"), asked);
        asked.clear();
        tick(now - 1);
        tick(now - 1);
        assertEquals(List.of(), asked);
        put(JOB.replace("1d", "2d"));
        assertEquals(List.of("get " + NAME, "write " + NAME), asked);
    }

    private void refused(String message, String body) {
        Exception e = expectThrows(Exception.class, () -> put(body));
        assertEquals(message, ExceptionsHelper.unwrapCause(e).getMessage());
        assertNotEquals(RestStatus.INTERNAL_SERVER_ERROR, ExceptionsHelper.status(e));
    }

    public void testStoredAsItIs() {
        Consumer<Schedule> stored = schedule -> {
            schedules().change(NAME, there -> schedule);
            assertEquals(schedule, stored());
        };
        Plan plan = new Plan(List.of("a", "b*"), TimeValue.timeValueHours(7), Map.of("field", "x"), WritePace.of(-1));
        Schedule schedule = Schedule.of(plan, new org.opensearch.simhash.jobs.request.Caller("ann", "x,y"), 1L);
        stored.accept(schedule);
        stored.accept(schedule.started(new Running("claim", "process", "node", "task:1", 12, false)));
        stored.accept(schedule.started(new Running("claim", "", "node", "task:1", 12, true)));
        stored.accept(schedule.ended(Schedule.lastRun(Schedule.FAILED, null, 1, 2, null, "why")));
        stored.accept(schedule.ended(Schedule.lastRun(Schedule.COMPLETED, "run", 1L << 40, 1L << 41, 3, null)));
        schedules().change(NAME, there -> null);
    }
}
