/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/** The members of a group, ascending, up to its limit. Not thread-safe. */
final class GroupMembers {

    private final int most;
    private int[] documents = new int[8];
    private byte[] distances = new byte[8];
    private double[] similarities = new double[8];
    private int size;
    private boolean tooMany;

    /** @param maxGroupSize survivor included */
    GroupMembers(int maxGroupSize) {
        this.most = maxGroupSize - 1;
    }

    /** Returns whether there was room. */
    boolean add(int document, byte distance, double similarity) {
        if (size == most) {
            tooMany = true;
            return false;
        }
        if (size == documents.length) {
            documents = Arrays.copyOf(documents, 2 * size);
            distances = Arrays.copyOf(distances, 2 * size);
            similarities = Arrays.copyOf(similarities, 2 * size);
        }
        documents[size] = document;
        distances[size] = distance;
        similarities[size++] = similarity;
        return true;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean tooMany() {
        return tooMany;
    }

    Group of(int survivor) {
        return new Group(
                survivor,
                Arrays.copyOf(documents, size),
                Arrays.copyOf(distances, size),
                Arrays.copyOf(similarities, size));
    }
}
