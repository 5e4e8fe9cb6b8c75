/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.job.DeduplicateTask;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.TextComparison;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the texts of near documents, prepared by the recipes of their fingerprints, as the query's {@code verify} does. Texts
 * are read from the point in time, all that are expected at a time, and forgotten when others are. One thread.
 */
final class VerifiedTexts implements EdgeCheck {

    private static final int PAGE = 250;

    /** Copies of a text: source, parsed, prepared. */
    private static final int COPIES = 4;

    /** A document's text as it is compared. */
    private record Text(String prepared, Analyzer analyzer, boolean isEmpty) {}

    private final Verification verification;
    private final String field;
    private final String scheme;
    private final PipelineRecipes recipes;
    private final PointInTime pointInTime;
    private final DocumentTable table;
    private final Account memory;
    private final DeduplicateTask task;
    private final Map<String, List<Fingerprinter>> byIndex = new HashMap<>();
    private final Map<Integer, Text> texts = new HashMap<>();
    private final IdentityHashMap<Analyzer, TextComparison> comparisons = new IdentityHashMap<>();
    private int compared = -1;
    private long bytes;

    VerifiedTexts(JobRun run, DocumentTable table) {
        this.verification = run.options().verify();
        this.field = run.options().field();
        this.scheme = field + "." + FingerprintFields.SCHEME;
        this.recipes = run.services().recipes();
        this.pointInTime = run.pointInTime();
        this.table = table;
        this.memory = run.memory();
        this.task = run.task();
    }

    @Override
    public void expect(int[] documents) {
        texts.clear();
        comparisons.clear();
        compared = -1;
        memory.give(bytes);
        bytes = 0;
        for (int from = 0; from < documents.length; from += PAGE) {
            task.ensureNotCancelled();
            read(Arrays.copyOfRange(documents, from, Math.min(documents.length, from + PAGE)));
        }
    }

    @Override
    public double similarity(int a, int b) {
        task.ensureNotCancelled();
        Text first = texts.get(a);
        Text second = texts.get(b);
        if (first.isEmpty || second.isEmpty) {
            return -1;
        }
        if (compared != a) {
            comparisons.clear();
            compared = a;
        }
        // Only texts that are cut alike can be compared: the candidate's analyzer makes the tokens of both.
        Verdict verdict = comparisons
                .computeIfAbsent(
                        second.analyzer, analyzer -> new TextComparison(verification, analyzer, first.prepared))
                .compare(second.prepared, task::ensureNotCancelled);
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    private void read(int[] documents) {
        long[] addresses = Arrays.stream(documents).mapToLong(table::address).toArray();
        Set<String> fields = new HashSet<>(List.of(verification.field(), scheme));
        for (int document : documents) {
            for (Fingerprinter preparing : preparing(table.indexOf(document))) {
                String language = preparing.recipe().languageField();
                if (language != null) {
                    fields.add(language);
                }
            }
        }
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(fields.toArray(String[]::new), null)
                .storedField(verification.field());
        pointInTime.read(addresses, source, (address, hit) -> {
            long length = hit.hasSource() ? hit.getSourceRef().length() : 0;
            memory.take(length * COPIES);
            bytes += length * COPIES;
            texts.put(table.rank(address), text(hit));
        });
    }

    private Text text(SearchHit hit) {
        Map<String, Object> document = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
        Object made = XContentMapValues.extractValue(scheme, document);
        Fingerprinter fingerprinter = PipelineRecipes.maker(Objects.toString(made, null), preparing(hit.getIndex()));
        String prepared = fingerprinter.prepare(text(hit, document));
        String language = DocumentTexts.language(fingerprinter.recipe(), document);
        return new Text(prepared, fingerprinter.analyzer(language, prepared), prepared.isBlank());
    }

    /** From the source, else from the stored field. */
    private String text(SearchHit hit, Map<String, Object> document) {
        String text = DocumentTexts.text(verification.field(), document);
        DocumentField stored = hit.field(verification.field());
        return text.isEmpty() && stored != null
                ? DocumentTexts.text(verification.field(), Map.of(verification.field(), stored.getValues()))
                : text;
    }

    private List<Fingerprinter> preparing(String index) {
        return byIndex.computeIfAbsent(index, name -> recipes.preparing(null, field, name));
    }
}
