/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.indices.stats.ShardStats;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.seqno.SeqNoStats;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.tasks.TaskInfo;

/** Jobs that start again and again, each where the last completed one was. */
public class ScheduledRunClusterTests extends HookedClusterTestCase {

    private static final String INDEX = "hourly";
    private static final String REPORT = "{\"dest\":{\"index\":\"hourly-groups\"},\"new_since\":\"last\"}";
    private static final String TAG =
            "{\"dest\":{\"index\":\"hourly-groups\"},\"new_since\":\"last\",\"action\":\"tag\"}";

    private void index(int shards) {
        // Of what is not yet on disk, copies are told only every 30 seconds.
        newIndex(
                INDEX,
                "{'properties': {}}",
                shards,
                1,
                "index.refresh_interval",
                -1,
                "index.translog.durability",
                "request");
    }

    /** Not refreshed. */
    private void put(String id, long bits) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("simhash", Map.of("bits", bits, "scheme", "v1-a")))
                .get();
    }

    private ActionFuture<JobResponse> start(String options, WritePace pace) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, options)) {
            return client().execute(
                            DeduplicateAction.INSTANCE,
                            DeduplicateAction.Request.fromXContent(new String[] {INDEX}, parser, pace));
        }
    }

    private JobResponse run(String options) throws IOException {
        return start(options, new WritePace(Float.POSITIVE_INFINITY, 50)).actionGet();
    }

    private static String since(JobResponse response) {
        String json = Strings.toString(MediaTypeRegistry.JSON, response);
        int at = json.indexOf("\"new_since\":\"");
        return at < 0 ? null : json.substring(at + 13, json.indexOf('"', at + 13));
    }

    public void testEachRunLooksAtWhatIsNewSinceTheLast() throws Exception {
        index(2);
        put("a", 0b1);
        put("b", 0b11);
        put("far", ~0L);
        awaitCheckpoints();
        JobResponse first = run(REPORT);
        assertEquals(1, first.count("groups"));
        assertNull(since(first));
        JobResponse second = run(REPORT);
        assertEquals(0, second.count("groups"));
        assertEquals(first.run(), since(second));
        put("c", 0b111);
        awaitCheckpoints();
        JobResponse third = run(REPORT);
        assertEquals(1, third.count("groups"));
        assertEquals(3, third.count("largest_group"));
        assertEquals(second.run(), since(third));
        put("far too", ~0L);
        awaitCheckpoints();
        JobResponse fourth = run(REPORT);
        assertEquals(1, fourth.count("groups"));
        assertEquals(2, fourth.count("largest_group"));
    }

    /** A write is answered a moment before the primary's global checkpoint has it; until then it would be new to two runs. */
    private void awaitCheckpoints() throws Exception {
        assertBusy(
                () -> {
                    for (ShardStats shard :
                            client().admin().indices().prepareStats(INDEX).get().getShards()) {
                        SeqNoStats numbers = shard.getSeqNoStats();
                        boolean isKnown = numbers.getMaxSeqNo() == numbers.getGlobalCheckpoint();
                        assertTrue(isKnown || shard.getShardRouting().primary() == false);
                    }
                    // A shard that is idle tells its copies every 30 seconds.
                },
                60,
                TimeUnit.SECONDS);
    }

    /** As a document that becomes visible late, it is not seen, and new to the next one. */
    public void testWhatIsWrittenDuringARunIsNewToTheNext() throws IOException {
        index(1);
        put("a", 0b1);
        put("b", ~0L);
        AtomicBoolean once = new AtomicBoolean();
        RequestHook.set(request -> {
            if (request instanceof PairsAction.Request && once.getAndSet(true) == false) {
                put("late", 0b11);
                refresh(INDEX);
            }
            return null;
        });
        assertEquals(0, run(REPORT).count("groups"));
        assertTrue("nothing was written meanwhile", once.get());
        assertEquals(1, run(REPORT).count("groups"));
    }

    public void testOneRunAtATimeAndTheNextStartsFromTheLastCompletedOne() throws Exception {
        index(1);
        for (int i = 0; i < 20; i++) {
            put("id" + i, 0b1);
        }
        ActionFuture<JobResponse> slow = start(TAG, new WritePace(1, 1));
        TaskInfo job = writingJob();
        Exception refused = expectThrows(Exception.class, () -> run(TAG));
        assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(refused));
        String message = ExceptionsHelper.unwrapCause(refused).getMessage();
        assertTrue(message, message.contains("task [" + job.getTaskId() + "] is at work"));
        client().admin()
                .cluster()
                .cancelTasks(new CancelTasksRequest().setTaskId(job.getTaskId()))
                .actionGet();
        expectThrows(Exception.class, slow::actionGet);
        JobResponse next = run(TAG);
        assertNull("the cancelled run is the last one", since(next));
        assertTrue(next.count("tagged") > 0);
        assertEquals(next.run(), since(run(TAG)));
    }

    /** Killed nodes give nothing back. */
    public void testARunThatDiedIsTakenOver() throws IOException {
        index(1);
        put("a", 0b1);
        JobResponse first = run(REPORT);
        Map<String, Object> stored =
                client().prepareGet("hourly-groups", "last_run").get().getSourceAsMap();
        @SuppressWarnings("unchecked")
        Map<String, Object> fields = (Map<String, Object>) stored.get("last_run");
        fields.put("running", Map.of("task", "a_node_that_was:7", "run", "dead"));
        client().prepareIndex("hourly-groups")
                .setId("last_run")
                .setSource(stored)
                .get();
        put("b", 0b1);
        JobResponse next = run(REPORT);
        assertEquals(first.run(), since(next));
        assertEquals(1, next.count("groups"));
    }

    public void testARunWithOtherOptionsLooksAtAll() throws IOException {
        index(1);
        put("a", 0b1);
        put("b", 0b11111);
        JobResponse first = run(REPORT);
        assertEquals(0, first.count("groups"));
        JobResponse wider = run(REPORT.replace("{\"dest\"", "{\"max_distance\":6,\"dest\""));
        assertEquals(1, wider.count("groups"));
        assertNull(since(wider));
        assertEquals(
                List.of("[new_since] last: the last run [" + first.run()
                        + "] into [hourly-groups] had other options, so this one looks at all documents"),
                wider.warnings());
    }

    /** What had too many words of its own may have few enough now, and what was too short may end. */
    public void testARunThatMayDeleteMoreLooksAtAll() throws IOException {
        index(1);
        put("a", 0b1);
        String delete = "{\"action\":\"delete\",\"verify\":false,\"archive\":false," + REPORT.substring(1);
        for (String more : List.of("\"max_own_words\":40", "\"short_texts\":true")) {
            JobResponse first = run(delete);
            assertEquals(first.run(), since(run(delete)));
            assertNull(more, since(run("{" + more + "," + delete.substring(1))));
        }
    }

    /** No pipeline of {@code dest} is for the documents of jobs. */
    public void testAPipelineOfItsDestForgetsNoRun() throws IOException {
        pipeline("none-of-it", "{'processors': [{'drop': {}}]}");
        newIndex("hourly-groups", "{}", 1, 0, "index.default_pipeline", "none-of-it");
        index(1);
        put("a", 0b1);
        JobResponse first = run(REPORT);
        assertEquals(List.of(), first.warnings());
        assertEquals(first.run(), since(run(REPORT)));
    }

    /** An index that is made again under its name is another one. */
    public void testANewIndexIsNew() throws IOException {
        index(1);
        put("a", 0b1);
        put("b", 0b1);
        put("c", 0b1);
        assertEquals(1, run(REPORT).count("groups"));
        assertTrue(client().admin().indices().prepareDelete(INDEX).get().isAcknowledged());
        index(1);
        put("a", 0b1);
        put("b", 0b1);
        assertEquals(1, run(REPORT).count("groups"));
    }
}
