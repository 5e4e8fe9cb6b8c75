/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.indices.replication.common.ReplicationType;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.TransportService;

/** Which versions count as durable: two nodes, so that some primaries are on the node that is not asked. */
@OpenSearchIntegTestCase.ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public final class DurabilityTests extends ClusterTestCase {

    private static final String INDEX = "texts";

    public void testAnAcknowledgedWriteIsDurable() {
        fill(synced());

        for (int id = 0; id < 10; id++) {
            assertEquals(Durability.DURABLE, asked(version(put(id, "text"))));
        }
    }

    public void testAWriteThatIsNotOnDiskIsPendingUntilItIs() {
        fill(Settings.builder()
                .put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), "async")
                .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "1h"));
        StoredVersion version = version(put(1, "text"));

        assertTrue(client().prepareGet(INDEX, "1").get().isExists());
        assertEquals(Durability.PENDING, asked(version));

        client().admin().indices().prepareFlush(INDEX).setForce(true).get();
        assertEquals(Durability.DURABLE, asked(version));
    }

    public void testCopiesOfSegmentsFollowTheirPrimaryAsWell() {
        fill(synced().put(IndexMetadata.SETTING_REPLICATION_TYPE, ReplicationType.SEGMENT), 1);
        StoredVersion version = version(put(1, "text"));
        assertEquals(Durability.DURABLE, asked(version));
        put(1, "another text");
        assertEquals(Durability.CHANGED, asked(version));
    }

    /** What counts is what was done at the write, not what the setting says today. */
    public void testTheSettingAtTheTimeOfTheWriteDecides() {
        fill(
                Settings.builder()
                        .put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), "async")
                        .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "1h"),
                1);
        StoredVersion late = version(put(1, "text"));
        assertEquals(Durability.PENDING, asked(late));
        assertFalse(isOnDisk(late));

        set("request");
        assertEquals(Durability.DURABLE, asked(late));
        assertTrue("the question has written it to disk, on each copy", isOnDisk(late));

        StoredVersion synced = version(put(2, "text"));
        set("async");
        assertEquals(Durability.DURABLE, asked(synced));
    }

    private static void set(String durability) {
        assertAcked(client().admin()
                .indices()
                .prepareUpdateSettings(INDEX)
                .setSettings(
                        Settings.builder().put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), durability)));
    }

    private static boolean isOnDisk(StoredVersion version) {
        int copies = 0;
        boolean isOnDisk = true;
        for (IndicesService indices : internalCluster().getDataNodeInstances(IndicesService.class)) {
            IndexShard shard = indices.getShardOrNull(version.shard());
            if (shard != null) {
                copies++;
                isOnDisk &= shard.getLocalCheckpoint() >= version.sequenceNumber();
            }
        }
        assertEquals(2, copies);
        return isOnDisk;
    }

    public void testAnIdWithoutAVersionHasNone() {
        fill(synced());
        StoredVersion version = version(put(1, "text"));
        StoredVersion none = StoredVersion.none(version.shard(), "1");
        assertEquals(Durability.CHANGED, asked(none));
        client().prepareDelete(INDEX, "1").get();
        assertEquals(Durability.DURABLE, asked(none));
    }

    public void testNothingIsStoredInAnIndexThatIsMissing() {
        StoredVersion none = StoredVersion.none(new ShardId(INDEX, IndexMetadata.INDEX_UUID_NA_VALUE, 0), "1");
        assertEquals(Durability.DURABLE, asked(none));
        fill(synced());
        assertEquals("it is not known which shard would have it", Durability.CHANGED, asked(none));
    }

    /** A security filter may leave only some of the indices. */
    public void testNothingIsSaidOfIndicesThatWereTakenOut() {
        fill(synced());
        DurabilityAction.Request request = new DurabilityAction.Request(List.of(version(put(1, "text"))));
        assertArrayEquals(new String[] {INDEX}, request.indices());
        request.indices("other");
        assertArrayEquals(new String[0], request.indices());
        assertEquals(
                List.of(Durability.UNKNOWN),
                client().execute(DurabilityAction.INSTANCE, request).actionGet().answers());
    }

    public void testAVersionThatIsNotTheCurrentOneIsChanged() {
        fill(synced());
        StoredVersion first = version(put(1, "text"));
        StoredVersion second = version(put(1, "another text"));

        assertEquals(List.of(Durability.CHANGED, Durability.DURABLE), asked(List.of(first, second)));

        client().prepareDelete(INDEX, "1").get();
        assertEquals(Durability.CHANGED, asked(second));
    }

    public void testAnIndexThatWasMadeAgainHasNoneOfTheVersions() {
        fill(synced());
        StoredVersion version = version(put(1, "text"));
        client().admin().indices().prepareDelete(INDEX).get();
        assertEquals(Durability.CHANGED, asked(version));

        fill(synced());
        put(1, "text");
        assertEquals(Durability.CHANGED, asked(version));
    }

    public void testTheRoutingDecidesWhichShardIsAsked() {
        fill(synced());
        DocWriteResponse response = client().prepareIndex(INDEX)
                .setId("1")
                .setRouting("elsewhere")
                .setSource("{}", XContentType.JSON)
                .get();

        StoredVersion version =
                StoredVersion.of(index(), "1", "elsewhere", response.getSeqNo(), response.getPrimaryTerm());

        assertEquals(response.getShardId(), version.shard());
        assertEquals(Durability.DURABLE, asked(version));
    }

    /** Two hand-offs and two such questions would wait for one another, and hold up all writes to both shards. */
    public void testNoShardIsHeldWhileAnotherIsHandedOff() throws Exception {
        fill(synced());
        List<StoredVersion> two = twoOfOneNode();
        PlainActionFuture<Releasable> handedOff = new PlainActionFuture<>();
        primary(two.getLast()).acquireAllPrimaryOperationsPermits(handedOff, TimeValue.timeValueSeconds(30));
        ActionFuture<DurabilityAction.Response> asked;
        Releasable handOff = handedOff.actionGet();
        try {
            asked = client().execute(DurabilityAction.INSTANCE, new DurabilityAction.Request(two));
            for (int i = 0; i < 20; i++) { // The first question has begun when these are answered.
                assertEquals(Durability.DURABLE, asked(two.getFirst()));
            }
            PlainActionFuture<Releasable> other = new PlainActionFuture<>();
            primary(two.getFirst()).acquireAllPrimaryOperationsPermits(other, TimeValue.timeValueSeconds(5));
            other.actionGet().close();
            assertFalse(asked.isDone());
        } finally {
            handOff.close();
        }
        assertEquals(
                List.of(Durability.DURABLE, Durability.DURABLE),
                asked.actionGet().answers());
    }

    /** Versions in two shards whose primaries are on one node. */
    private List<StoredVersion> twoOfOneNode() {
        Map<String, StoredVersion> byNode = new HashMap<>();
        for (int id = 0; ; id++) {
            StoredVersion version = version(put(id, "text"));
            StoredVersion other =
                    byNode.putIfAbsent(primary(version).routingEntry().currentNodeId(), version);
            if (other != null && other.shard().equals(version.shard()) == false) {
                return List.of(other, version);
            }
        }
    }

    private static IndexShard primary(StoredVersion version) {
        for (IndicesService indices : internalCluster().getDataNodeInstances(IndicesService.class)) {
            IndexShard shard = indices.getShardOrNull(version.shard());
            if (shard != null) {
                return shard;
            }
        }
        throw new AssertionError(version);
    }

    /** So that the question ends with the task that asks, and is listed below it. */
    public void testQuestionsToNodesAreBelowTheTaskThatAsks() {
        fill(synced());
        List<StoredVersion> versions =
                IntStream.range(0, 10).mapToObj(id -> version(put(id, "text"))).toList();
        Map<String, Boolean> isBelow = new ConcurrentHashMap<>();
        for (TransportService transport : internalCluster().getInstances(TransportService.class)) {
            ((MockTransportService) transport).addSendBehavior((connection, id, action, request, options) -> {
                if (action.equals("internal:simhash/durable")) {
                    isBelow.merge(
                            connection.getNode().getName(),
                            request.getParentTask().isSet(),
                            Boolean::logicalAnd);
                }
                connection.sendRequest(id, action, request, options);
            });
        }
        try {
            assertEquals(Collections.nCopies(10, Durability.DURABLE), asked(versions));
        } finally {
            for (TransportService transport : internalCluster().getInstances(TransportService.class)) {
                ((MockTransportService) transport).clearAllRules();
            }
        }
        assertFalse(isBelow.isEmpty());
        assertFalse(isBelow.toString(), isBelow.containsValue(false));
    }

    public void testNothingIsAskedWithoutVersions() {
        assertEquals(List.of(), asked(List.of()));
    }

    /** The framework draws the durability of indices that say nothing. */
    private static Settings.Builder synced() {
        return Settings.builder().put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), "request");
    }

    private void fill(Settings.Builder settings) {
        fill(settings, 0);
    }

    private void fill(Settings.Builder settings, int replicas) {
        settings.put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 4).put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, replicas);
        client().admin().indices().prepareCreate(INDEX).setSettings(settings).get();
        ensureGreen(INDEX);
    }

    private static DocWriteResponse put(int id, String text) {
        return client().prepareIndex(INDEX)
                .setId(Integer.toString(id))
                .setSource("text", text)
                .get();
    }

    private IndexMetadata index() {
        return client().admin()
                .cluster()
                .prepareState()
                .get()
                .getState()
                .metadata()
                .index(INDEX);
    }

    private StoredVersion version(DocWriteResponse response) {
        return StoredVersion.of(index(), response.getId(), null, response.getSeqNo(), response.getPrimaryTerm());
    }

    private static Durability asked(StoredVersion version) {
        return asked(List.of(version)).getFirst();
    }

    private static List<Durability> asked(List<StoredVersion> versions) {
        return client().execute(DurabilityAction.INSTANCE, new DurabilityAction.Request(versions))
                .actionGet()
                .answers();
    }
}
