/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

/** The clock that main code reads too. */
public final class TestTime {

    private TestTime() {}

    /** Returns when at least that many milliseconds have passed by the clock, however the machine is loaded. */
    public static void pass(long millis) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin <= millis * 1_000_000) {
            Thread.onSpinWait();
        }
    }
}
