/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.simhash.request.RequestTask;
import org.opensearch.tasks.Task;

/** Makes the data of a report that asks no node. {@link GroupsReport} has the limits. */
public final class ReportAction extends ActionType<ReportAction.Response> {

    public static final String NAME = "indices:data/read/simhash/report";
    public static final ReportAction INSTANCE = new ReportAction();

    private ReportAction() {
        super(NAME, Response::new);
    }

    /** An index and one of its runs. */
    public static final class Request extends RequestOnIndices {

        private final String run;
        private final String text;

        /**
         * @param run null means the newest
         * @param text the fields to show, with commas; null for those that were compared
         */
        Request(String dest, String run, String text) {
            super(dest);
            this.run = run;
            this.text = text;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.run = in.readOptionalString();
            this.text = in.readOptionalString();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeOptionalString(run);
            out.writeOptionalString(text);
        }

        String run() {
            return run;
        }

        String text() {
            return text;
        }

        @Override
        public String getDescription() {
            return "report of groups in [" + String.join(",", indices()) + "]";
        }

        @Override
        public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
            return new RequestTask(id, type, action, getDescription(), parent, headers);
        }
    }

    /** The data as JSON. */
    public static final class Response extends ActionResponse {

        private final BytesReference json;

        Response(BytesReference json) {
            this.json = json;
        }

        Response(StreamInput in) throws IOException {
            this.json = in.readBytesReference();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeBytesReference(json);
        }

        String json() {
            return json.utf8ToString();
        }
    }
}
