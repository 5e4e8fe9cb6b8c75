/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import org.junit.After;
import org.junit.Before;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.simhash.nearduplicate.decision.ModelBulk.Item;
import org.opensearch.simhash.nearduplicate.decision.ModelShard.Content;
import org.opensearch.simhash.nearduplicate.decision.ModelShard.Operation;
import org.opensearch.simhash.nearduplicate.decision.ModelShard.Writer;
import org.opensearch.test.OpenSearchTestCase;

/** The processor keeps its promises, whatever comes between. */
public class DecisionModelTests extends OpenSearchTestCase {

    private static final int RUNS = 300;
    private static final int STEPS = 200;
    /** Steps of a bulk until it knows what is stored: search, get, answer. */
    private static final int GOT = 4;

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
        assertTrue("documents end at all: " + model.endedInAll(), model.endedInAll() > RUNS / 10);
    }

    /** A bulk may take longer than its entries stay in the window. */
    public void testAnIdIsNotNewWhenItsWriteLeftTheWindowAfterTheGet() {
        model.calm();
        Operation original = model.write("original", new Content(0L, null), new Writer(null, -1, 0));
        model.shard().sync(original);
        model.shard().refresh();
        model.pass(1);
        ModelBulk first = model.take(DuplicateAction.DROP, new Item(OpType.INDEX, "a", ~0L));
        model.pass(1);
        ModelBulk second = model.take(DuplicateAction.DROP, new Item(OpType.INDEX, "a", 0L));
        while (first.isDecided() == false) {
            first.step();
        }
        for (int step = 0; step < GOT; step++) {
            second.step();
        }
        while (first.isDone() == false) {
            first.step();
        }
        assertFalse("it got its own id, and is not decided", second.isDecided());
        model.pass(DecisionModel.WINDOW_TIME + 1);
        while (second.isDone() == false) {
            second.step();
        }
        assertEquals(0, model.endedInAll());
        assertEquals(Long.valueOf(0), model.shard().stored("a").content().print());
    }
}
