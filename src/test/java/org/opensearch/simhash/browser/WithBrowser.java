/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;

/** A browser and a node for the tests of a class. */
abstract class WithBrowser {

    static Chromium chromium;

    final RestClient client;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    WithBrowser(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() {
        chromium.close();
    }
}
