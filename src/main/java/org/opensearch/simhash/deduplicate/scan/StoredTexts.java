/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.Freshness;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.PreparedText;

/**
 * Reads the texts of documents in slices ({@link ReadSlices}) and prepares them by the recipes of their fingerprints,
 * like {@code verify} of the query. Not thread-safe.
 */
public final class StoredTexts {

    /**
     * A text beside its fingerprint.
     *
     * @param freshness of the fingerprint
     * @param text to compare; blank if there is none
     */
    public record Judged(Freshness freshness, PreparedText text) {}

    private final PointInTime pointInTime;
    private final PipelineRecipes recipes;
    private final String textField;
    private final String fingerprint;
    private final String scheme;
    private final LongConsumer memory;
    private final ReadSlices slices;
    private final Map<String, PreparingRecipes> byIndex = new HashMap<>();

    /**
     * @param textField the field to read; null for what the fingerprint is made of
     * @param fingerprint the fingerprint object; its scheme selects the recipe
     * @param memory pays for a slice while it is read
     */
    public StoredTexts(
            PointInTime pointInTime,
            PipelineRecipes recipes,
            String textField,
            String fingerprint,
            LongConsumer memory,
            Retries retries) {
        this.pointInTime = pointInTime;
        this.recipes = recipes;
        this.textField = textField;
        this.fingerprint = fingerprint;
        this.scheme = fingerprint + "." + FingerprintFields.SCHEME;
        this.memory = memory;
        this.slices = new ReadSlices(memory, retries);
    }

    /**
     * Reads as many of the documents, from the first one on, as fit into a slice.
     *
     * @param texts gets each text with the document's address, and accounts for what it keeps
     * @return number of documents read
     * @throws OpenSearchStatusException if a document does not fit even alone, so that its similarity is unknown
     */
    public int read(long[] addresses, BiConsumer<Long, PreparedText> texts) {
        return read(
                addresses,
                scheme,
                (address, hit) -> prepare(hit, text -> texts.accept(address, text)),
                StoredTexts::refuse);
    }

    /** The same, and whether each fingerprint is that of its text. */
    public int readJudged(SketchKind kind, long[] addresses, BiConsumer<Long, Judged> texts) {
        return readWhole(
                addresses,
                (address, hit) -> {
                    Freshness freshness = freshness(kind, hit);
                    prepare(hit, freshness.maker(), text -> texts.accept(address, new Judged(freshness, text)));
                },
                StoredTexts::refuse);
    }

    /** Whether the fingerprint of a document is that of its text. */
    public Freshness freshness(SketchKind kind, SearchHit hit) {
        return hit.hasSource()
                ? Freshness.of(kind, fingerprint, hit.getSourceAsMap(), preparing(hit.getIndex()), memory)
                : new Freshness(Freshness.State.UNREADABLE, null);
    }

    /** Whether several recipes have the scheme of a document, so that it does not tell what the fingerprint is made of. */
    public boolean isMakerUnclear(SearchHit hit) {
        return textField == null
                && hit.hasSource()
                && DocumentValues.firstAt(scheme, hit.getSourceAsMap())
                        .filter(made -> preparing(hit.getIndex())
                                        .makers(made.toString())
                                        .size()
                                > 1)
                        .isPresent();
    }

    /**
     * Reads hits with the fingerprint and all that it may be made of, as many as fit.
     *
     * @param refused gets documents that do not fit even alone, and why
     */
    public int readWhole(
            long[] addresses, BiConsumer<Long, SearchHit> hits, BiConsumer<SearchHit, RuntimeException> refused) {
        return read(addresses, fingerprint, hits, refused);
    }

    /** @param part of the fingerprint to read besides texts */
    private int read(
            long[] addresses,
            String part,
            BiConsumer<Long, SearchHit> hits,
            BiConsumer<SearchHit, RuntimeException> refused) {
        Set<String> fields = new HashSet<>(List.of(part));
        if (textField != null) {
            fields.add(textField);
        }
        boolean readsAll = textField == null || part.equals(fingerprint);
        Arrays.stream(addresses)
                .mapToInt(pointInTime::shardOf)
                .mapToObj(shard -> pointInTime.shards().get(shard).getIndexName())
                .distinct()
                .map(this::preparing)
                .forEach(index -> fields.addAll(readsAll ? index.textFields() : index.languageFields()));
        Supplier<SearchSourceBuilder> source =
                () -> withStoredField(new SearchSourceBuilder().fetchSource(fields.toArray(String[]::new), null));
        try (ReadSlices.Slice slice = slices.next()) {
            slice.read(pointInTime, addresses, source, hits, refused);
            return slice.size();
        }
    }

    /** The text to compare may be only a stored field. */
    public SearchSourceBuilder withStoredField(SearchSourceBuilder source) {
        return textField == null ? source : source.storedField(textField);
    }

    public void readAll(long[] addresses, BiConsumer<Long, PreparedText> texts) {
        for (int from = 0; from < addresses.length; ) {
            from += read(Arrays.copyOfRange(addresses, from, addresses.length), texts);
        }
    }

    private static void refuse(SearchHit hit, RuntimeException rejection) {
        throw new OpenSearchStatusException(
                "[" + hit.getIndex() + "] [" + hit.getId() + "]: " + ReadSlices.noRoom(rejection),
                RestStatus.TOO_MANY_REQUESTS,
                rejection);
    }

    private void prepare(SearchHit hit, Consumer<PreparedText> texts) {
        prepare(hit, null, texts);
    }

    /**
     * Prepares the text to compare.
     *
     * @param maker of the fingerprint; null if it is not known
     */
    public void prepare(SearchHit hit, Fingerprinter maker, Consumer<PreparedText> texts) {
        Map<String, Object> document = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
        Fingerprinter fingerprinter = maker == null ? preparing(hit.getIndex(), document) : maker;
        try (Account buffers = new Account(memory)) {
            String text = fingerprinter.prepare(text(hit, document, fingerprinter), buffers);
            String language = DocumentTexts.storedLanguage(fingerprinter.recipe(), document);
            texts.accept(new PreparedText(
                    text, fingerprinter.folding(), fingerprinter.analyzer(language, text), fingerprinter::factor));
        }
    }

    /** If several recipes of the scheme read different fields, the first one that finds a text. */
    private Fingerprinter preparing(String index, Map<String, Object> document) {
        String made = Objects.toString(DocumentValues.firstAt(scheme, document).orElse(null), null);
        PreparingRecipes known = preparing(index);
        return textField != null || made == null
                ? known.preparing(made)
                : known.makers(made).stream()
                        .filter(maker -> DocumentTexts.storedText(maker.recipe(), document) != null)
                        .findFirst()
                        .orElseGet(() -> known.preparing(made));
    }

    private String text(SearchHit hit, Map<String, Object> document, Fingerprinter maker) {
        return textField == null
                ? Objects.requireNonNullElse(DocumentTexts.storedText(maker.recipe(), document), "")
                : text(hit, textField);
    }

    /** The stored text of a document: from the source, else from the stored field; empty if there is none. */
    public static String text(SearchHit hit, String field) {
        String text = hit.hasSource() ? DocumentTexts.storedText(field, hit.getSourceAsMap()) : null;
        DocumentField stored = hit.field(field);
        if (text == null && stored != null) {
            text = DocumentTexts.storedText(field, Map.of(field, stored.getValues()));
        }
        return text == null ? "" : text;
    }

    private PreparingRecipes preparing(String index) {
        return byIndex.computeIfAbsent(index, name -> recipes.preparing(null, fingerprint, name));
    }
}
