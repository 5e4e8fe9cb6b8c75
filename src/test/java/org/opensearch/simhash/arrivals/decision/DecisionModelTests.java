/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.simhash.arrivals.decision.ModelBulk.Item;
import org.opensearch.simhash.arrivals.decision.ModelShard.Content;
import org.opensearch.simhash.arrivals.decision.ModelShard.Operation;
import org.opensearch.simhash.arrivals.decision.ModelShard.Writer;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.test.OpenSearchTestCase;

/** The processor keeps its promises, whatever comes between. */
public class DecisionModelTests extends OpenSearchTestCase {

    /** {@code -Dmodel.runs=} for more, as far as {@code -Dtests.timeoutSuite=0!} gives them time. */
    private static final int RUNS = Rounds.of("model.runs", 150, 20_000);

    /** {@code -Dmodel.seed=} repeats a single run. */
    private static final Long SEED = Long.getLong("model.seed");

    private static final int REPORTED = 10_000;
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
        List<Long> wrong = new ArrayList<>();
        Throwable first = null;
        for (int run = 1; run <= (SEED == null ? RUNS : 1); run++) {
            long seed = SEED == null ? randomLong() : SEED;
            try {
                model.run(seed, STEPS);
            } catch (AssertionError | RuntimeException e) {
                wrong.add(seed);
                first = first == null ? e : first;
            }
            if (run % REPORTED == 0) {
                logger.info("[{}] runs, [{}] documents ended, wrong with seeds {}", run, model.endedInAll(), wrong);
            }
        }
        if (first != null) {
            throw new AssertionError("repeat with -Dmodel.seed= of " + wrong, first);
        }
        assertTrue("documents end at all: " + model.endedInAll(), SEED != null || model.endedInAll() > RUNS / 10);
    }

    /** Each lost a document, or missed an original, once. */
    public void testRunsThatFailedOnce() {
        long[] seeds = {
            -6247243421087628515L,
            455371228508860011L,
            8137823922133272715L,
            -5641085914575764328L,
            4232448484582887831L,
            3737236528128410508L,
            -1521619260321217748L
        };
        for (long seed : seeds) {
            model.run(seed, STEPS);
        }
    }

    /** A bulk may take longer than its entries stay in the window. */
    public void testAnIdIsNotNewWhenItsWriteLeftTheWindowAfterTheGet() {
        idIsWrittenDuringADecision(new Item(OpType.INDEX, "a", ~0L));
        assertEquals(Long.valueOf(0), model.shard().stored("a").content().print());
    }

    /** The other pipeline compares by a field of its own. */
    public void testAnIdIsNotNewWhenAnotherPipelineWroteItAfterTheGet() {
        idIsWrittenDuringADecision(new Item(OpType.INDEX, "a", null));
    }

    private void idIsWrittenDuringADecision(Item item) {
        model.calm();
        Operation original = model.write("original", new Content(0L, null), new Writer(null, -1, 0));
        model.shard().sync(original);
        model.shard().refresh();
        model.pass(1);
        ModelBulk first = model.take(DuplicateAction.DROP, item);
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
