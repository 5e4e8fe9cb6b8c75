/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A run that has copies in an archive.
 *
 * @param archivedAt when it began, in milliseconds since 1970; negative where the copies do not say
 * @param indices where the copies came from
 * @param restoredAt when it was restored last; negative when it was not
 * @param restored documents that were created by restores
 */
public record ArchivedRun(
        String run, long archivedAt, long copies, List<String> indices, long restoredAt, long restored)
        implements Writeable, ToXContentObject {

    ArchivedRun(StreamInput in) throws IOException {
        this(in.readString(), in.readZLong(), in.readVLong(), in.readStringList(), in.readZLong(), in.readVLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(run);
        out.writeZLong(archivedAt);
        out.writeVLong(copies);
        out.writeStringCollection(indices);
        out.writeZLong(restoredAt);
        out.writeVLong(restored);
    }

    /** Of an index each has a part: of both together. */
    ArchivedRun and(ArchivedRun other) {
        return new ArchivedRun(
                run,
                Math.max(archivedAt, other.archivedAt),
                copies + other.copies,
                Stream.concat(indices.stream(), other.indices.stream())
                        .distinct()
                        .sorted()
                        .toList(),
                Math.max(restoredAt, other.restoredAt),
                restored + other.restored);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject().field("run", run);
        if (archivedAt >= 0) {
            builder.field("archived_at", Instant.ofEpochMilli(archivedAt).toString());
        }
        builder.field("copies", copies).field("indices", indices).field("restored", restoredAt >= 0);
        if (restoredAt >= 0) {
            builder.field("restored_at", Instant.ofEpochMilli(restoredAt).toString());
            builder.field("restored_documents", restored);
        }
        return builder.endObject();
    }
}
