/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Prints the seconds of a join in this JVM. Arguments: number of fingerprints, distance, {@code uniform} or {@code zipf}, rounds, and a
 * folder where it is to be done in files, as on a node with a heap of 4 GB.
 */
public final class JoinSeconds {

    private static final int ROUNDS = 3;

    private JoinSeconds() {}

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        int distance = Integer.parseInt(args[1]);
        long[] values = args[2].equals("uniform")
                ? JoinCases.uniform(count, 7, new SplittableRandom(1))
                : draw(count, new org.opensearch.simhash.benchmark.ZipfFingerprints(1));
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : ROUNDS;
        try (var executor = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < rounds; round++) {
                AtomicLong memory = new AtomicLong();
                AtomicLong most = new AtomicLong();
                AtomicLong compared = new AtomicLong();
                LongConsumer account = bytes -> most.accumulateAndGet(memory.addAndGet(bytes), Math::max);
                Path folder = args.length > 4 ? Path.of(args[4]) : null;
                FingerprintRows rows = new FingerprintRows(count, Prints.FINGERPRINTS, folder, account);
                rows.stratum(0, 0, 0);
                for (int i = 0; i < count; i++) {
                    if (Boolean.getBoolean("against") && i == count / 2) {
                        rows.otherSide();
                    }
                    // A digest that no other document has is not read.
                    rows.add(i, values[i], args.length > 4 ? 0 : values[i] | 1, 0);
                }
                long start = System.nanoTime();
                NearJoin.Joined found = new NearJoin(distance, executor, 2, Long.MAX_VALUE, compared::addAndGet)
                        .join(rows, Chunks.WHOLE, Wanted.ALL.atMost(20_000_000));
                System.out.printf(
                        Locale.ROOT,
                        "%,d fingerprints, distance %d: %.2f s, %,d compared, %,d pairs, %.1f bytes per fingerprint%n",
                        count,
                        distance,
                        (System.nanoTime() - start) / 1e9,
                        compared.get(),
                        found.pairs(),
                        most.get() / (double) count);
                rows.close();
            }
        }
    }

    private static long[] draw(int count, LongSupplier source) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = source.getAsLong();
        }
        return values;
    }
}
