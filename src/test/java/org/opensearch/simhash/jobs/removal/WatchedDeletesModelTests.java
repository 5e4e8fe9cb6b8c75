/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.jobs.removal.Removal.WatchedDeletes;
import org.opensearch.simhash.jobs.removal.Removal.WatchedDeletes.Fate;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;

/**
 * The protocol of deletes against a store in memory, with random steps of clients, refusals, lost answers, cancellations and crashes
 * in between. The promise: at some moment after a document went its survivor was durable and as it was read, or the document is
 * there again; after a crash it may also be in the archive, or be of the request that the crash interrupted.
 */
class WatchedDeletesModelTests {

    private static final int ROUNDS = 200_000;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    /** Ends the job, cancelled or failed. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Ends the node: nothing runs any more, and what is not durable is lost. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A document of the store; versions count on. */
    private static final class Stored {
        private int version;
        private boolean isThere = true;
        private boolean isDurable;
    }

    /** Survivors have even ranks; duplicates odd ones, or those above. */
    private static final class Store implements WatchedDeletes.Guard {

        private final Random random;
        private final boolean archives;
        private final Map<Integer, Stored> documents = new HashMap<>();
        private final Set<Integer> archived = new HashSet<>();

        /** Duplicates that went, and whose survivor was there since then. */
        private final Set<Duplicate> justified = new HashSet<>();

        private final Set<Duplicate> went = new HashSet<>();

        /** Sent, and not settled. */
        private final Set<Duplicate> open = new HashSet<>();

        /** Somebody else has written under their ids. */
        private final Set<Duplicate> excused = new HashSet<>();

        private boolean crashes;
        private int deleted;

        Store(Random random, List<Duplicate> duplicates) {
            this.random = random;
            this.archives = random.nextBoolean();
            for (Duplicate each : duplicates) {
                documents.put(each.rank(), durable());
                documents.computeIfAbsent(
                        each.survivor(), survivor -> random.nextInt(3) == 0 ? new Stored() : durable());
            }
        }

        private static Stored durable() {
            Stored stored = new Stored();
            stored.isDurable = true;
            return stored;
        }

        /** Anybody does anything. */
        void step() {
            for (Map.Entry<Integer, Stored> each : documents.entrySet()) {
                Stored stored = each.getValue();
                switch (random.nextInt(30)) {
                    case 0 -> {
                        stored.version++;
                        stored.isThere = true;
                        stored.isDurable = random.nextBoolean();
                    }
                    case 1 -> {
                        stored.version++;
                        stored.isThere = false;
                    }
                    case 2, 3, 4 -> stored.isDurable = true;
                    default -> {}
                }
            }
            justify();
            if (crashes && random.nextInt(12) == 0) {
                throw new Crash();
            }
        }

        /** Whoever looks at this moment finds the survivors of these. */
        private void justify() {
            for (Duplicate each : went) {
                if (isConfirmed(each.survivor())) {
                    justified.add(each);
                }
            }
        }

        boolean isConfirmed(int survivor) {
            Stored stored = documents.get(survivor);
            return stored.isThere && stored.version == 0 && stored.isDurable;
        }

        List<Duplicate> copy(List<Duplicate> batch) {
            if (archives) {
                batch.forEach(each -> archived.add(each.rank()));
            }
            step();
            return batch;
        }

        /** Returns whether it went. */
        boolean delete(Duplicate duplicate) {
            Stored stored = documents.get(duplicate.rank());
            if (stored.isThere == false || stored.version != 0) {
                return false;
            }
            stored.isThere = false;
            stored.version++;
            went.add(duplicate);
            justify();
            return true;
        }

        @Override
        public List<Duplicate> confirmed(List<Duplicate> batch) {
            step();
            if (random.nextInt(40) == 0) {
                throw new Ended();
            }
            List<Duplicate> confirmed =
                    batch.stream().filter(each -> isConfirmed(each.survivor())).toList();
            open.addAll(confirmed);
            step();
            return confirmed;
        }

