/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.TextComparisons;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.EndRules;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.Freshness;

/**
 * Looks at both texts before a duplicate is deleted: in the versions that the delete and the confirmation of the survivor name. Each
 * fingerprint must be that of its text, and the duplicate may have no long run of words that its survivor lacks. What is not made of
 * text is compared by its stored hash, and so is a pair that nobody has compared before, if texts are not.
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
    private final JobOutcome outcome;
    private final boolean comparesPairs;
    private final boolean comparesTexts;

    /** Whether the compared text is what the fingerprint is made of. If not, equal digests do not make the compared texts equal. */
    private final boolean comparesWhatIsFingerprinted;

    /** By rank, in this batch. */
    private final Map<Integer, Freshness> judged = new HashMap<>();

    private Map<Integer, SearchHit> documents = Map.of();
    private Set<Duplicate> passed = Set.of();

    /** @param comparesPairs whether nobody has compared each duplicate with its survivor before */
    FreshEvidence(JobWrites job, boolean comparesPairs) {
        JobRun run = job.run();
        this.options = run.options();
        this.table = job.table();
        this.memory = run.memory();
        this.task = run.task();
        this.outcome = job.outcome();
        this.comparesPairs = comparesPairs;
        this.comparesTexts = comparesPairs && options.verify() != null;
        this.comparesWhatIsFingerprinted =
                options.verify() == null || options.verify().field() == null;
        this.texts = new StoredTexts(
                run.pointInTime(),
                run.services().recipes(options.kind()),
                options.verify() == null ? null : options.verify().field(),
                options.field(),
                false,
                memory,
                task.retries());
    }

    /** What is read of a document that may be deleted. */
    SearchSourceBuilder whole() {
        return texts.ofHits()
                .withStoredField(new SearchSourceBuilder().fetchSource(true).version(true));
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
                outcome.doubt(state);
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
                    outcome::noRoom);
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

    private boolean passWithoutReading(int survivor, List<Duplicate> duplicates) {
        boolean passes = options.maxOwnWords() == OwnWords.UNLIMITED
                && comparesPairs == false
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
            duplicates.forEach(duplicate -> outcome.doubt(state));
        } else if (options.verify() == null && state == Freshness.State.NOT_OF_TEXT) {
            passed.addAll(near(hit, state, duplicates));
        } else {
            List<Duplicate> rest =
                    comparesPairs && options.verify() == null ? near(hit, state, duplicates) : duplicates;
            texts.ofHits().prepare(hit, maker(survivor, hit), text -> compareTexts(hit, text, rest));
        }
    }

    /** The recipe of a fingerprint; null if its scheme has only one. A fingerprint judged before this batch may be judged again. */
    private Fingerprinter maker(int rank, SearchHit hit) {
        if (judged.containsKey(rank) == false && texts.ofHits().isMakerUnclear(hit)) {
            judged.put(rank, texts.freshness(options.kind(), hit));
        }
        return judged.containsKey(rank) ? judged.get(rank).maker() : null;
    }

    /** The duplicates whose stored fingerprint is near that of the survivor. Those of texts were just made anew. */
    private List<Duplicate> near(SearchHit survivor, Freshness.State state, List<Duplicate> duplicates) {
        List<Duplicate> near = new ArrayList<>();
        for (Duplicate duplicate : duplicates) {
            SearchHit document = documents.get(duplicate.rank());
            boolean isOfText = state == Freshness.State.FRESH;
            if (isOfText == false && areHashes(duplicate, document, survivor) == false) {
                outcome.doubt(Freshness.State.STALE);
            } else if (isOfText
                    ? areTextsNear(document, survivor)
                    : areHashesNear(document, survivor, options.maxDistance())) {
                near.add(duplicate);
            } else {
                outcome.add(JobCount.NOT_SIMILAR, 1);
            }
        }
        return near;
    }

    private boolean areHashes(Duplicate duplicate, SearchHit document, SearchHit survivor) {
        return table.state(duplicate.rank()) == Freshness.State.NOT_OF_TEXT
                && areOfOneScheme(document, survivor)
                && isHash(part(document, FingerprintFields.HASH))
                && isHash(part(survivor, FingerprintFields.HASH));
    }

    private boolean areOfOneScheme(SearchHit document, SearchHit survivor) {
        return Objects.equals(part(document, FingerprintFields.SCHEME), part(survivor, FingerprintFields.SCHEME));
    }

    private boolean areTextsNear(SearchHit document, SearchHit survivor) {
        String digest = part(document, FingerprintFields.DIGEST);
        if (digest != null && digest.equals(part(survivor, FingerprintFields.DIGEST))) {
            return true;
        }
        if (areOfOneScheme(document, survivor) == false) {
            return false;
        }
        if (options.minSimilarity() == null) {
            return areHashesNear(document, survivor, MaxDistance.DEFAULT);
        }
        String sketch = part(document, SketchFields.SKETCH);
        String other = part(survivor, SketchFields.SKETCH);
        return sketch != null && other != null && areNear(Sketch.fromBase64(sketch), Sketch.fromBase64(other));
    }

    private boolean areNear(Sketch sketch, Sketch other) {
        int permutations = sketch.permutations();
        return permutations == other.permutations()
                && sketch.agreeing(other) >= Sketch.leastAgreeing(options.minSimilarity(), permutations);
    }

    private boolean areHashesNear(SearchHit document, SearchHit survivor, int maxBits) {
        String hash = part(document, FingerprintFields.HASH);
        String other = part(survivor, FingerprintFields.HASH);
        if (isHash(hash) == false || isHash(other) == false || hash.length() != other.length()) {
            return false;
        }
        int distance = LongHash.isHex(hash)
                ? LongHash.fromHex(hash).distance(LongHash.fromHex(other))
                : Fingerprint.distance(Fingerprint.fromHex(hash), Fingerprint.fromHex(other));
        return distance <= Math.min(maxBits, options.maxDistance());
    }

    private static boolean isHash(String hash) {
        return hash != null && (Fingerprint.isHex(hash, 16) || LongHash.isHex(hash));
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
                    texts.ofHits()
                            .prepare(
                                    document,
                                    maker(duplicate.rank(), document),
                                    other -> comparison.with(duplicate, other));
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
                words = new OwnWords(survivor.text(), kept, task::ensureNotCancelled);
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
