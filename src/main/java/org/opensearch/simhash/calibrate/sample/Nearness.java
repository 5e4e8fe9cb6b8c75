/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

/** How near documents are, in steps. Step 0 is the nearest. Thread-safe. */
public interface Nearness {

    /** Receives near values. */
    interface Meeting {

        /** @param number of the drawn value */
        void meet(int number, int step);
    }

    /** The farthest step, at most 126. */
    int last();

    /**
     * Compares a value with drawn ones of the same length.
     *
     * @param values of a document; the compared one begins at {@code at}
     * @param drawn one value after the other
     * @param length of a value
     */
    void compare(long[] values, int at, long[] drawn, int length, Meeting meeting);
}
