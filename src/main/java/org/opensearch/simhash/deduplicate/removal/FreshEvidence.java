/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.EndRules;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.StoredTexts;
import org.opensearch.simhash.deduplicate.write.JobWrites;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.Freshness;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.OwnWords;
import org.opensearch.simhash.verify.PreparedText;
import org.opensearch.simhash.verify.TextComparisons;

/**
 * Looks at both texts before a duplicate is deleted: in the versions that the delete and the confirmation of the survivor name. Each
 * fingerprint must be that of its text, and the duplicate may have no long run of words that its survivor lacks. What is not made of
 * text is compared by its stored hash.
 *
 * <p>Cost: a survivor is read once per batch. A fingerprint is made anew once per document. Equal digests need no comparison.
 * One thread, which blocks.
 */
final class FreshEvidence {

    private final DeduplicateOptions options;
    private final DocumentTable table;
    private final StoredTexts texts;
    private final Account memory;
    private final JobTask task;
    private final Outcome outcome;
    private final boolean comparesTexts;

    /** Else equal digests say nothing of the texts that are compared. */
    private final boolean comparesWhatIsFingerprinted;

    /** By rank, in this batch. */
    private final Map<Integer, Freshness> judged = new HashMap<>();

    private Map<Integer, SearchHit> documents = Map.of();
    private Set<Duplicate> passed = Set.of();

    /** @param comparesTexts whether nobody has compared the texts of a duplicate and its survivor before */
    FreshEvidence(JobWrites job, boolean comparesTexts) {
        JobRun run = job.run();
        this.options = run.options();
        this.table = job.table();
        this.memory = run.memory();
        this.task = run.task();
        this.outcome = job.outcome();
        this.comparesTexts = comparesTexts && options.verify() != null;
        this.comparesWhatIsFingerprinted =
                options.verify() == null || options.verify().field() == null;
        this.texts = new StoredTexts(
                run.pointInTime(),
                run.services().recipes(options.kind()),
                options.verify() == null ? null : options.verify().field(),
                options.field(),
                memory,
                task.retries());
    }

    /**
     * The duplicates that may be deleted. The others are counted.
     *
     * @param read the documents, whole, by rank
     */
    List<Duplicate> of(List<Duplicate> batch, Map<Integer, SearchHit> read) {
        judged.clear();
        documents = read;
        passed = new HashSet<>();
        Map<Integer, List<Duplicate>> bySurvivor = new LinkedHashMap<>();
        for (Duplicate duplicate : batch) {
            task.ensureNotCancelled();
            Freshness.State state = state(duplicate.rank(), read.get(duplicate.rank()));
            if (EndRules.mayEnd(state, options)) {
                bySurvivor
                        .computeIfAbsent(duplicate.survivor(), any -> new ArrayList<>())
                        .add(duplicate);
            } else {
                refuse(duplicate.rank(), state, 1);
            }
        }
        long[] survivors = bySurvivor.keySet().stream()
                .filter(survivor -> passWithoutReading(survivor, bySurvivor.get(survivor)) == false)
                .mapToLong(table::address)
                .toArray();
        for (int from = 0; from < survivors.length; ) {
            from += texts.readWhole(
                    Arrays.copyOfRange(survivors, from, survivors.length),
                    (address, hit) -> compare(table.rank(address), hit, bySurvivor.get(table.rank(address))),
                    (hit, rejection) -> outcome.fail(
                            hit.getIndex(), hit.getId(), ReadSlices.noRoom(rejection), RestStatus.TOO_MANY_REQUESTS));
        }
        return batch.stream().filter(passed::contains).toList();
    }

    /** Computes a fingerprint once per document and version. */
    private Freshness.State state(int rank, SearchHit hit) {
        if (table.state(rank) == null) {
            Freshness freshness = texts.freshness(options.kind(), hit);
            judged.put(rank, freshness);
            table.judged(rank, freshness.state());
        }
        return table.state(rank);
    }

    private void refuse(int rank, Freshness.State state, int duplicates) {
        if (state == Freshness.State.SEVERAL) {
            outcome.failSeveral("delete", options.field(), table.indexOf(rank), table.id(rank));
        } else {
            for (int i = 0; i < duplicates; i++) {
                outcome.doubt(state);
            }
        }
    }

    private boolean passWithoutReading(int survivor, List<Duplicate> duplicates) {
        boolean passes = options.maxOwnWords() == OwnWords.UNLIMITED
                && comparesTexts == false
                && table.state(survivor) == Freshness.State.FRESH
                && duplicates.stream().allMatch(each -> table.state(each.rank()) == Freshness.State.FRESH);
        if (passes) {
            passed.addAll(duplicates);
        }
        return passes;
    }

