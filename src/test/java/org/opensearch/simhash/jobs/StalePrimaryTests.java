/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.TransportShardBulkAction;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.command.CancelAllocationCommand;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.test.disruption.BlockClusterStateProcessing;
import org.opensearch.test.disruption.NetworkDisruption;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * A node takes itself for the primary, or an index for what it was, while the others have gone on: cut off, or late with
 * the cluster state. Nothing ends on its word.
 */
@ClusterScope(scope = Scope.TEST, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class StalePrimaryTests extends ClusterTestCase {

    private static final String ORIGINALS = "originals";
    private static final String COPIES = "copies";
    private static final TimeValue SHORT = TimeValue.timeValueSeconds(1);
    private static final TimeValue PATIENCE = TimeValue.timeValueMinutes(2);

    /** It has the primary of the originals, and is not the cluster manager. */
    private String stale;

    private String other;
    private String third;

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        return List.of(SimHashPlugin.class, MockTransportService.TestPlugin.class, RequestHook.class);
    }

    @Override
    protected Settings nodeSettings(int node) {
        return Settings.builder()
                .put(super.nodeSettings(node))
                .put("cluster.publish.timeout", "1s")
                .put("cluster.fault_detection.follower_check.timeout", "1s")
                .put("cluster.fault_detection.follower_check.retry_count", 1)
                .put("cluster.fault_detection.leader_check.timeout", "1s")
                .put("cluster.fault_detection.leader_check.retry_count", 1)
                .build();
    }

    @After
    public void clearHook() {
        RequestHook.clear();
    }

    private void begin(int replicas) {
        third = internalCluster().getClusterManagerName();
        List<String> others = Set.of(internalCluster().getNodeNames()).stream()
                .filter(name -> name.equals(third) == false)
                .sorted()
                .toList();
        stale = others.getFirst();
        other = others.getLast();
        create(ORIGINALS, 0, stale);
        if (replicas > 0) {
            assertAcked(client().admin()
                    .indices()
                    .prepareUpdateSettings(ORIGINALS)
                    .setSettings(Settings.builder()
                            .put("index.number_of_replicas", replicas)
                            .put("index.routing.allocation.include._name", stale + "," + other)));
            ensureGreen(ORIGINALS);
        }
        create(COPIES, 0, third);
    }

    private static void create(String index, int replicas, String nodes) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 1)
                        .put("index.number_of_replicas", replicas)
                        .put("index.refresh_interval", "1h")
                        .put("index.translog.durability", "request")
                        .put("index.routing.allocation.include._name", nodes))
                .setMapping("simhash.bits", "type=long", "simhash.digest", "type=keyword"));
        client().admin().cluster().prepareHealth(index).setWaitForGreenStatus().get();
    }

    /** Not made of text: what is stored of it is compared. */
    private static Map<String, Object> print(long bits) {
        Fingerprint fingerprint = new Fingerprint(OptionalLong.of(bits), Arrivals.digest(bits), 9, "given-test");
        return Map.of("simhash", FingerprintFields.of(fingerprint, new SegmentLayout(4)));
    }

    private static StoredVersion put(String index, String id, long bits) {
        DocWriteResponse response =
                client().prepareIndex(index).setId(id).setSource(print(bits)).get();
        return new StoredVersion(response.getShardId(), id, response.getSeqNo(), response.getPrimaryTerm());
    }

    private static Durability asked(Client client, StoredVersion version) {
        return client.execute(DurabilityAction.INSTANCE, new DurabilityAction.Request(List.of(version)))
                .actionGet(PATIENCE)
                .answers()
                .getFirst();
    }

    private Client stale() {
        return internalCluster().client(stale);
    }

    private Client other() {
        return internalCluster().client(other);
    }

    /** Of a state that a node has applied. */
    private static ShardRouting primary(Client client) {
        ClusterState state =
                client.admin().cluster().prepareState().setLocal(true).get().getState();
        return state.routingTable().index(ORIGINALS).shard(0).primaryShard();
    }

    private static String nodeId(Client client) {
        return client.admin()
                .cluster()
                .prepareState()
                .setLocal(true)
                .get()
                .getState()
                .nodes()
                .getLocalNodeId();
    }

    private void awaitPromotion() throws Exception {
        String promoted = nodeId(other());
        assertBusy(() -> {
            ShardRouting primary = primary(other());
            assertEquals(promoted, primary.currentNodeId());
            assertTrue(primary.active());
        });
        assertEquals(
                "the stale node still thinks it is",
                nodeId(stale()),
                primary(stale()).currentNodeId());
    }

    /** The stale node applies no state any more, and another copy is promoted. */
    private BlockClusterStateProcessing promoted() throws Exception {
        BlockClusterStateProcessing blocked = blocked();
        other().admin()
                .cluster()
                .prepareReroute()
                .add(new CancelAllocationCommand(ORIGINALS, 0, stale, true))
                .setTimeout(SHORT)
                .get();
        awaitPromotion();
        return blocked;
    }

    private BlockClusterStateProcessing blocked() {
        BlockClusterStateProcessing blocked = new BlockClusterStateProcessing(stale, random());
        internalCluster().setDisruptionScheme(blocked);
        blocked.startDisrupting();
        return blocked;
    }

    public void testACutOffPrimaryProvesNothing() throws Exception {
        begin(1);
        StoredVersion version = put(ORIGINALS, "O", 1);
        assertEquals(Durability.DURABLE, asked(stale(), version));
        NetworkDisruption cut = new NetworkDisruption(
                new NetworkDisruption.TwoPartitions(Set.of(stale), Set.of(other, third)),
                randomBoolean() ? NetworkDisruption.DISCONNECT : NetworkDisruption.UNRESPONSIVE);
        internalCluster().setDisruptionScheme(cut);
        cut.startDisrupting();
        awaitPromotion();
        other().prepareDelete(ORIGINALS, "O").get();
        IndexResponse written =
                other().prepareIndex(ORIGINALS).setId("X").setSource(print(2)).get();

        assertEquals(Durability.UNKNOWN, asked(stale(), version));
        StoredVersion none = StoredVersion.none(written.getShardId(), "X");
        assertEquals(Durability.UNKNOWN, asked(stale(), none));
        assertEquals(Durability.CHANGED, asked(other(), version));

        cut.stopDisrupting();
        ensureStableCluster(3);
        ensureGreen(ORIGINALS);
        assertEquals(Durability.CHANGED, asked(stale(), version));
        assertEquals(Durability.CHANGED, asked(stale(), none));
        assertEquals(Durability.DURABLE, asked(stale(), StoredVersion.none(written.getShardId(), "O")));
    }

    /** With a copy alone there is no other one to ask. */
    public void testTheOnlyCopyOfADeletedIndexProvesNothing() throws Exception {
        begin(0);
        StoredVersion version = put(ORIGINALS, "O", 1);
        assertEquals(Durability.DURABLE, asked(stale(), version));
        BlockClusterStateProcessing blocked = blocked();
        other().admin().indices().prepareDelete(ORIGINALS).setTimeout(SHORT).get();
        assertBusy(() -> assertNull(metadata(other(), ORIGINALS)));
        assertNotNull(metadata(stale(), ORIGINALS));

        assertEquals(Durability.UNKNOWN, asked(stale(), version));

        blocked.stopDisrupting();
        assertBusy(() -> assertNull(metadata(stale(), ORIGINALS)));
        assertEquals(Durability.CHANGED, asked(stale(), version));
    }

    /** Nor does a node know that an index is missing. */
    public void testANodeThatIsLateDoesNotKnowWhatIsMissing() throws Exception {
        begin(0);
        StoredVersion none = StoredVersion.none(new ShardId("later", IndexMetadata.INDEX_UUID_NA_VALUE, 0), "X");
        assertEquals(Durability.DURABLE, asked(stale(), none));
        BlockClusterStateProcessing blocked = blocked();
        other().admin()
                .indices()
                .prepareCreate("later")
                .setSettings(Settings.builder()
                        .put("index.number_of_replicas", 0)
                        .put("index.routing.allocation.include._name", other))
                .setTimeout(SHORT)
                .get();
        other().prepareIndex("later").setId("X").setSource(print(2)).get();

        assertEquals(Durability.UNKNOWN, asked(stale(), none));

        blocked.stopDisrupting();
        assertBusy(() -> assertNotNull(metadata(stale(), "later")));
        assertEquals(Durability.CHANGED, asked(stale(), none));
    }

    private static IndexMetadata metadata(Client client, String index) {
        return client.admin()
                .cluster()
                .prepareState()
                .setLocal(true)
                .get()
                .getState()
                .metadata()
                .index(index);
    }

    public void testNothingIsDroppedForWhatAnotherPrimaryDeleted() throws Exception {
        begin(1);
        String pipeline = "{\"processors\":[{\"near_duplicate\":{\"action\":\"drop\",\"verify\":false,\"index\":\""
                + ORIGINALS + "\"}}]}";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline("drop", new BytesArray(pipeline), MediaTypeRegistry.JSON)
                .get());
        put(ORIGINALS, "O", 1);
        client().admin().indices().prepareRefresh(ORIGINALS).get();
        assertEquals(DocWriteResponse.Result.NOOP, arriving("D0"));
        BlockClusterStateProcessing blocked = promoted();
        other().prepareDelete(ORIGINALS, "O").get();

        assertEquals(DocWriteResponse.Result.CREATED, arriving("D1"));

        blocked.stopDisrupting();
    }

    private DocWriteResponse.Result arriving(String id) {
        BulkItemResponse item = stale().prepareBulk()
                .add(new IndexRequest(COPIES).id(id).setPipeline("drop").source(print(1)))
                .get(PATIENCE)
                .getItems()[0];
        assertFalse(item.getFailureMessage(), item.isFailed());
        return item.getResponse().getResult();
    }

    public void testNothingIsDeletedForWhatAnotherPrimaryDeleted() throws Exception {
        begin(1);
        put(ORIGINALS, "O", 1);
        put(COPIES, "P", 1);
        client().admin().indices().prepareRefresh(ORIGINALS, COPIES).get();
        BlockClusterStateProcessing blocked = promoted();
        other().prepareDelete(ORIGINALS, "O").get();

        AtomicInteger asked = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof DurabilityAction.Request) {
                asked.incrementAndGet();
            }
            return null;
        });
        ActionFuture<JobResponse> job = stale().execute(DeduplicateAction.INSTANCE, job());
        // It has found the pair, and asks for the survivor again and again.
        assertBusy(() -> assertTrue(asked.get() > 2));
        blocked.stopDisrupting();
        JobResponse response = job.actionGet(PATIENCE);

        assertEquals(1, response.count("pairs"));
        assertEquals(0, response.count("deleted"));
        assertTrue(client().prepareGet(COPIES, "P").get().isExists());
    }

    /** OpenSearch sends the delete again to the promoted one, which finds nothing there: a conflict. */
    public void testADeleteThatALostPrimaryHasNotAnsweredIsPutBack() throws Exception {
        begin(1);
        put(ORIGINALS, "D", 1);
        put(COPIES, "A", 1);
        client().admin().indices().prepareRefresh(ORIGINALS, COPIES).get();
        CountDownLatch deleted = new CountDownLatch(1);
        MockTransportService transport =
                (MockTransportService) internalCluster().getInstance(TransportService.class, stale);
        transport.addRequestHandlingBehavior(
                TransportShardBulkAction.ACTION_NAME + "[p]",
                (handler, request, channel, task) -> handler.messageReceived(request, new Silent(deleted), task));

        ActionFuture<JobResponse> job = internalCluster().client(third).execute(DeduplicateAction.INSTANCE, job());
        assertTrue(deleted.await(PATIENCE.seconds(), TimeUnit.SECONDS));
        put(COPIES, "A", -1);
        internalCluster().stopRandomNode(InternalTestCluster.nameFilter(stale));
        JobResponse response = job.actionGet(PATIENCE);

        assertEquals(1, response.count("version_conflicts"));
        assertEquals(1, response.count("put_back"));
        assertTrue(other().prepareGet(ORIGINALS, "D").get().isExists());
    }

    /** Nobody hears the answer. */
    private record Silent(CountDownLatch answered) implements TransportChannel {

        @Override
        public String getProfileName() {
            return "";
        }

        @Override
        public String getChannelType() {
            return "silent";
        }

        @Override
        public void sendResponse(TransportResponse response) {
            answered.countDown();
        }

        @Override
        public void sendResponse(Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private DeduplicateAction.Request job() throws IOException {
        String body = "{\"action\":\"delete\",\"archive\":false,\"verify\":false,\"max_distance\":3}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, body)) {
            return DeduplicateAction.Request.fromXContent(
                    new String[] {ORIGINALS, COPIES}, parser, new WritePace(Float.POSITIVE_INFINITY, 50));
        }
    }
}
