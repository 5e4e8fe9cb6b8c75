/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.carrotsearch.randomizedtesting.SeedUtils;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.RandomSeed;

/** A failure tells how to repeat it with this build. */
class TestLinesTests {

    @Test
    void theSeedOfAFailureIsFoundBelowWhatWrapsIt() {
        RandomSeed seed = new RandomSeed();
        var failure = new AssertionError("wrong");
        assertEquals(System.getProperty("tests.seed"), TestLines.seed(failure));
        seed.note(failure);
        String expected = SeedUtils.formatSeed(seed.value());
        assertEquals(expected, TestLines.seed(new IllegalStateException(failure)));
    }

    @Test
    void ofTheRandomizedRunnersSeedsTheFirstIsThatOfTheRun() {
        var failure = new AssertionError("wrong");
        failure.setStackTrace(
                new StackTraceElement[] {new StackTraceElement(RandomSeed.FRAME, "seed", "[7937BB:1BB1DCD8]", 0)});
        assertEquals("7937BB", TestLines.seed(failure));
    }

    @Test
    void theCommandRunsTheTestAlone() {
        assertEquals(
                "./mvnw test -Dtest=FooTests#testBar -Dtests.seed=7",
                TestLines.command("FooTests", "#testBar", "7", false));
        assertEquals(
                "./mvnw verify -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=FooIT",
                TestLines.command("FooIT", "", null, false));
        assertEquals(
                "./mvnw -Pnight test -Dtest=FooTests -Dtests.seed=7", TestLines.command("FooTests", "", "7", true));
    }
}
