/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.List;
import java.util.Set;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.transport.client.Client;

/**
 * A run and all that it works with.
 *
 * @param client sends requests as children of the task
 * @param memory accounts for what the run keeps; its creator closes it
 */
public record JobRun(
        JobServices services,
        JobTask task,
        Client client,
        DeduplicateOptions options,
        JobQueries queries,
        JobFields fields,
        PointInTime pointInTime,
        Account memory) {

    public StoredTexts texts(String textField, boolean withPassages, Account account) {
        PipelineRecipes recipes = services.recipes(options.kind());
        return new StoredTexts(pointInTime, recipes, textField, options.field(), withPassages, account, task.retries());
    }

    /**
     * How the indices of a job map the fields that it names.
     *
     * @param indices with fingerprints, or with any documents if candidates are given; ascending
     * @param survivor sorts by the survivor fields, without {@code _id}
     * @param onLinks the conditions on a pair that the links do not meet by themselves
     * @param areLongHashes whether the job compares hashes of more than 64 bits
     */
    public record JobFields(
            List<String> indices, List<SortBuilder<?>> survivor, PairConditions onLinks, boolean areLongHashes) {}

    /** Refuses what the user does not get as it is stored, if it is read to be written again or copied. */
    public void requireWhole(long[] documents) {
        if (options.action() == DeduplicateOptions.Action.DELETE
                || options.merge().isEmpty() == false) {
            pointInTime.requireWhole(documents);
        }
    }

    /**
     * Selects the documents of a job. Lookups inside the queries (terms of a document, the fingerprint of an id) run once,
     * because each page and pass repeats the queries. {@code now} is evaluated each time.
     *
     * @param against selects those that they are compared with; null if they are compared with one another
     */
    public record JobQueries(
            QueryBuilder path, QueryBuilder against, QueryBuilder newSince, Set<String> ofPath, Set<String> ofOthers) {

        public JobQueries(QueryBuilder path, QueryBuilder newSince) {
            this(path, null, newSince, Set.of(), Set.of());
        }

        /** The same with two sides. What both select is of the path. */
        public JobQueries against(QueryBuilder others, Set<String> indices, Set<String> indicesOfOthers) {
            BoolQueryBuilder one = new BoolQueryBuilder()
                    .filter(path)
                    .filter(QueryBuilders.termsQuery(IndexFieldMapper.NAME, indices));
            BoolQueryBuilder other = new BoolQueryBuilder()
                    .filter(others)
                    .filter(QueryBuilders.termsQuery(IndexFieldMapper.NAME, indicesOfOthers))
                    .mustNot(one);
            return new JobQueries(one, other, newSince, indices, indicesOfOthers);
        }

        public JobQueries newSince(QueryBuilder changed) {
            return new JobQueries(path, against, changed, ofPath, ofOthers);
        }

        public boolean isOfPath(String index) {
            return against == null || ofPath.contains(index);
        }

        public boolean isOfOthers(String index) {
            return ofOthers.contains(index);
        }

        public QueryBuilder documents() {
            return against == null ? path : new BoolQueryBuilder().should(path).should(against);
        }

        /** The documents that may have a fingerprint or a digest. */
        public QueryBuilder fingerprinted(String field) {
            return with(new BoolQueryBuilder()
                    .should(JobQuery.exists(field + "." + FingerprintFields.BITS))
                    .should(JobQuery.exists(field + "." + FingerprintFields.BITS_256))
                    .should(JobQuery.exists(field + "." + FingerprintFields.DIGEST))
                    .should(JobQuery.exists(field + "." + FingerprintFields.TERMS)));
        }

        public QueryBuilder withBits(String field) {
            return with(new BoolQueryBuilder()
                    .should(JobQuery.exists(field + "." + FingerprintFields.BITS))
                    .should(JobQuery.exists(field + "." + FingerprintFields.BITS_256)));
        }

        private QueryBuilder with(QueryBuilder condition) {
            return new BoolQueryBuilder().filter(documents()).filter(condition);
        }
    }
}
