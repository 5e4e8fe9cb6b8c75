/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.filter.Filter;
import org.opensearch.search.aggregations.bucket.nested.Nested;
import org.opensearch.search.aggregations.bucket.nested.ReverseNested;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;

/**
 * Counts the documents of an index by one search with aggregations. Costs a pass over doc values.
 *
 * @param unread documents with a text and without a fingerprint
 * @param unsliced documents that queries can compare, but without the terms by which they are found
 */
public record DocumentCounts(PrintCounts counts, Map<String, Long> schemes, long unread, long unsliced) {

    static final DocumentCounts NONE = new DocumentCounts(PrintCounts.NONE, Map.of(), 0, 0);

    private static final int MOST_SCHEMES = 1_000;

    private static final String FINGERPRINTED = "fingerprinted";
    private static final String MARKED = "marked";
    private static final String SCHEMES = "schemes";
    private static final String DOCUMENTS = "documents";
    private static final String UNREAD = "unread";
    private static final String UNSLICED = "unsliced";

    static DocumentCounts of(SearchResponse response, CheckedIndex index) {
        long documents = response.getHits().getTotalHits().value();
        long fingerprinted = count(response, FINGERPRINTED);
        long marked = Math.max(count(response, MARKED), fingerprinted);
        Map<String, Long> schemes = new LinkedHashMap<>();
        addSchemes(aggregation(response, SCHEMES), schemes);
        return new DocumentCounts(
                new PrintCounts(documents, fingerprinted, marked - fingerprinted, documents - marked),
                schemes,
                index.hasFingerprintFields() ? count(response, UNREAD) : documents,
                count(response, UNSLICED));
    }

    static SearchSourceBuilder search(CheckedIndex index) {
        SearchSourceBuilder source = new SearchSourceBuilder().size(0).trackTotalHits(true);
        String scheme = index.terms(FingerprintFields.SCHEME);
        String digest = index.terms(FingerprintFields.DIGEST);
        boolean hasValue = index.mapping().maps(index.path(index.kind().value()));
        if (hasValue) {
            source.aggregation(AggregationBuilders.filter(FINGERPRINTED, index.withValue()));
        }
        if (scheme != null || digest != null) {
            String marked = scheme == null ? digest : scheme;
            source.aggregation(
                    AggregationBuilders.filter(MARKED, index.around(marked, QueryBuilders.existsQuery(marked))));
        }
        if (scheme != null) {
            source.aggregation(schemes(index, scheme));
        }
        if (hasValue && index.terms(index.kind().candidates()) != null) {
            source.aggregation(AggregationBuilders.filter(UNSLICED, unsliced(index)));
        }
        withoutFingerprint(index).ifPresent(query -> source.aggregation(AggregationBuilders.filter(UNREAD, query)));
        return source;
    }

    private static AggregationBuilder schemes(CheckedIndex index, String scheme) {
        TermsAggregationBuilder terms =
                AggregationBuilders.terms(SCHEMES).field(scheme).size(MOST_SCHEMES);
        Optional<String> nested = index.nested(scheme);
        return nested.isEmpty()
                ? terms
                : AggregationBuilders.nested(SCHEMES, nested.get())
                        .subAggregation(terms.subAggregation(AggregationBuilders.reverseNested(DOCUMENTS)));
    }

    private static void addSchemes(Aggregation found, Map<String, Long> schemes) {
        if (found instanceof Nested nested) {
            addSchemes(nested.getAggregations().get(SCHEMES), schemes);
        } else if (found instanceof Terms terms) {
            for (Terms.Bucket bucket : terms.getBuckets()) {
                Aggregation documents = bucket.getAggregations().get(DOCUMENTS);
                schemes.put(
                        bucket.getKeyAsString(),
                        documents instanceof ReverseNested outside ? outside.getDocCount() : bucket.getDocCount());
            }
        }
    }

    /** Documents that should have a fingerprint: those with a text, if the mapping shows which they are. Else empty. */
    static Optional<QueryBuilder> withoutFingerprint(CheckedIndex index) {
        String scheme = index.terms(FingerprintFields.SCHEME);
        String marked = scheme == null ? index.terms(FingerprintFields.DIGEST) : scheme;
        BoolQueryBuilder query = QueryBuilders.boolQuery();
        if (marked != null) {
            query.mustNot(index.around(marked, QueryBuilders.existsQuery(marked)));
        }
        withText(index).ifPresent(query::filter);
        return query.hasClauses() ? Optional.of(query) : Optional.empty();
    }

    /** Documents with a field that the pipeline reads; empty if the mapping does not tell which they are. */
    public static Optional<QueryBuilder> withText(CheckedIndex index) {
        BoolQueryBuilder anyText = QueryBuilders.boolQuery().minimumShouldMatch(1);
        for (String field : index.textFields()) {
            if (tells(index, field) == false) {
                return Optional.empty();
            }
            anyText.should(index.around(field, QueryBuilders.existsQuery(field)));
        }
        return anyText.hasClauses() ? Optional.of(anyText) : Optional.empty();
    }

    /** Makes fingerprints of these schemes again; words where the mapping does not tell who would lose theirs. Null: all documents. */
    static String remaking(CheckedIndex index, Step writer, Collection<String> schemes, QueryBuilder wanted) {
        String scheme = index.terms(FingerprintFields.SCHEME);
        Optional<QueryBuilder> withText = withText(index);
        if (scheme == null || withText.isEmpty() || schemes.isEmpty()) {
            return "Run the documents that have " + index.textFields() + " through the pipeline [" + writer.pipeline()
                    + "] again. Others would lose their " + index.kind().noun() + "s.";
        }
        BoolQueryBuilder query = QueryBuilders.boolQuery()
                .filter(index.around(scheme, QueryBuilders.termsQuery(scheme, schemes)))
                .filter(withText.get());
        return MendingRequest.updateByQuery(index, writer.pipeline(), wanted == null ? query : query.filter(wanted));
    }

    private static boolean tells(CheckedIndex index, String field) {
        Map<?, ?> definition = index.mapping().definition(field);
        return definition != null
                && "false".equals(String.valueOf(definition.get("enabled"))) == false
                && "false".equals(String.valueOf(definition.get("index"))) == false;
    }

    static QueryBuilder unsliced(CheckedIndex index) {
        String terms = index.terms(index.kind().candidates());
        return QueryBuilders.boolQuery()
                .filter(index.withValue())
                .mustNot(index.around(terms, QueryBuilders.existsQuery(terms)));
    }

    private static long count(SearchResponse response, String name) {
        return aggregation(response, name) instanceof Filter filter ? filter.getDocCount() : 0;
    }

    /** Null if it was not asked for. */
    private static Aggregation aggregation(SearchResponse response, String name) {
        return response.getAggregations() == null
                ? null
                : response.getAggregations().get(name);
    }

    /** At least so many documents have a fingerprint, but not what made it. */
    long withoutScheme() {
        long known = schemes.values().stream().mapToLong(Long::longValue).sum();
        return Math.max(0, counts.fingerprinted() - known);
    }
}
