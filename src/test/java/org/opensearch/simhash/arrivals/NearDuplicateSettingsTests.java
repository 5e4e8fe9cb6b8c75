/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.HashSet;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.MockSecureSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.test.OpenSearchTestCase;

/** The node's values count if the cluster has none, also on nodes with a keystore. */
public class NearDuplicateSettingsTests extends OpenSearchTestCase {

    private int changes;

    public void testFollowsTheClusterAndFallsBackToTheNode() {
        MockSecureSettings keystore = new MockSecureSettings();
        keystore.setString("keystore.seed", "any");
        Settings node = Settings.builder()
                .put(NearDuplicateSettings.LOOKUP_TIMEOUT.getKey(), "7s")
                .setSecureSettings(keystore)
                .build();
        ClusterSettings cluster = new ClusterSettings(node, new HashSet<>(NearDuplicateSettings.all()));
        NearDuplicateSettings settings = new NearDuplicateSettings();
        settings.follow(cluster, node, () -> changes++);
        assertEquals(TimeValue.timeValueSeconds(7), settings.lookupTimeout());
        cluster.applySettings(Settings.builder()
                .put(NearDuplicateSettings.LOOKUP_TIMEOUT.getKey(), "9s")
                .build());
        assertEquals(TimeValue.timeValueSeconds(9), settings.lookupTimeout());
        cluster.applySettings(Settings.builder()
                .put(NearDuplicateSettings.WINDOW_SIZE.getKey(), 5)
                .build());
        assertEquals(TimeValue.timeValueSeconds(7), settings.lookupTimeout());
        assertEquals(3, changes);
    }

    /** Otherwise every document with a text to verify would be refused. */
    public void testASimilarityIsANumber() {
        for (String value : new String[] {"NaN", "1.1", "-0.1"}) {
            Settings settings = Settings.builder()
                    .put(NearDuplicateSettings.MIN_SIMILARITY.getKey(), value)
                    .build();
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> NearDuplicateSettings.MIN_SIMILARITY.get(settings));
            assertEquals(
                    "[plugins.simhash.near_duplicate.min_similarity] must be between 0 and 1, got: " + value,
                    e.getMessage());
        }
    }

    public void testAnUnknownChoiceIsRefused() {
        Settings settings = Settings.builder()
                .put(NearDuplicateSettings.WINDOW_NODES.getKey(), "some")
                .put(NearDuplicateSettings.WINDOW_UNANSWERED.getKey(), "wait")
                .build();
        Exception nodes =
                expectThrows(IllegalArgumentException.class, () -> NearDuplicateSettings.WINDOW_NODES.get(settings));
        assertEquals(
                "[plugins.simhash.near_duplicate.window.nodes] must be one of [all, local], got: some",
                nodes.getMessage());
        Exception unanswered = expectThrows(
                IllegalArgumentException.class, () -> NearDuplicateSettings.WINDOW_UNANSWERED.get(settings));
        assertEquals(
                "[plugins.simhash.near_duplicate.window.unanswered] must be one of [fail, leave_out], got: wait",
                unanswered.getMessage());
    }
}
