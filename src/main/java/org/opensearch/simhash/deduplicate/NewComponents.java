/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.FingerprintRows;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.RowSink;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.FingerprintScan;
import org.opensearch.simhash.deduplicate.scan.Near;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;
import org.opensearch.threadpool.ThreadPool;

/**
 * Joins new documents with all that they are connected with, and nothing else. The shards send what is near a new document, then
 * what is near that, until nothing comes any more: all groups that a new document can have changed. One thread, which waits.
 *
 * <p>Cost: the shards compare each of their fingerprints with the new ones, some tens of nanoseconds, once or a few times; all else
 * grows with the new documents and their groups.
 */
final class NewComponents {

    /** With more of them a join of everything takes less. */
    private static final int MOST = 50_000;

    /** A long chain of documents takes a round for each link: each round goes through all fingerprints. */
    private static final int MOST_ROUNDS = 20;

    private static final int BYTES_PER_ROW = 120;

    private record Row(long address, long bits, long digest, int stratum) {}

    private final JobServices services;
    private final DeduplicateTask task;
    private final DeduplicateOptions options;
    private final PointInTime pointInTime;
    private final Account memory;

    NewComponents(
            JobServices services,
            DeduplicateTask task,
            DeduplicateOptions options,
            PointInTime pointInTime,
            Account memory) {
        this.services = services;
        this.task = task;
        this.options = options;
        this.pointInTime = pointInTime;
        this.memory = memory;
    }

    /** Null when that is too much: everything has to be joined then. */
    PairsAction.Response join(NewDocuments newDocuments, Wanted wanted) {
        if (newDocuments.size() > MOST) {
            return null;
        }
        long start = System.nanoTime();
        FingerprintRows rows = new FingerprintRows(newDocuments.size(), services.memory());
        try {
            Found found = new Found(rows);
            FingerprintScan scan =
                    new FingerprintScan(pointInTime, options.field(), options.same(), Chunks.WHOLE, Wanted.ALL);
            for (QueryBuilder query : newDocuments.queries()) {
                scan.read(query, null, found, documents -> task.ensureNotCancelled());
            }
            int rounds = 0;
            do {
                if (found.rows.size() > MOST || rounds++ == MOST_ROUNDS) {
                    return null;
                }
                scan.read(options.query(), found.next(), found, task::read);
            } while (found.isComplete() == false);
            long scanned = System.nanoTime();
            task.enter(Phase.JOIN, rows.size());
            AtomicLong compared = new AtomicLong();
            NearJoin.Found pairs = join(compared).join(rows, Chunks.WHOLE, wanted);
            PassCounts counts = new PassCounts(
                    scan.documents(),
                    scan.fingerprinted(),
                    compared.get(),
                    scan.schemes(),
                    (scanned - start) / 1_000_000,
                    (System.nanoTime() - scanned) / 1_000_000);
            return new PairsAction.Response(pairs, counts);
        } finally {
            rows.close();
        }
    }

    private NearJoin join(AtomicLong compared) {
        ThreadPool threads = services.transport().getThreadPool();
        return new NearJoin(
                options.maxDistance(),
                threads.executor(DeduplicateThreads.JOIN),
                threads.info(DeduplicateThreads.JOIN).getMax(),
                pairs -> {
                    task.compared(pairs);
                    compared.addAndGet(pairs);
                });
    }

    /** What was found so far, each row once, and what has to be looked for next. */
    private final class Found implements RowSink {

        private final FingerprintRows rows;
        private final Set<Row> known = new HashSet<>();
        private Set<Long> nextBits = new HashSet<>();
        private Set<Long> nextDigests = new HashSet<>();

        Found(FingerprintRows rows) {
            this.rows = rows;
        }

        boolean isComplete() {
            return nextBits.isEmpty() && nextDigests.isEmpty();
        }

        Near next() {
            Near next = new Near(
                    nextBits.stream().mapToLong(Long::longValue).toArray(),
                    nextDigests.stream().mapToLong(Long::longValue).sorted().toArray(),
                    options.maxDistance());
            nextBits = new HashSet<>();
            nextDigests = new HashSet<>();
            return next;
        }

        @Override
        public void add(long address, long fingerprint, long digest, int stratum) {
            if (isNew(new Row(address, fingerprint, digest, stratum))) {
                rows.add(address, fingerprint, digest, stratum);
                nextBits.add(fingerprint);
            }
        }

        @Override
        public void addWithoutBits(long address, long digest, int stratum) {
            if (isNew(new Row(address, 0, digest, ~stratum))) {
                rows.addWithoutBits(address, digest, stratum);
                nextDigests.add(digest);
            }
        }

        private boolean isNew(Row row) {
            if (rows.size() > MOST || known.add(row) == false) {
                return false;
            }
            memory.take(BYTES_PER_ROW);
            return true;
        }
    }
}
