/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RandomSampleTests {

    /** Each shard sends a page. */
    @Test
    void testPagesOfScoresAreSmallerOfManyShards() {
        assertEquals(10_000, RandomSample.pageOfScores(100_000, 10_000, 1));
        assertEquals(10_000, RandomSample.pageOfScores(100_000, 10_000, 100));
        assertEquals(1_000, RandomSample.pageOfScores(100_000, 10_000, 1_000));
        assertEquals(50, RandomSample.pageOfScores(100_000, 10_000, 1_000_000));
        assertEquals(17, RandomSample.pageOfScores(100_000, 17, 1_000));
        assertEquals(5, RandomSample.pageOfScores(5, 10_000, 1));
    }
}
