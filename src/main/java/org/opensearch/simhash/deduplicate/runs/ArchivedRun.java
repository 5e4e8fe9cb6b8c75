/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A run with copies in an archive.
 *
 * @param archivedAt when it began, in milliseconds since 1970; negative if unknown
 * @param indices of the copied documents
 * @param restoredAt the last restore; negative if there was none
 * @param restored documents that restores created
 * @param error why it is unknown whether it was restored, or null
 */
public record ArchivedRun(
        String run, long archivedAt, long copies, List<String> indices, long restoredAt, long restored, String error)
        implements ToXContentObject {

    /** Adds the copies in another index. */
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
                restored + other.restored,
                error == null ? other.error : error);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject().field("run", run);
        if (archivedAt >= 0) {
            builder.field("archived_at", Instant.ofEpochMilli(archivedAt).toString());
        }
        builder.field("copies", copies).field("indices", indices);
        if (error == null || restoredAt >= 0) {
            builder.field("restored", restoredAt >= 0);
        }
        if (restoredAt >= 0) {
            builder.field("restored_at", Instant.ofEpochMilli(restoredAt).toString());
            builder.field("restored_documents", restored);
        }
        if (error != null) {
            builder.field("error", error);
        }
        return builder.endObject();
    }
}
