/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.FingerprintRows;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.RowSink;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.FingerprintScan;
import org.opensearch.simhash.deduplicate.scan.Near;
import org.opensearch.simhash.memory.Account;

/**
 * Joins the new documents with everything connected to them, which is every group that they can change. The shards send
 * what is near a new document, then what is near that, until nothing is new. Blocks its one thread.
 *
 * <p>Cost: in each round, shards compare all their fingerprints, at some tens of ns each. Everything else grows with
 * the new documents and their groups.
 */
final class NewComponents {

    /** Above this, joining everything is faster. */
    static final int MOST = 50_000;

    /** A chain takes a round per link, and each round reads all fingerprints. */
    private static final int MOST_ROUNDS = 20;

    private static final int BYTES_PER_ROW = 120;

    private record Row(long address, long bits, long digest, int stratum) {}

    private final JobRun run;

    NewComponents(JobRun run) {
        this.run = run;
    }

    /** Null if everything should be joined instead. */
    PairsAction.Response join(NewDocuments newDocuments, Wanted wanted) {
        if (newDocuments.size() > MOST) {
            return null;
        }
        if (newDocuments.size() == 0) {
            return nothing();
        }
        long start = System.nanoTime();
        FingerprintRows rows =
                new FingerprintRows(newDocuments.size(), run.services().memory());
        try (Account known = new Account(run.memory())) {
            Found found = new Found(rows, known);
            FingerprintScan scan = new FingerprintScan(
                    run.pointInTime(), run.options().field(), run.options().same(), Chunks.WHOLE, Wanted.ALL);
            for (QueryBuilder query : newDocuments.queries()) {
                scan.read(query, null, found, documents -> run.task().ensureNotCancelled());
            }
            int rounds = 0;
            do {
                if (found.rows.size() > MOST || rounds++ == MOST_ROUNDS) {
                    return null;
                }
                scan.read(run.queries().documents(), found.next(), found, run.task()::read);
            } while (found.isComplete() == false);
            long scanned = System.nanoTime();
            run.task().enter(Phase.JOIN, JobTask.UNKNOWN);
            AtomicLong compared = new AtomicLong();
            NearJoin join = DeduplicateThreads.join(
                    run.services().transport().getThreadPool(),
                    run.options().maxDistance(),
                    run.services().memory().allowance(),
                    pairs -> {
                        run.task().compared(pairs);
                        compared.addAndGet(pairs);
                    });
            NearJoin.Found pairs = join.join(rows, Chunks.WHOLE, wanted);
            return new PairsAction.Response(pairs, PassCounts.of(scan, compared.get(), start, scanned));
        } finally {
            rows.close();
        }
    }

    /** Nothing can be near, so fingerprints are only counted. */
    private PairsAction.Response nothing() {
        long fingerprinted =
                run.pointInTime().count(run.queries().withBits(run.options().field()));
        Cliques none = new Cliques.Builder(bytes -> {}).build();
        return new PairsAction.Response(
                new NearJoin.Found(none, 0, false), PassCounts.ofNothing(fingerprinted));
    }

    /** The distinct rows so far, and the targets of the next round. */
    private final class Found implements RowSink {

        private final FingerprintRows rows;
        private final Account memory;
        private final Set<Row> known = new HashSet<>();
        private Set<Long> nextBits = new HashSet<>();
        private Set<Long> nextDigests = new HashSet<>();

        Found(FingerprintRows rows, Account memory) {
            this.rows = rows;
            this.memory = memory;
        }

        boolean isComplete() {
            return nextBits.isEmpty() && nextDigests.isEmpty();
        }

        Near next() {
            Near next = new Near(
                    nextBits.stream().mapToLong(Long::longValue).toArray(),
                    nextDigests.stream().mapToLong(Long::longValue).sorted().toArray(),
                    run.options().maxDistance());
            nextBits = new HashSet<>();
            nextDigests = new HashSet<>();
            return next;
        }

        @Override
        public void stratum(int stratum, int guard, long key) {
            rows.stratum(stratum, guard, key);
        }

        @Override
        public void add(long address, long fingerprint, long digest, int stratum) {
            if (isNew(new Row(address, fingerprint, digest, stratum))) {
                rows.add(address, fingerprint, digest, stratum);
                nextBits.add(fingerprint);
                if (digest != 0) {
                    // In another scheme or index, the same text may have no fingerprint.
                    nextDigests.add(digest);
                }
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