    private void compare(int survivor, SearchHit hit, List<Duplicate> duplicates) {
        Freshness.State state = state(survivor, hit);
        if (EndRules.mayEnd(state, options) == false) {
            refuse(survivor, state, duplicates.size());
        } else if (state == Freshness.State.NOT_OF_TEXT) {
            duplicates.forEach(duplicate -> compareHashes(duplicate, hit));
        } else {
            texts.prepare(hit, maker(survivor, hit), text -> compareTexts(hit, text, duplicates));
        }
    }

    /** Null if the scheme tells it. A fingerprint that was judged before this batch is made again where it does not. */
    private Fingerprinter maker(int rank, SearchHit hit) {
        if (judged.containsKey(rank) == false && texts.isMakerUnclear(hit)) {
            judged.put(rank, texts.freshness(options.kind(), hit));
        }
        return judged.containsKey(rank) ? judged.get(rank).maker() : null;
    }

    private void compareHashes(Duplicate duplicate, SearchHit survivor) {
        SearchHit document = documents.get(duplicate.rank());
        String hash = part(document, FingerprintFields.HASH);
        String other = part(survivor, FingerprintFields.HASH);
        boolean isNear = table.state(duplicate.rank()) == Freshness.State.NOT_OF_TEXT
                && isHash(hash)
                && isHash(other)
                && Objects.equals(part(document, FingerprintFields.SCHEME), part(survivor, FingerprintFields.SCHEME))
                && Fingerprint.distance(Fingerprint.fromHex(hash), Fingerprint.fromHex(other)) <= options.maxDistance();
        if (isNear) {
            passed.add(duplicate);
        } else {
            outcome.doubt(Freshness.State.STALE);
        }
    }

    private static boolean isHash(String hash) {
        return hash != null && Fingerprint.isHex(hash, 16);
    }

    private String part(SearchHit hit, String name) {
        return DocumentValues.objectsAt(options.field(), hit.getSourceAsMap()).stream()
                .filter(Map.class::isInstance)
                .map(object -> ((Map<?, ?>) object).get(name))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .findFirst()
                .orElse(null);
    }

    private void compareTexts(SearchHit survivor, PreparedText text, List<Duplicate> duplicates) {
        String digest = part(survivor, FingerprintFields.DIGEST);
        try (Account kept = new Account(memory);
                Comparison comparison = new Comparison(text, kept)) {
            kept.take(text.bytes());
            for (Duplicate duplicate : duplicates) {
                task.ensureNotCancelled();
                SearchHit document = documents.get(duplicate.rank());
                boolean isEqual = comparesWhatIsFingerprinted
                        && digest != null
                        && digest.equals(part(document, FingerprintFields.DIGEST))
                        && table.state(duplicate.rank()) == Freshness.State.FRESH;
                if (isEqual) {
                    passed.add(duplicate);
                } else {
                    texts.prepare(
                            document, maker(duplicate.rank(), document), other -> comparison.with(duplicate, other));
                }
            }
        }
    }

    /** One survivor and its duplicates. */
    private final class Comparison implements AutoCloseable {

        private final PreparedText survivor;
        private final Account kept;

        /** Null before they are needed. */
        private OwnWords words;

        private TextComparisons comparisons;

        Comparison(PreparedText survivor, Account kept) {
            this.survivor = survivor;
            this.kept = kept;
        }

        void with(Duplicate duplicate, PreparedText text) {
            if (survivor.isBlank() || text.isBlank()) {
                outcome.doubt(Freshness.State.NO_TEXT);
            } else if (comparesTexts && isSimilar(text) == false) {
                outcome.add(JobCount.NOT_SIMILAR, 1);
            } else if (hasOwnText(text)) {
                outcome.add(JobCount.OWN_TEXT, 1);
            } else {
                passed.add(duplicate);
            }
        }

        private boolean isSimilar(PreparedText text) {
            if (comparisons == null) {
                comparisons = new TextComparisons(options.verify(), survivor, kept, task::ensureNotCancelled);
            }
            return comparisons.compare(text).isSimilar();
        }

        private boolean hasOwnText(PreparedText text) {
            if (options.maxOwnWords() == OwnWords.UNLIMITED || text.text().equals(survivor.text())) {
                return false;
            }
            if (words == null) {
                words = new OwnWords(survivor.text(), survivor.folding(), kept, task::ensureNotCancelled);
            }
            return words.longestRunOf(text.text(), task::ensureNotCancelled) > options.maxOwnWords();
        }

        @Override
        public void close() {
            if (words != null) {
                words.close();
            }
            if (comparisons != null) {
                comparisons.close();
            }
        }
    }
}
