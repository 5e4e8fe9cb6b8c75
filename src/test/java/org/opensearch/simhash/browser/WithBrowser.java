/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/** A browser and a node for the tests of a class. Several classes may run at once. */
abstract class WithBrowser {

    private static final Map<Class<?>, Chromium> OF_CLASSES = new ConcurrentHashMap<>();

    final Chromium chromium;
    final RestClient client;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    WithBrowser(RealCluster cluster) {
        this.chromium = OF_CLASSES.get(getClass());
        this.client = cluster.client();
    }

    @BeforeAll
    static void start(TestInfo test) {
        OF_CLASSES.put(test.getTestClass().orElseThrow(), Chromium.start());
    }

    @AfterAll
    static void stop(TestInfo test) {
        OF_CLASSES.remove(test.getTestClass().orElseThrow()).close();
    }
}
