/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CutText;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.PreparingRecipes;

/** Prepares the texts of hits by the recipes of their fingerprints, like {@code verify} of the query. Not thread-safe. */
public final class HitTexts {

    private final PipelineRecipes recipes;
    private final String textField;
    private final String fingerprint;
    private final String scheme;
    private final LongConsumer memory;
    private final boolean withPassages;
    private final Map<String, PreparingRecipes> byIndex = new HashMap<>();

    /**
     * @param textField the field to read; null for what the fingerprint is made of
     * @param fingerprint the fingerprint object; its scheme selects the recipe
     */
    public HitTexts(
            PipelineRecipes recipes, String textField, String fingerprint, boolean withPassages, LongConsumer memory) {
        this.recipes = recipes;
        this.textField = textField;
        this.fingerprint = fingerprint;
        this.scheme = fingerprint + "." + FingerprintFields.SCHEME;
        this.withPassages = withPassages;
        this.memory = memory;
    }

    /** A search for {@link #fields}. */
    public SearchSourceBuilder source(Collection<String> indices, boolean isWhole) {
        String[] fields = fields(indices, isWhole).toArray(String[]::new);
        return withStoredField(new SearchSourceBuilder().fetchSource(fields, null));
    }

    /**
     * What {@link #prepare} reads of hits in these indices.
     *
     * @param isWhole whether the fingerprint, and all that it may be made of, are read, too
     */
    public Set<String> fields(Collection<String> indices, boolean isWhole) {
        Set<String> fields = new HashSet<>(List.of(isWhole ? fingerprint : scheme));
        if (textField != null) {
            fields.add(textField);
        }
        boolean readsAll = textField == null || withPassages || isWhole;
        for (String index : indices) {
            PreparingRecipes of = preparing(index);
            fields.addAll(readsAll ? of.textFields() : of.languageFields());
        }
        return fields;
    }

    /** The text to compare may be only a stored field. */
    public SearchSourceBuilder withStoredField(SearchSourceBuilder source) {
        return textField == null ? source : source.storedField(textField);
    }

    /** Whether several recipes have the scheme of a document: then the scheme does not tell which fields were read. */
    public boolean isMakerUnclear(SearchHit hit) {
        String made = hit.hasSource() ? made(hit.getSourceAsMap()) : null;
        return made != null && preparing(hit.getIndex()).makers(made).size() > 1;
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
            CutText passages = withPassages ? passages(hit, document, buffers) : null;
            texts.accept(new PreparedText(
                    text, fingerprinter.analyzer(language, text), language, fingerprinter::factor, passages));
        }
    }

    /** By the first recipe of the scheme that finds a text; without words if none does. */
    private CutText passages(SearchHit hit, Map<String, Object> document, LongConsumer buffers) {
        String made = made(document);
        PreparingRecipes known = preparing(hit.getIndex());
        List<Fingerprinter> makers = made == null ? List.of() : known.makers(made);
        for (Fingerprinter maker : makers.isEmpty() ? List.of(known.preparing(made)) : makers) {
            Optional<SourceTexts> texts = DocumentTexts.readable(maker.recipe(), document);
            try {
                if (texts.isPresent()) {
                    return maker.cut(texts.get(), buffers);
                }
            } catch (UnreadableTextException e) {
                break; // it has no terms either
            }
        }
        return new CutText(new Words(buffers), "", 1);
    }

    private Fingerprinter preparing(String index, Map<String, Object> document) {
        return textField == null ? maker(index, document) : preparing(index).preparing(made(document));
    }

    private String made(Map<String, Object> document) {
        return Objects.toString(DocumentValues.firstAt(scheme, document).orElse(null), null);
    }

    /** The recipe of a fingerprint. If several of its scheme read different fields, the first one that finds a text. */
    public Fingerprinter maker(String index, Map<String, Object> document) {
        String made = made(document);
        PreparingRecipes known = preparing(index);
        return made == null
                ? known.preparing(null)
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

    public PreparingRecipes preparing(String index) {
        return byIndex.computeIfAbsent(index, name -> recipes.preparing(null, fingerprint, name));
    }
}
