/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Arrays;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.ingest.DocumentValues;

/** Looks into a few documents for a text that may be in them without being indexed. */
public final class TextSample {

    private static final int SIZE = 20;

    private TextSample() {}

    public static SearchSourceBuilder search(QueryBuilder documents, String field) {
        return new SearchSourceBuilder()
                .query(documents)
                .size(SIZE)
                .trackTotalHits(false)
                .storedField(field)
                .fetchSource(new String[] {field}, null);
    }

    /** Whether one of the documents has a text. */
    public static boolean hasText(SearchResponse found, String field) {
        return Arrays.stream(found.getHits().getHits()).anyMatch(hit -> hasText(hit, field));
    }

    private static boolean hasText(SearchHit hit, String field) {
        return hit.field(field) != null
                || (hit.hasSource()
                        && DocumentValues.firstAt(field, hit.getSourceAsMap()).isPresent());
    }
}
