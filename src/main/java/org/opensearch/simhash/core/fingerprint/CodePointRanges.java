/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/** Sets of characters as closed ranges, ascending. */
final class CodePointRanges {

    private CodePointRanges() {}

    static boolean contains(int[] ranges, int c) {
        int low = 0;
        int high = ranges.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (c < ranges[2 * middle]) {
                high = middle - 1;
            } else if (c > ranges[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }
}
