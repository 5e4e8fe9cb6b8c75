/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardState;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.untag.UntagAction;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.NodeDisconnectedException;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** A point in time lives until it is closed, however long nobody searches in it. */
public class PointInTimeTests extends OpenSearchSingleNodeTestCase {

    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueSeconds(4);

    private static final Retries ONCE = new Retries(() -> {}, BackoffPolicy.noBackoff());

    private final AtomicInteger searches = new AtomicInteger();

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class);
    }

    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put(super.nodeSettings())
                .put(SearchService.KEEPALIVE_INTERVAL_SETTING.getKey(), "100ms")
                .put(SearchService.DEFAULT_KEEPALIVE_SETTING.getKey(), KEEP_ALIVE)
                .put("point_in_time.init.keep_alive", "4s")
                .put(SearchService.MAX_PIT_KEEPALIVE_SETTING.getKey(), "5m")
                .build();
    }

    private Client counting() {
        return new FilterClient(client()) {
            @Override
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                searches.addAndGet(request instanceof SearchRequest ? 1 : 0);
                super.doExecute(action, request, listener);
            }
        };
    }

    public void testLivesNoLongerAtATimeThanTheClusterAllows() {
        PointInTime held = held();
        PointInTime other =
                new PointInTime(held.id(), client(), getInstanceFromNode(NamedWriteableRegistry.class), ONCE);
        assertEquals(0, held.count(QueryBuilders.matchAllQuery()));
        assertEquals(0, other.count(QueryBuilders.matchAllQuery()));
        held.close();
    }

    /** As after a node was away, or a replica fell behind. */
    public void testLetsGoOfAShardThatIsOpenedAgain() throws Exception {
        PointInTime held = held();
        failTheShard();
        Exception e = expectThrows(OpenSearchStatusException.class, () -> held.count(QueryBuilders.matchAllQuery()));
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(e));
        held.close();
    }

    /** As a search answers when a node leaves before it is sent, or meanwhile. */
    public void testANodeThatLeftIsUnavailable() {
        DiscoveryNode left = getInstanceFromNode(ClusterService.class).localNode();
        for (Exception why : List.of(
                new IllegalStateException("no node found for id: a"), new NodeDisconnectedException(left, "search"))) {
            SearchPhaseExecutionException search = new SearchPhaseExecutionException(
                    "query", "all shards failed", new ShardSearchFailure[] {new ShardSearchFailure(why)});
            RuntimeException e = PointInTime.asUnavailable(search);
            assertEquals(why.toString(), RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(e));
            assertSame(search, e.getCause());
        }
        RuntimeException other = new IllegalStateException("another one");
        assertSame(other, PointInTime.asUnavailable(other));
    }

    public void testLetsGoLaterOfWhatCannotBeClosed() throws Exception {
        AtomicBoolean isAway = new AtomicBoolean();
        PointInTime held = held(new FilterClient(client()) {
            @Override
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                if (isAway.get()) {
                    listener.onFailure(new IllegalStateException("the node is away"));
                } else {
                    super.doExecute(action, request, listener);
                }
            }
        });
        isAway.set(true);
        held.close();
        assertEquals(1, getInstanceFromNode(SearchService.class).getActiveContexts());
        isAway.set(false);
        failTheShard();
        assertEquals(0, getInstanceFromNode(SearchService.class).getActiveContexts());
    }

    public void testIsClosedAfterItsJobWasCancelled() throws Exception {
        TransportService transport = getInstanceFromNode(TransportService.class);
        JobTask job = (JobTask) transport
                .getTaskManager()
                .register(
                        "transport",
                        UntagAction.NAME,
                        UntagAction.Request.fromXContent(
                                new String[] {"docs"}, null, new WritePace(Float.POSITIVE_INFINITY, 1)));
        TaskId id = new TaskId(transport.getLocalNode().getId(), job.getId());
        PointInTime held = held(new ParentTaskAssigningClient(client(), id));
        client().admin().cluster().prepareCancelTasks().setTaskId(id).get();
        expectThrows(TaskCancelledException.class, () -> held.count(QueryBuilders.matchAllQuery()));
        held.close();
        assertEquals(0, getInstanceFromNode(SearchService.class).getActiveContexts());
        transport.getTaskManager().unregister(job);
    }

    private PointInTime held() {
        return held(client());
    }

    private PointInTime held(Client client) {
        createIndex("docs");
        return open(client);
    }

    /** @param keepAlive the longest; null for that of the node */
    private void allow(String keepAlive) {
        Settings longest = Settings.builder()
                .put(SearchService.MAX_PIT_KEEPALIVE_SETTING.getKey(), keepAlive)
                .build();
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(longest));
    }

    private PointInTime open(Client client) {
        return PointInTime.open(
                new String[] {"docs"},
                IndicesOptions.strictExpandOpen(),
                client,
                getInstanceFromNode(NamedWriteableRegistry.class),
                getInstanceFromNode(ClusterService.class),
                ONCE);
    }

    /** Until it is open again, on the same node. */
    private void failTheShard() throws Exception {
        Index docs = resolveIndex("docs");
        IndicesService indices = getInstanceFromNode(IndicesService.class);
        IndexShard failed = indices.indexService(docs).getShard(0);
        failed.failShard("as told", null);
        assertBusy(
                () -> {
                    // Told at once, where a look now and then comes late: a shard waits 5 seconds for its lock.
                    ensureGreen("docs");
                    IndexShard again = indices.getShardOrNull(new ShardId(docs, 0));
                    assertNotNull(again);
                    assertNotSame(failed, again);
                    assertEquals(IndexShardState.STARTED, again.state());
                },
                60,
                TimeUnit.SECONDS);
    }

    public void testLivesWhileAJobDoesOtherThings() throws Exception {
        assumeTrue("of the night: it must be renewed within seconds", Rounds.NIGHT);
        createIndex("docs");
        client().prepareIndex("docs").setId("1").setSource("a", 1).get();
        client().admin().indices().prepareRefresh("docs").get();
        NamedWriteableRegistry registry = getInstanceFromNode(NamedWriteableRegistry.class);
        allow(KEEP_ALIVE.getStringRep());
        PointInTime held = open(counting());
        allow(null);
        String left = client().execute(CreatePitAction.INSTANCE, new CreatePitRequest(KEEP_ALIVE, false, "docs"))
                .actionGet()
                .getId();
        PointInTime nobodys = new PointInTime(left, client(), registry, ONCE);
        SearchService shards = getInstanceFromNode(SearchService.class);
        assertBusy(() -> assertEquals("the other one is gone", 1, shards.getActiveContexts()), 60, TimeUnit.SECONDS);
        assertTrue("without the job's doing", searches.get() > 0);
        Exception e = expectThrows(OpenSearchStatusException.class, () -> nobodys.count(QueryBuilders.matchAllQuery()));
        assertEquals(
                "the point in time was lost, as when a node that holds a part of it restarts: start the job again",
                e.getMessage());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(e));
        assertEquals(1, held.count(QueryBuilders.matchAllQuery()));
        held.close();
        int before = searches.get();
        assertFalse(new CountDownLatch(1).await(KEEP_ALIVE.millis() / 2, TimeUnit.MILLISECONDS));
        assertEquals("nothing goes on", before, searches.get());
        assertEquals(0, shards.getActiveContexts());
    }
}
