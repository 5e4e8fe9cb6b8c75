/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Folding;
import org.opensearch.simhash.fingerprint.UnreadableTextException;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.TextComparison;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the texts of near documents, prepared by the recipes of their fingerprints, as the query's {@code verify} does. Texts
 * are read from the point in time, all that are expected at a time, and forgotten when others are. One thread.
 */
final class VerifiedTexts implements EdgeCheck {

    private static final int MOST_AT_ONCE = 250;

    /** No more texts are expected beyond so many bytes of them, whatever their number. */
    private static final long BYTES_AT_ONCE = 32 << 20;

    /** A document's text as it is compared. */
    private record Text(String prepared, Folding folding, Analyzer analyzer) {}

    private final Verification verification;
    private final String field;
    private final String scheme;
    private final PipelineRecipes recipes;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    /** What is kept as long as the documents are expected. */
    private final Account texts;

    /** What comparisons with one document take. */
    private final Account comparing;

    private final JobTask task;
    private final Durations times;
    private final ReadSlices slices;
    private final Map<String, PreparingRecipes> byIndex = new HashMap<>();
    private final Map<Integer, Text> prepared = new HashMap<>();
    /** Of those without a text there may be very many, all of them near to each other. */
    private final FixedBitSet blank;

    private final IdentityHashMap<Analyzer, TextComparison> comparisons = new IdentityHashMap<>();
    /** Analyzers that cannot read the document that others are compared with. */
    private final Set<Analyzer> failing = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean hasText;

    private int compared = -1;

    /** @param memory pays for what is read and compared; closed by who has it */
    VerifiedTexts(JobRun run, DocumentTable table, Account memory) {
        this.verification = run.options().verify();
        this.field = run.options().field();
        this.scheme = field + "." + FingerprintFields.SCHEME;
        this.recipes = run.services().recipes();
        this.pointInTime = run.pointInTime();
        this.table = table;
        memory.take(table.size() / Byte.SIZE);
        this.blank = new FixedBitSet(table.size());
        this.texts = new Account(memory);
        this.comparing = new Account(memory);
        this.task = run.task();
        this.times = run.services().searches().comparisons();
        this.slices = new ReadSlices(memory, new Retries(task::ensureNotCancelled));
    }

    @Override
    public int expect(int[] documents) {
        forgetComparisons(-1);
        prepared.clear();
        texts.close();
        int from = 0;
        while (from < documents.length && (from < 2 || texts.taken() < BYTES_AT_ONCE)) {
            task.ensureNotCancelled();
            int to = Math.min(documents.length, from + MOST_AT_ONCE);
            try (ReadSlices.Slice slice = slices.next()) {
                read(Arrays.copyOfRange(documents, from, to), slice);
                from += slice.size();
            }
        }
        return from;
    }

    /**
     * To be asked when all are compared: no groups, because the field has another name, must not look like no near-duplicates.
     *
     * @param isMapped whether an index has such a field
     */
    void requireSome(Predicate<String> isMapped) {
        if (hasText == false && blank.cardinality() > 0 && isMapped.test(verification.field()) == false) {
            throw new IllegalArgumentException("[field] of [verify] must hold a text, got: [" + verification.field()
                    + "], which is mapped in none of the indices, and in none of the " + blank.cardinality()
                    + " documents to compare");
        }
    }

    @Override
    public boolean isComparable(int document) {
        return blank.get(document) == false;
    }

    @Override
    public double similarity(int a, int b) {
        task.ensureNotCancelled();
        long start = System.nanoTime();
        try {
            return compared(a, b);
        } finally {
            times.record(System.nanoTime() - start);
        }
    }

    private double compared(int a, int b) {
        Text first = prepared.get(a);
        Text second = prepared.get(b);
        if (first.prepared.equals(second.prepared)) {
            return 1; // even where the analyzer cannot read them
        }
        if (compared != a) {
            forgetComparisons(a);
        }
        // Only texts that are cut alike can be compared: the candidate's analyzer makes the tokens of both.
        if (failing.contains(second.analyzer)) {
            return -1;
        }
        TextComparison comparison;
        try {
            comparison = comparisons.computeIfAbsent(second.analyzer, analyzer -> comparison(first, analyzer));
        } catch (UnreadableTextException e) {
            failing.add(second.analyzer);
            return -1;
        }
        try (Account buffers = new Account(comparing)) {
            Verdict verdict = comparison.compare(second.prepared, buffers, task::ensureNotCancelled);
            return verdict.isSimilar() ? verdict.similarity() : -1;
        }
    }

    /** What it has prepared stays on the account with it. */
    private TextComparison comparison(Text text, Analyzer analyzer) {
        return new TextComparison(
                verification, text.folding, analyzer, text.prepared, comparing, task::ensureNotCancelled);
    }

    private void forgetComparisons(int next) {
        comparisons.clear();
        failing.clear();
        comparing.close();
        compared = next;
    }

    /** The first of them, as many as make the slice. */
    private void read(int[] documents, ReadSlices.Slice slice) {
        long[] addresses = Arrays.stream(documents).mapToLong(table::address).toArray();
        Set<String> fields = new HashSet<>(List.of(verification.field(), scheme));
        Arrays.stream(documents)
                .mapToObj(table::indexOf)
                .distinct()
                .forEach(index -> fields.addAll(preparing(index).languageFields()));
        Supplier<SearchSourceBuilder> source = () -> new SearchSourceBuilder()
                .fetchSource(fields.toArray(String[]::new), null)
                .storedField(verification.field());
        slice.read(
                pointInTime, addresses, source, (address, hit) -> add(table.rank(address), hit), (hit, rejection) -> {
                    // Whether it is similar to others cannot be known, nor what its groups are.
                    throw new OpenSearchStatusException(
                            "[" + hit.getIndex() + "] [" + hit.getId() + "]: " + ReadSlices.noRoom(rejection),
                            RestStatus.TOO_MANY_REQUESTS,
                            rejection);
                });
    }

    private void add(int rank, SearchHit hit) {
        Map<String, Object> document = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
        Object made = DocumentValues.firstAt(scheme, document).orElse(null);
        Fingerprinter fingerprinter = preparing(hit.getIndex()).preparing(Objects.toString(made, null));
        try (Account buffers = new Account(comparing)) {
            String text = fingerprinter.prepare(text(hit, document), buffers);
            if (text.isBlank()) {
                blank.set(rank);
                return;
            }
            hasText = true;
            texts.take((long) Character.BYTES * text.length());
            String language = DocumentTexts.storedLanguage(fingerprinter.recipe(), document);
            prepared.put(rank, new Text(text, fingerprinter.folding(), fingerprinter.analyzer(language, text)));
        }
    }

    /** From the source, else from the stored field. */
    private String text(SearchHit hit, Map<String, Object> document) {
        String text = DocumentTexts.storedText(verification.field(), document);
        DocumentField stored = hit.field(verification.field());
        if (text == null && stored != null) {
            text = DocumentTexts.storedText(verification.field(), Map.of(verification.field(), stored.getValues()));
        }
        return text == null ? "" : text;
    }

    private PreparingRecipes preparing(String index) {
        return byIndex.computeIfAbsent(index, name -> recipes.preparing(null, field, name));
    }
}
