/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Compares any document with some documents, value by value of each stratum. A comparison of fingerprints takes about a nanosecond,
 * one of sketches 30 on a busy machine. One thread.
 */
final class DrawnValues {

    private static final byte FAR = Byte.MAX_VALUE;

    private final List<Document> documents;
    private final Nearness nearness;

    /** Values of the documents by stratum, and the documents that they are of. */
    private final long[][] values;

    private final int[][] owners;
    /** Longs of a value, by stratum. */
    private final int[] lengths;

    /** Distances of the current document, and the documents that it has one to. */
    private final byte[] distances;

    private final int[] met;
    private int meetings;
    /** The owners of the values that are compared. */
    private int[] compared;

    private final Nearness.Meeting meeting = (number, distance) -> meet(compared[number], distance);
    private long comparisons;

    DrawnValues(List<Document> documents, Nearness nearness) {
        this.documents = documents;
        this.nearness = nearness;
        this.distances = new byte[documents.size()];
        Arrays.fill(distances, FAR);
        this.met = new int[documents.size()];
        int strata = 0;
        for (Document document : documents) {
            strata = Math.max(strata, 1 + Arrays.stream(document.strata()).max().orElse(-1));
        }
        this.lengths = new int[strata];
        this.values = new long[strata][];
        this.owners = new int[strata][];
        for (int stratum = 0; stratum < strata; stratum++) {
            collect(stratum);
        }
    }

    /** The first value of a stratum tells their length; one of another length cannot be compared. */
    private void collect(int stratum) {
        LongStream.Builder parts = LongStream.builder();
        IntStream.Builder numbers = IntStream.builder();
        for (int i = 0; i < documents.size(); i++) {
            Document document = documents.get(i);
            int length = document.length();
            for (int k = 0; k < document.strata().length; k++) {
                if (document.strata()[k] == stratum && (lengths[stratum] == 0 || lengths[stratum] == length)) {
                    lengths[stratum] = length;
                    numbers.add(i);
                    Arrays.stream(document.bits(), k * length, (k + 1) * length).forEach(parts);
                }
            }
        }
        values[stratum] = parts.build().toArray();
        owners[stratum] = numbers.build().toArray();
    }

    /** Returns how many of the documents are near a document. They may be itself. */
    int meet(Document document) {
        for (int k = 0; k < meetings; k++) {
            distances[met[k]] = FAR;
        }
        meetings = 0;
        for (int k = 0; k < document.strata().length; k++) {
            compare(document, k);
        }
        return meetings;
    }

    private void compare(Document document, int k) {
        int stratum = document.strata()[k];
        if (stratum < lengths.length && lengths[stratum] == document.length()) {
            compared = owners[stratum];
            comparisons += compared.length;
            nearness.compare(document.bits(), k * lengths[stratum], values[stratum], lengths[stratum], meeting);
        }
    }

    /** The nearest of several values counts. */
    private void meet(int i, int distance) {
        if (distances[i] == FAR) {
            met[meetings++] = i;
        }
        distances[i] = (byte) Math.min(distances[i], distance);
    }

    /** The number of a near document, and its distance. */
    int met(int k) {
        return met[k];
    }

    int distance(int i) {
        return distances[i];
    }

    long comparisons() {
        return comparisons;
    }
}
