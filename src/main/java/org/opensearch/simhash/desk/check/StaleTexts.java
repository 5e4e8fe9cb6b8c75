/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SourceTexts;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;

/** Checks whether fingerprints or sketches fit the texts beside them, by making some again, and whether these texts are HTML. */
final class StaleTexts {

    private final List<Fingerprinter> fingerprinters;
    private final CheckedIndex index;
    private final LongConsumer memory;
    private final List<String> stale = new ArrayList<>();
    private final MarkupCounts markup = new MarkupCounts();
    private int looked;

    /** Makes nothing again if no text can be read. */
    StaleTexts(CheckedIndex index, PipelineRecipes recipes, LongConsumer memory) {
        this.index = index;
        this.memory = memory;
        this.fingerprinters = index.writer()
                .filter(step -> step.readsTexts() && step.element() == null)
                .map(step -> recipes.ofWriters(step.pipeline(), step.typedTarget()))
                .orElse(List.of());
    }

    boolean readsTexts() {
        return fingerprinters.isEmpty() == false;
    }

    /** What it reads of a document. */
    Stream<String> paths() {
        return fingerprinters.stream().flatMap(made -> DocumentTexts.paths(made.recipe()).stream());
    }

    void add(SearchHit hit) {
        looked++;
        if (hit.hasSource() && isStale(hit.getSourceAsMap())) {
            stale.add(hit.getId());
        }
    }

    /** @param current schemes of the pipelines */
    void find(Set<String> current, Findings found) {
        if (stale.isEmpty() == false) {
            found.add(
                    Code.STALE_FINGERPRINT,
                    stale.size() + " of " + looked + " documents looked at have a "
                            + index.kind().noun()
                            + " of another text than theirs: "
                            + DocumentSample.shown(stale) + "; updates change a text without the pipeline",
                    DocumentCounts.remaking(index, index.writer().orElseThrow(), current, null));
        }
    }

    /** Whether tags are compared like words. A second setup mends that, where nothing else uses the pipeline. */
    void findMarkup(PipelineSteps pipelines, Findings found) {
        markup.warning().ifPresent(warning -> {
            Step writer = index.writer().orElseThrow();
            Map<String, Object> html = Map.of("html", markup.option());
            found.add(
                    Code.MARKUP_AS_TEXT,
                    warning,
                    pipelines.with(List.of(index), writer, writer.options()) == null
                            ? pipelines.changed(index, writer, html)
                            : pipelines.setup(index, writer.type(), Map.of("processor", html)));
        });
    }

    /** Whether recipes of the fingerprint's scheme read a text, and none of them makes its digest, or its terms. */
    private boolean isStale(Map<String, Object> source) {
        if (XContentMapValues.extractValue(index.fingerprint(), source) instanceof Map<?, ?> stored) {
            boolean isMadeAgain = false;
            for (Fingerprinter fingerprinter : fingerprinters) {
                if (fingerprinter.scheme().equals(stored.get(FingerprintFields.SCHEME))) {
                    if (fingerprinter.recipe().html() == HtmlExtraction.NONE) {
                        markup.add(DocumentTexts.storedText(fingerprinter.recipe(), source));
                    }
                    Optional<String> digest = digest(fingerprinter, source);
                    if (digest.isPresent() && digest.get().equals(digest(stored))) {
                        return false;
                    }
                    isMadeAgain |= digest.isPresent();
                }
            }
            return isMadeAgain;
        }
        return false;
    }

    /** Null if it has none. */
    private String digest(Map<?, ?> stored) {
        if (index.kind() != CheckedKind.PASSAGES) {
            return stored.get(FingerprintFields.DIGEST) instanceof String digest ? digest : null;
        }
        Object terms = stored.get(FingerprintFields.TERMS);
        return terms == null
                ? ""
                : terms instanceof List<?> all ? all.toString() : List.of(terms).toString();
    }

    private String digest(Fingerprinter fingerprinter, SourceTexts texts) {
        if (index.kind() != CheckedKind.PASSAGES) {
            return fingerprinter.digest(texts, memory);
        }
        String[] terms = fingerprinter.passageTerms(texts, memory);
        return terms.length == 0 ? "" : Arrays.toString(terms);
    }

    private Optional<String> digest(Fingerprinter fingerprinter, Map<String, Object> source) {
        try {
            Optional<SourceTexts> texts = DocumentTexts.read(fingerprinter.recipe(), source);
            return texts.map(read -> digest(fingerprinter, read));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
