/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.health.ClusterHealthStatus;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Nothing is deleted while its copy would be on one node only, however often it is tried. */
@OwnNodes
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class ArchiveReplicasClusterTests extends SimHashClusterTestCase {

    private static final String ARCHIVE = "removed";

    private void create(TimeValue patience) {
        ArchiveIndex.create(
                client(), internalCluster().getInstance(ClusterService.class), ARCHIVE, patience, TestTask.create());
    }

    private static void withReplicas(int replicas) {
        assertAcked(client().admin()
                .indices()
                .preparePutTemplate("replicas")
                .setPatterns(List.of(ARCHIVE))
                .setOrder(1)
                .setSettings(
                        Settings.builder().put("index.number_of_shards", 1).put("index.number_of_replicas", replicas))
                .get());
    }

    /** A run that is started again when a node has died does not wait until its copies are somewhere else. */
    public void testReplicasThatLeftWithTheirNodeAreNotWaitedFor() throws Exception {
        int nodes = internalCluster().numDataNodes();
        String another = internalCluster().startDataOnlyNode();
        withReplicas(nodes);
        try {
            create(TimeValue.timeValueSeconds(30));
            internalCluster().stopRandomNode(InternalTestCluster.nameFilter(another));
            ensureStableCluster(nodes);
            assertEquals(ClusterHealthStatus.YELLOW, ensureYellow(ARCHIVE));
            create(TimeValue.timeValueMillis(100));
        } finally {
            assertAcked(
                    client().admin().indices().prepareDeleteTemplate("replicas").get());
        }
    }

    public void testEachAttemptNeedsTheReplicas() {
        withReplicas(3);
        try {
            for (int attempt = 0; attempt < 2; attempt++) {
                OpenSearchStatusException e =
                        expectThrows(OpenSearchStatusException.class, () -> create(TimeValue.timeValueMillis(100)));
                assertEquals(
                        "[archive] must have all its replicas before anything is deleted, and not all are there, got: "
                                + ARCHIVE,
                        e.getMessage());
                assertEquals(RestStatus.SERVICE_UNAVAILABLE, e.status());
            }
            assertAcked(client().admin()
                    .indices()
                    .prepareUpdateSettings(ARCHIVE)
                    .setSettings(Settings.builder().put("index.number_of_replicas", 2))
                    .get());
            create(TimeValue.timeValueSeconds(30));
        } finally {
            assertAcked(
                    client().admin().indices().prepareDeleteTemplate("replicas").get());
        }
    }
}
