/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.request.RequestOnIndices;

/** Lists the runs of an archive. Costs an aggregation over the archive and a get per run. */
public final class RunsAction extends ActionType<RunsAction.Response> {

    public static final String NAME = "indices:data/read/simhash/runs";
    public static final RunsAction INSTANCE = new RunsAction();

    private RunsAction() {
        super(NAME, Response::new);
    }

    /** The archive. */
    public static final class Request extends RequestOnIndices {

        /** @param archive indices, aliases or patterns */
        public Request(String... archive) {
            super(archive);
        }

        Request(StreamInput in) throws IOException {
            super(in);
        }
    }

    /** The runs, the latest first. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final List<ArchivedRun> runs;
        private final List<String> warnings;

        Response(List<ArchivedRun> runs, List<String> warnings) {
            this.runs = runs;
            this.warnings = warnings;
        }

        Response(StreamInput in) throws IOException {
            this.runs = in.readList(ArchivedRun::new);
            this.warnings = in.readStringList();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeList(runs);
            out.writeStringCollection(warnings);
        }

        public List<ArchivedRun> runs() {
            return runs;
        }

        public List<String> warnings() {
            return warnings;
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject()
                    .field("runs", runs)
                    .field("warnings", warnings)
                    .endObject();
        }
    }
}
