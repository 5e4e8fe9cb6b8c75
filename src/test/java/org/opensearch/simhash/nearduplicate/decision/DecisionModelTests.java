/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import org.junit.After;
import org.junit.Before;
import org.opensearch.test.OpenSearchTestCase;

/** The promises of the processor, whatever comes between. */
public class DecisionModelTests extends OpenSearchTestCase {

    private static final int RUNS = 500;
    private static final int STEPS = 200;

    private DecisionModel model;

    @Before
    public void start() {
        model = new DecisionModel(getTestName());
    }

    @After
    public void stop() {
        model.close();
    }

    public void testNothingIsLostWhateverComesBetween() {
        for (int run = 0; run < RUNS; run++) {
            long seed = randomLong();
            try {
                model.run(seed, STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("run with seed " + seed, e);
            }
        }
        assertTrue("documents end at all: " + model.endedInAll(), model.endedInAll() > RUNS / 4);
    }
}
