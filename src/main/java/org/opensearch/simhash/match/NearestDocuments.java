/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.Arrays;
import org.apache.lucene.util.FixedBitSet;

/** The nearest documents of each target so far. Ties go to the oldest, then to the first. One thread. */
final class NearestDocuments {

    private final int kept;
    private final int[] docs;
    private final long[] ages;
    private final byte[] distances;

    NearestDocuments(int targets, int kept) {
        this.kept = kept;
        this.docs = new int[targets * kept];
        this.ages = new long[targets * kept];
        this.distances = new byte[targets * kept];
        Arrays.fill(docs, -1);
        Arrays.fill(distances, Byte.MAX_VALUE);
    }

    void offer(int target, int doc, int distance, long age) {
        int start = target * kept;
        int end = start + kept;
        for (int i = start; i < end && distances[i] < Byte.MAX_VALUE; i++) {
            if (docs[i] == doc) {
                if (distances[i] <= distance) {
                    return;
                }
                remove(i, end);
                break;
            }
        }
        int at = start;
        while (at < end && isBefore(at, doc, distance, age)) {
            at++;
        }
        if (at < end) {
            int moved = end - at - 1;
            System.arraycopy(docs, at, docs, at + 1, moved);
            System.arraycopy(ages, at, ages, at + 1, moved);
            System.arraycopy(distances, at, distances, at + 1, moved);
            docs[at] = doc;
            ages[at] = age;
            distances[at] = (byte) distance;
        }
    }

    private boolean isBefore(int at, int doc, int distance, long age) {
        if (distances[at] != distance) {
            return distances[at] < distance;
        }
        return ages[at] == age ? docs[at] < doc : ages[at] < age;
    }

    private void remove(int i, int end) {
        int moved = end - i - 1;
        System.arraycopy(docs, i + 1, docs, i, moved);
        System.arraycopy(ages, i + 1, ages, i, moved);
        System.arraycopy(distances, i + 1, distances, i, moved);
        docs[end - 1] = -1;
        distances[end - 1] = Byte.MAX_VALUE;
    }

    FixedBitSet all(int maxDoc) {
        FixedBitSet all = new FixedBitSet(maxDoc);
        for (int doc : docs) {
            if (doc >= 0) {
                all.set(doc);
            }
        }
        return all;
    }
}
