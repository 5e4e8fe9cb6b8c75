/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;

/** The result of a job: counts by name, in documented order. */
public class JobResponse extends ActionResponse implements StatusToXContentObject {

    private final String run;
    private final Map<String, Long> counts;
    private final List<WriteFailure> failures;
    private final List<String> warnings;

    /**
     * @param run null if it has no id
     * @param outcome has failures and warnings
     */
    public JobResponse(String run, Map<String, Long> counts, JobOutcome outcome) {
        this.run = run;
        this.counts = counts;
        this.failures = outcome.failures();
        this.warnings = outcome.warnings();
    }

    public JobResponse(StreamInput in) throws IOException {
        this.run = in.readOptionalString();
        this.counts = in.readOrderedMap(StreamInput::readString, StreamInput::readVLong);
        this.failures = in.readList(WriteFailure::new);
        this.warnings = in.readStringList();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeOptionalString(run);
        out.writeMap(counts, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeList(failures);
        out.writeStringCollection(warnings);
    }

    public final long count(String name) {
        return counts.get(name);
    }

    public final String run() {
        return run;
    }

    public final List<WriteFailure> failures() {
        return failures;
    }

    public final List<String> warnings() {
        return warnings;
    }

    /** The status of the first failure. */
    @Override
    public final RestStatus status() {
        return failures.isEmpty() ? RestStatus.OK : failures.getFirst().status();
    }

    @Override
    public final XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            builder.field(count.getKey(), count.getValue());
        }
        builder.field("failures", failures);
        builder.field("warnings", warnings);
        if (run != null) {
            builder.field("run", run);
        }
        more(builder);
        return builder.endObject();
    }

    /** Adds further fields. */
    protected void more(XContentBuilder builder) throws IOException {}

    /** One line, for the log when nobody waits. */
    @Override
    public final String toString() {
        return Strings.toString(MediaTypeRegistry.JSON, this);
    }
}
