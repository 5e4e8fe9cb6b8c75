/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

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
import org.opensearch.simhash.deduplicate.groups.GroupReport;
import org.opensearch.simhash.deduplicate.job.WriteFailure;

/**
 * What a job found and did: counts by name, in the order of the contract.
 */
public final class DeduplicateResponse extends ActionResponse implements StatusToXContentObject {

    private final String run;
    private final Map<String, Long> counts;
    private final Map<String, Long> schemes;
    private final Map<String, Long> millis;
    private final List<WriteFailure> failures;
    private final List<GroupReport> examples;

    DeduplicateResponse(
            String run,
            Map<String, Long> counts,
            Map<String, Long> schemes,
            Map<String, Long> millis,
            List<WriteFailure> failures,
            List<GroupReport> examples) {
        this.run = run;
        this.counts = counts;
        this.schemes = schemes;
        this.millis = millis;
        this.failures = failures;
        this.examples = examples;
    }

    DeduplicateResponse(StreamInput in) throws IOException {
        this.run = in.readString();
        this.counts = in.readOrderedMap(StreamInput::readString, StreamInput::readVLong);
        this.schemes = in.readOrderedMap(StreamInput::readString, StreamInput::readVLong);
        this.millis = in.readOrderedMap(StreamInput::readString, StreamInput::readVLong);
        this.failures = in.readList(WriteFailure::new);
        this.examples = in.readList(GroupReport::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(run);
        out.writeMap(counts, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeMap(millis, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeList(failures);
        out.writeList(examples);
    }

    /** A count by its name in the answer. */
    public long count(String name) {
        return counts.get(name);
    }

    public String run() {
        return run;
    }

    List<WriteFailure> failures() {
        return failures;
    }

    @Override
    public RestStatus status() {
        return WriteFailure.status(failures);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            builder.field(count.getKey(), count.getValue());
        }
        builder.field("failures", failures);
        builder.field("run", run);
        builder.field("schemes", schemes);
        builder.field("phases_millis", millis);
        builder.field("examples", examples);
        return builder.endObject();
    }

    /** One line in the log when nobody waits for the answer. */
    @Override
    public String toString() {
        return Strings.toString(MediaTypeRegistry.JSON, this);
    }
}
