/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

/** How near documents are, in steps. Step 0 is the nearest. Thread-safe. */
public interface Nearness {

    /** Receives near values. */
    interface Meeting {

        /** @param number of the drawn value */
        void meet(int number, int step);
    }

    /** The farthest step, at most 126. */
    int last();

    /** Compares the value that begins at {@code values[at]} with each drawn one. All have {@code length} numbers; {@code drawn} has one behind the other. */
    void compare(long[] values, int at, long[] drawn, int length, Meeting meeting);

    /** Fingerprints by the number of bits that differ. A value is a fingerprint. */
    record Bits(int last) implements Nearness {

        @Override
        public void compare(long[] values, int at, long[] drawn, int length, Meeting meeting) {
            long value = values[at];
            for (int k = 0; k < drawn.length; k++) {
                int distance = Long.bitCount(value ^ drawn[k]);
                if (distance <= last) {
                    meeting.meet(k, distance);
                }
            }
        }
    }
}
