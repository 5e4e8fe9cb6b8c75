/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How much there is to do is known before it is listed. */
class ChunksTests {

    @Test
    void testPasses() {
        for (int count = 1; count < 50; count++) {
            assertEquals(Chunks.pairs(count).size(), Chunks.passes(count), "" + count);
        }
        assertEquals(Integer.MAX_VALUE * (Integer.MAX_VALUE - 1L) / 2, Chunks.passes(Integer.MAX_VALUE));
    }
}
