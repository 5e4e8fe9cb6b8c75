/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.tasks.Task;

/**
 * The progress of a job.
 *
 * @param run the id in its answer and in the archive; null before it starts
 * @param deletion null unless it deletes
 * @param written documents tagged, cleared, deleted or restored, and groups in {@code dest}; not copies in an archive
 * @param requestsPerSecond most documents written per second; -1 for no limit
 * @param total steps of the phase; 0 if their time is unknown
 * @param throttled milliseconds spent waiting for the pace
 * @param throttledUntil milliseconds left of the present wait; 0 without one
 * @param remaining estimated milliseconds of the phase; -1 if unknown
 */
public record JobStatus(
        String phase,
        String run,
        Deletion deletion,
        long documents,
        long read,
        long compared,
        long groups,
        long written,
        int passes,
        float requestsPerSecond,
        long total,
        long done,
        long throttled,
        long throttledUntil,
        long remaining)
        implements Task.Status {

    private static final double PERMILLE = 1_000;

    public static final String NAME = "simhash_deduplicate";

    public JobStatus(StreamInput in) throws IOException {
        this(
                MessageForm.read(in).readString(),
                in.readOptionalString(),
                in.readOptionalWriteable(Deletion::new),
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readVInt(),
                in.readFloat(),
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readZLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeString(phase);
        out.writeOptionalString(run);
        out.writeOptionalWriteable(deletion);
        out.writeVLong(documents);
        out.writeVLong(read);
        out.writeVLong(compared);
        out.writeVLong(groups);
        out.writeVLong(written);
        out.writeVInt(passes);
        out.writeFloat(requestsPerSecond);
        out.writeVLong(total);
        out.writeVLong(done);
        out.writeVLong(throttled);
        out.writeVLong(throttledUntil);
        out.writeZLong(remaining);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        builder.field("phase", phase);
        if (run != null) {
            builder.field("run", run);
        }
        if (deletion != null) {
            deletion.toXContent(builder, params);
        }
        builder.field("documents", documents);
        builder.field("documents_read", read);
        builder.field("pairs_compared", compared);
        builder.field("groups", groups);
        builder.field("written", written);
        builder.field("passes", passes);
        builder.field("requests_per_second", requestsPerSecond);
        builder.field("throttled_millis", throttled);
        builder.field("throttled_until_millis", throttledUntil);
        if (total > 0) {
            builder.field("total", total);
            builder.field("percent", Math.floor(PERMILLE * done / total) / 10);
        }
        if (remaining >= 0) {
            builder.field("estimated_remaining_millis", remaining);
        }
        return builder.endObject();
    }

    /** Where a job deletes. */
    public record Deletion(List<String> indices, String survivor) implements Writeable, ToXContentFragment {

        Deletion(StreamInput in) throws IOException {
            this(in.readStringList(), in.readString());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeStringCollection(indices);
            out.writeString(survivor);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.field("deletes_from", indices).field("survivor", survivor);
        }
    }

    public enum Phase {
        WAITING,
        SCAN,
        JOIN,
        READ,
        GROUP,
        WRITE,
        DONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
