/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.ending.Ending;
import org.opensearch.simhash.arrivals.ending.Ending.Looked;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.TextComparisons;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.query.HitTexts;

/**
 * Looks at both documents before a duplicate is deleted ({@link Ending}): in the versions that the delete and the confirmation of the
 * survivor name. A pair that nobody has compared before is compared here.
 *
 * <p>Cost: a survivor is read once per batch. A fingerprint is made anew once per document. Equal texts need no comparison.
 * One thread, which blocks.
 */
final class FreshEvidence {

    private final DeduplicateOptions options;
    private final EndRule rule;
    private final DocumentTable table;
    private final StoredTexts texts;
    private final Account memory;
    private final JobTask task;
    private final JobOutcome outcome;
    private final boolean comparesPairs;

    /** By rank, in this batch. */
    private final Map<Integer, Freshness> judged = new HashMap<>();

    private Map<Integer, SearchHit> documents = Map.of();
    private Set<Duplicate> passed = Set.of();

    /** @param comparesPairs whether nobody has compared each duplicate with its survivor before */
    FreshEvidence(JobWrites job, boolean comparesPairs) {
        JobRun run = job.run();
        this.options = run.options();
        this.rule = options.ending();
        this.table = job.table();
        this.memory = run.memory();
        this.task = run.task();
        this.outcome = job.outcome();
        this.comparesPairs = comparesPairs;
        this.texts = run.texts(comparedField(), false, memory);
    }

    /** Null for what fingerprints are made of, or if texts are not compared. */
    private String comparedField() {
        return options.verify() == null ? null : options.verify().field();
    }

    SearchSourceBuilder whole() {
        return texts.ofHits()
                .withStoredField(new SearchSourceBuilder().fetchSource(true).version(true));
    }

    /** The duplicates that may be deleted. The others are counted. */
    List<Duplicate> of(List<Duplicate> batch, Map<Integer, SearchHit> read) {
        judged.clear();
        documents = read;
        passed = new HashSet<>();
        Map<Integer, List<Duplicate>> bySurvivor = new LinkedHashMap<>();
        for (Duplicate duplicate : batch) {
            task.ensureNotCancelled();
            if (stays(rule.ofDocument(state(duplicate.rank(), read.get(duplicate.rank())))) == false) {
                bySurvivor
                        .computeIfAbsent(duplicate.survivor(), any -> new ArrayList<>())
                        .add(duplicate);
            }
        }
        long[] survivors =
                bySurvivor.keySet().stream().mapToLong(table::address).toArray();
        for (int from = 0; from < survivors.length; ) {
            from += texts.readWhole(
                    Arrays.copyOfRange(survivors, from, survivors.length),
                    (address, hit) -> compare(table.rank(address), hit, bySurvivor.get(table.rank(address))),
                    outcome::noRoom);
        }
        return batch.stream().filter(passed::contains).toList();
    }

    /** @param obstacle null if the duplicate may go */
    private boolean stays(Obstacle obstacle) {
        if (obstacle == null) {
            return false;
        }
        outcome.stays(obstacle);
        return true;
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

    private void compare(int survivor, SearchHit hit, List<Duplicate> duplicates) {
        Obstacle ofSurvivor = rule.ofDocument(state(survivor, hit));
        if (ofSurvivor != null) {
            duplicates.forEach(duplicate -> stays(ofSurvivor));
            return;
        }
        List<Duplicate> similar = duplicates;
        if (comparesPairs && options.verify() != null) {
            similar = new ArrayList<>(duplicates);
            similar.removeIf(duplicatesThatDiffer(survivor, hit, duplicates)::contains);
        }
        try (Ending ending = new Ending(rule, looked(survivor, hit), memory, task::ensureNotCancelled)) {
            for (Duplicate duplicate : similar) {
                task.ensureNotCancelled();
                Looked document = looked(duplicate.rank(), documents.get(duplicate.rank()));
                if (stays(ending.obstacle(document, comparesPairs)) == false) {
                    passed.add(duplicate);
                }
            }
        }
    }

    private Set<Duplicate> duplicatesThatDiffer(int survivor, SearchHit hit, List<Duplicate> duplicates) {
        Set<Duplicate> different = new HashSet<>();
        texts.ofHits().prepare(hit, maker(survivor, hit), text -> {
            try (Account kept = new Account(memory);
                    TextComparisons comparisons =
                            new TextComparisons(options.verify(), text, kept, task::ensureNotCancelled)) {
                for (Duplicate duplicate : duplicates) {
                    SearchHit document = documents.get(duplicate.rank());
                    texts.ofHits().prepare(document, maker(duplicate.rank(), document), other -> {
                        Obstacle obstacle = text.isBlank() || other.isBlank()
                                ? Obstacle.NO_TEXT
                                : comparisons.compare(other).isSimilar() ? null : Obstacle.NOT_SIMILAR;
                        if (stays(obstacle)) {
                            different.add(duplicate);
                        }
                    });
                }
            }
        });
        return different;
    }

    private Looked looked(int rank, SearchHit hit) {
        return new Looked(
                hit.getIndex(),
                hit.getId(),
                hit.getSourceAsMap(),
                table.state(rank),
                maker(rank, hit),
                comparedField() == null ? null : HitTexts.text(hit, comparedField()));
    }

    /** The recipe of a fingerprint. One judged before this batch may be judged again. */
    private Fingerprinter maker(int rank, SearchHit hit) {
        if (judged.containsKey(rank) == false && texts.ofHits().isMakerUnclear(hit)) {
            judged.put(rank, texts.freshness(options.kind(), hit));
        }
        Freshness known = judged.get(rank);
        return known == null || known.maker() == null
                ? texts.ofHits().maker(hit.getIndex(), hit.getSourceAsMap())
                : known.maker();
    }
}
