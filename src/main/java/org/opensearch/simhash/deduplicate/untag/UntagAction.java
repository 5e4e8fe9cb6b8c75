/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.untag;

import static org.opensearch.simhash.options.RequestOptions.declare;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobAction;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRequest;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.transport.client.Client;

/** Clears the tags of all documents, or of those that match a query. */
public final class UntagAction extends JobAction<UntagAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/untag";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public UntagAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
    }

    /** The indices, the fingerprint, the query. */
    public static final class Request extends JobRequest {

        private static final class Body {

            private String field = FingerprintFields.DEFAULT_OBJECT;
            private String sizeField;
            private QueryBuilder query = QueryBuilders.matchAllQuery();
        }

        private static final ObjectParser<Body, Void> PARSER = new ObjectParser<>("untag", Body::new);

        static {
            declare(PARSER, "field", (body, value) -> body.field = value, RequestOptions.text("field"));
            declare(PARSER, "size_field", (body, value) -> body.sizeField = value, RequestOptions.text("size_field"));
            declare(
                    PARSER,
                    "query",
                    (body, value) -> body.query = value,
                    RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        }

        private final String field;
        private final String sizeField;
        private final QueryBuilder query;

        private Request(String[] indices, Body body, WritePace pace) {
            super(indices, pace);
            this.field = body.field;
            this.sizeField = DeduplicateOptions.outside(field, body.sizeField);
            this.query = body.query;
        }

        /** @param parser null if there is no body */
        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, parser == null ? new Body() : RequestOptions.body(PARSER, parser), pace);
        }

        String field() {
            return field;
        }

        /** Null if sizes stay. */
        String sizeField() {
            return sizeField;
        }

        QueryBuilder query() {
            return query;
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }

        @Override
        public String getDescription() {
            return "untag [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        request.leaveOutArchives(services, outcome);
        return () -> new Untagging(services, task, client, outcome).run(request);
    }
}
