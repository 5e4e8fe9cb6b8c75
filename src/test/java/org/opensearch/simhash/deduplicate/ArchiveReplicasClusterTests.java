/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.query.SimHashClusterTestCase;

/** Nothing is deleted while its copy would be on one node only, however often it is tried. */
public class ArchiveReplicasClusterTests extends SimHashClusterTestCase {

    private static final String ARCHIVE = "removed";

    private void create(TimeValue patience) {
        ArchiveIndex.create(
                client(),
                internalCluster().getInstance(ClusterService.class),
                ARCHIVE,
                patience,
                new DeduplicateTask(1, "", "", "", TaskId.EMPTY_TASK_ID, Map.of()));
    }

    public void testEachAttemptNeedsTheReplicas() {
        assertAcked(client().admin()
                .indices()
                .preparePutTemplate("more_than_there_are_nodes")
                .setPatterns(List.of(ARCHIVE))
                .setSettings(Settings.builder().put("index.number_of_replicas", 3))
                .get());
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
            assertAcked(client().admin()
                    .indices()
                    .prepareDeleteTemplate("more_than_there_are_nodes")
                    .get());
        }
    }
}
