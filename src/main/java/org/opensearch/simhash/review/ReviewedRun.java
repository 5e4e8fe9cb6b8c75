/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.time.Instant;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A run with its numbers of groups.
 *
 * @param at when it began to write groups, in milliseconds since 1970
 */
record ReviewedRun(String run, long at, long groups, long accepted, long rejected, long skipped)
        implements Writeable, ToXContentObject {

    ReviewedRun(StreamInput in) throws IOException {
        this(in.readString(), in.readZLong(), in.readVLong(), in.readVLong(), in.readVLong(), in.readVLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(run);
        out.writeZLong(at);
        out.writeVLong(groups);
        out.writeVLong(accepted);
        out.writeVLong(rejected);
        out.writeVLong(skipped);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject()
                .field("run", run)
                .field("run_at", Instant.ofEpochMilli(at).toString())
                .field("groups", groups)
                .field("accepted", accepted)
                .field("rejected", rejected)
                .field("skipped", skipped)
                .endObject();
    }
}
