/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.lang.reflect.Array;

/** Arrays indexed by ascending numbers: a slot is the low bits of a number. The length is a power of two. */
final class Rings {

    private Rings() {}

    static int slot(long number, int length) {
        return (int) number & (length - 1);
    }

    /** A copy of another length, with the values from {@code first} to before {@code next}. */
    @SuppressWarnings("unchecked") // the array keeps its class
    static <A> A resized(A ring, int length, long first, long next) {
        A result = (A) Array.newInstance(ring.getClass().getComponentType(), length);
        int old = Array.getLength(ring);
        long number = first;
        while (number < next) {
            int from = slot(number, old);
            int to = slot(number, length);
            int run = (int) Math.min(next - number, Math.min(old - from, length - to));
            System.arraycopy(ring, from, result, to, run);
            number += run;
        }
        return result;
    }
}
