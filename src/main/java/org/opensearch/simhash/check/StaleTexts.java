/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;

/** Checks whether fingerprints or sketches fit the texts beside them, by making some again. */
record StaleTexts(CheckedIndex index, PipelineRecipes recipes, LongConsumer memory) {

    private static final int MOST = 100;

    /** Small, because texts may be large. */
    private static final int PAGE = 20;

    /** @param ids of random documents with fingerprints */
    Optional<Finding> finding(List<String> ids, Function<SearchSourceBuilder, SearchResponse> search) {
        Optional<Step> writer = index.writer();
        if (writer.isEmpty()
                || writer.get().readsTexts() == false
                || writer.get().element() != null) {
            return Optional.empty();
        }
        List<Fingerprinter> fingerprinters =
                recipes.ofWriters(writer.get().pipeline(), writer.get().typedTarget());
        String[] paths = Stream.concat(
                        Stream.of(index.fingerprint()),
                        fingerprinters.stream().flatMap(made -> DocumentTexts.paths(made.recipe()).stream()))
                .toArray(String[]::new);
        List<String> stale = new ArrayList<>();
        int looked = 0;
        for (int from = 0; from < Math.min(MOST, ids.size()); from += PAGE) {
            String[] page = ids.subList(from, Math.min(from + PAGE, ids.size())).toArray(String[]::new);
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(QueryBuilders.idsQuery().addIds(page))
                    .size(PAGE)
                    .trackTotalHits(false)
                    .fetchSource(paths, null);
            for (SearchHit hit : search.apply(source).getHits()) {
                looked++;
                if (hit.hasSource() && isStale(hit.getSourceAsMap(), fingerprinters)) {
                    stale.add(hit.getId());
                }
            }
        }
        if (stale.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                Code.STALE_FINGERPRINT,
                index.name(),
                stale.size() + " of " + looked + " documents looked at have a "
                        + index.kind().noun()
                        + " of another text than theirs: "
                        + DocumentSample.shown(stale) + "; updates change a text without the pipeline",
                MendingRequest.updateByQuery(index.name(), writer.get().pipeline(), index.withValue())));
    }

    /** Whether recipes of the fingerprint's scheme read a text, and none of them makes its digest. */
    private boolean isStale(Map<String, Object> source, List<Fingerprinter> fingerprinters) {
        if (XContentMapValues.extractValue(index.fingerprint(), source) instanceof Map<?, ?> stored) {
            boolean isMadeAgain = false;
            for (Fingerprinter fingerprinter : fingerprinters) {
                if (fingerprinter.scheme().equals(stored.get(FingerprintFields.SCHEME))) {
                    Optional<String> digest = digest(fingerprinter, source);
                    if (digest.isPresent() && digest.get().equals(stored.get(FingerprintFields.DIGEST))) {
                        return false;
                    }
                    isMadeAgain |= digest.isPresent();
                }
            }
            return isMadeAgain;
        }
        return false;
    }

    private Optional<String> digest(Fingerprinter fingerprinter, Map<String, Object> source) {
        try {
            Optional<SourceTexts> texts = DocumentTexts.read(fingerprinter.recipe(), source);
            return texts.map(read -> fingerprinter.digest(read, memory));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