        @Override
        public Collection<Duplicate> orphans(Collection<Duplicate> gone) {
            step();
            // Sometimes nobody answers.
            List<Duplicate> orphans = random.nextInt(20) == 0
                    ? List.copyOf(gone)
                    : gone.stream()
                            .filter(each -> isConfirmed(each.survivor()) == false)
                            .toList();
            gone.stream().filter(each -> orphans.contains(each) == false).forEach(open::remove);
            step();
            return orphans;
        }

        @Override
        public Collection<Duplicate> putBack(Collection<Duplicate> orphans) {
            List<Duplicate> back = new ArrayList<>();
            for (Duplicate each : orphans) {
                Stored stored = documents.get(each.rank());
                if (stored.isThere == false && went.remove(each)) {
                    stored.isThere = true;
                    stored.isDurable = true;
                    stored.version = 1_000; // another version
                    justified.remove(each);
                    back.add(each);
                } else if (stored.isThere) {
                    excused.add(each);
                }
                open.remove(each);
                step();
            }
            return back;
        }

        @Override
        public void deleted(int count) {
            deleted += count;
        }
    }

    private static List<Duplicate> duplicates(Random random) {
        List<Duplicate> duplicates = new ArrayList<>();
        int rank = 10;
        for (int survivor = 0; survivor < 1 + random.nextInt(3); survivor++) {
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                duplicates.add(new Duplicate(rank++, survivor));
            }
        }
        return duplicates;
    }

    /** As bulk writes do it: what is refused for want of room is sent again. */
    private static void send(List<Duplicate> batch, WatchedDeletes deletes, Store store) {
        List<Duplicate> rest = deletes.next(batch);
        while (rest.isEmpty() == false) {
            List<Duplicate> rejected = new ArrayList<>();
            Map<Duplicate, Fate> answers = new HashMap<>();
            for (Duplicate each : rest) {
                store.step();
                if (store.random.nextInt(8) == 0) {
                    rejected.add(each);
                } else if (store.delete(each)) {
                    answers.put(each, store.random.nextInt(8) == 0 ? Fate.UNSURE : Fate.GONE);
                } else {
                    answers.put(each, store.random.nextInt(8) == 0 ? Fate.UNSURE : Fate.KEPT);
                }
            }
            if (store.random.nextInt(20) == 0) {
                throw new Ended(); // The answer is lost as a whole.
            }
            answers.forEach(deletes::answered);
            if (store.random.nextInt(20) == 0) {
                throw new Ended();
            }
            rest = rejected.isEmpty() ? rejected : deletes.next(rejected);
        }
    }

    @Test
    void everyDocumentThatWentHadItsSurvivorAfterwards() {
        Random random = new Random(seed.value());
        for (int round = 0; round < ROUNDS; round++) {
            List<Duplicate> batch = duplicates(random);
            Store store = new Store(random, batch);
            store.crashes = random.nextInt(3) == 0;
            Set<Duplicate> kept = Set.of();
            boolean isCrashed = false;
            try {
                List<Duplicate> copied = store.copy(batch);
                WatchedDeletes deletes = new WatchedDeletes(copied, store);
                try {
                    send(copied, deletes, store);
                } catch (Ended e) {
                    // Settled all the same.
                } finally {
                    deletes.settle();
                }
                kept = deletes.kept();
            } catch (Crash e) {
                isCrashed = true;
            }
            for (Duplicate each : store.went) {
                boolean isSafe = store.justified.contains(each)
                        || store.excused.contains(each)
                        || (store.archives && store.archived.contains(each.rank()));
                assertTrue(isSafe || (isCrashed && store.open.contains(each)), () -> "lost in a round: " + each);
                assertTrue(kept.contains(each) == false, "gone, and its copy would be taken back");
            }
            assertTrue(store.deleted <= store.went.size());
        }
    }
}
