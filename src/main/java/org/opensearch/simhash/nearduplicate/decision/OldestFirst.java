/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.opensearch.simhash.nearduplicate.arrival.Original;

/**
 * The order of originals: the nearest first, of equally near ones the oldest. The window knows the order of what it accepted;
 * sequence numbers tell that of the rest, and nothing where documents are of different shards. One thread, one use.
 */
final class OldestFirst {

    private record Aged(Original original, long number) {}

    private final List<Aged> originals = new ArrayList<>();
    private int distance = -1;
    private long newest = -1;

    /**
     * Adds those that a search found.
     *
     * @param found the nearest first, of equally near ones those with the lowest sequence numbers
     * @param number under which the window knows a document, negative when it does not
     */
    void addStored(List<Original> found, ToLongFunction<Original> number) {
        for (Original original : found) {
            if (original.distance() != distance) {
                distance = original.distance();
                newest = -1;
            }
            // What the window does not know came before all of it, or after what has lower sequence numbers.
            long known = number.applyAsLong(original);
            newest = Math.max(newest, known);
            originals.add(new Aged(original, known < 0 ? newest : known));
        }
    }

    void addAccepted(Original original) {
        originals.add(new Aged(original, original.number()));
    }

    boolean contains(Original original) {
        return originals.stream().anyMatch(other -> other.original().name().sameDocument(original.name()));
    }

    List<Original> sorted() {
        originals.sort(Comparator.<Aged>comparingInt(aged -> aged.original().distance())
                .thenComparingLong(Aged::number));
        return originals.stream().map(Aged::original).toList();
    }
}
