/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * What one round of indexing took.
 *
 * @param documentsPerSecond as the clients saw it
 * @param cpuMicros processor time of the node for a document
 */
record IndexingRound(double documentsPerSecond, double cpuMicros) {

    void print(String name) {
        System.out.printf(
                Locale.ROOT, "  %-40s %7.0f documents/s %7.0f us/document%n", name, documentsPerSecond, cpuMicros);
    }

    /** The median of each figure by itself. */
    static IndexingRound median(List<IndexingRound> rounds) {
        return new IndexingRound(
                median(rounds.stream().mapToDouble(IndexingRound::documentsPerSecond)),
                median(rounds.stream().mapToDouble(IndexingRound::cpuMicros)));
    }

    static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
