/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.index.query.BaseQueryRewriteContext;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.scan.JobQuery;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.transport.client.Client;

/**
 * Selects the documents of a job. Lookups inside the queries (terms of a document, the fingerprint of an id) run once,
 * because each page and pass repeats the queries. {@code now} is evaluated each time.
 *
 * @param documents selects documents
 * @param newSince selects the new ones, or null
 */
public record JobQueries(QueryBuilder documents, QueryBuilder newSince) {

    /** Does the lookups, like a search of the point in time. Blocks. */
    public static JobQueries lookUp(
            QueryBuilder documents,
            QueryBuilder newSince,
            PointInTime pointInTime,
            JobServices services,
            Client client,
            Retries retries) {
        SearchSourceBuilder asked = new SearchSourceBuilder().query(documents);
        if (newSince != null) {
            asked.postFilter(newSince);
        }
        SearchSourceBuilder known = lookUp(asked, pointInTime, services, client, retries);
        return new JobQueries(known.query(), known.postFilter());
    }

    /** Does the lookups of one query. Blocks. */
    public static QueryBuilder lookUp(
            QueryBuilder query, PointInTime pointInTime, JobServices services, Client client, Retries retries) {
        return lookUp(new SearchSourceBuilder().query(query), pointInTime, services, client, retries)
                .query();
    }

    private static SearchSourceBuilder lookUp(
            SearchSourceBuilder asked, PointInTime pointInTime, JobServices services, Client client, Retries retries) {
        QueryRewriteContext context = new QueryCoordinatorContext(
                new BaseQueryRewriteContext(
                        services.contents(), services.registry(), client, System::currentTimeMillis),
                pointInTime.request(asked));
        return retries.call(() -> {
            PlainActionFuture<SearchSourceBuilder> found = new PlainActionFuture<>();
            Rewriteable.rewriteAndFetch(asked, context, found);
            return found.actionGet();
        });
    }

    /** The documents that may have a fingerprint or a digest. */
    public QueryBuilder fingerprinted(String field) {
        QueryBuilder either = new BoolQueryBuilder()
                .should(JobQuery.exists(field + "." + FingerprintFields.BITS))
                .should(JobQuery.exists(field + "." + FingerprintFields.DIGEST));
        return with(either);
    }

    /** The documents that have a fingerprint. */
    public QueryBuilder withBits(String field) {
        return with(JobQuery.exists(field + "." + FingerprintFields.BITS));
    }

    private QueryBuilder with(QueryBuilder condition) {
        return new BoolQueryBuilder().filter(documents).filter(condition);
    }
}
