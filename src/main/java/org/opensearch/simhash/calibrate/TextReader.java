/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.memory.Account;

/**
 * Reads the texts of documents, prepared by the recipes of their fingerprints, as the query's {@code verify} does. About 5 MB at a
 * time; what is prepared stays on the account of the caller. One thread.
 */
final class TextReader {

    private final PointInTime pointInTime;
    private final PipelineRecipes recipes;
    private final JobTask task;
    private final String textField;
    private final String fingerprint;
    private final String scheme;
    private final Account memory;
    private final ReadSlices slices;
    private final Map<String, PreparingRecipes> byIndex = new HashMap<>();
    private final Set<String> paths = new HashSet<>();

    /**
     * Reads nothing yet.
     *
     * @param textField the text
     * @param fingerprint the fingerprint object, whose scheme says by which recipe a text is prepared
     * @param memory pays for what is being read
     */
    TextReader(
            PointInTime pointInTime,
            PipelineRecipes recipes,
            JobTask task,
            String textField,
            String fingerprint,
            Account memory) {
        this.pointInTime = pointInTime;
        this.recipes = recipes;
        this.task = task;
        this.textField = textField;
        this.fingerprint = fingerprint;
        this.scheme = fingerprint + "." + FingerprintFields.SCHEME;
        this.memory = memory;
        this.slices = new ReadSlices(memory, new Retries(task::ensureNotCancelled));
        paths.add(textField);
        paths.add(scheme);
        for (String index : pointInTime.indices()) {
            paths.addAll(preparing(index).languageFields());
        }
    }

    /**
     * The texts of documents by their addresses.
     *
     * @param texts pays for what is kept
     */
    Map<Long, DocumentText> read(long[] addresses, Account texts) {
        Map<Long, DocumentText> read = new HashMap<>();
        for (int from = 0; from < addresses.length; ) {
            task.ensureNotCancelled();
            try (ReadSlices.Slice slice = slices.next()) {
                slice.read(
                        pointInTime,
                        Arrays.copyOfRange(addresses, from, addresses.length),
                        () -> new SearchSourceBuilder()
                                .fetchSource(paths.toArray(String[]::new), null)
                                .storedField(textField),
                        (address, hit) -> read.put(address, text(hit, texts)),
                        TextReader::refuse);
                from += slice.size();
            }
        }
        return read;
    }

    private static void refuse(SearchHit hit, RuntimeException rejection) {
        throw new OpenSearchStatusException(
                "[" + hit.getIndex() + "] [" + hit.getId() + "]: " + ReadSlices.noRoom(rejection),
                RestStatus.TOO_MANY_REQUESTS,
                rejection);
    }

    private DocumentText text(SearchHit hit, Account texts) {
        Map<String, Object> document = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
        Object made = DocumentValues.firstAt(scheme, document).orElse(null);
        Fingerprinter fingerprinter = preparing(hit.getIndex()).preparing(Objects.toString(made, null));
        try (Account buffers = new Account(memory)) {
            String prepared = fingerprinter.prepare(value(hit, document), buffers);
            texts.take((long) Character.BYTES * prepared.length());
            String language = DocumentTexts.storedLanguage(fingerprinter.recipe(), document);
            return new DocumentText(prepared, fingerprinter.folding(), fingerprinter.analyzer(language, prepared));
        }
    }

    /** From the source, else from the stored field. */
    private String value(SearchHit hit, Map<String, Object> document) {
        String text = DocumentTexts.storedText(textField, document);
        DocumentField stored = hit.field(textField);
        if (text == null && stored != null) {
            text = DocumentTexts.storedText(textField, Map.of(textField, stored.getValues()));
        }
        return text == null ? "" : text;
    }

    private PreparingRecipes preparing(String index) {
        return byIndex.computeIfAbsent(index, name -> recipes.preparing(null, fingerprint, name));
    }
}
