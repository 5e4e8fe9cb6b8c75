/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

/**
 * Fingerprints by the number of bits that differ. A value is a fingerprint.
 *
 * @param last the largest distance
 */
public record BitDistance(int last) implements Nearness {

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
