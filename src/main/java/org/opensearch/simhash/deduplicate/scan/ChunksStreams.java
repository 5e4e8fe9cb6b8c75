/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.deduplicate.join.Chunks;

/** Sends {@link Chunks} between nodes; the join itself knows no streams. */
public final class ChunksStreams {

    private ChunksStreams() {}

    public static Chunks read(StreamInput in) throws IOException {
        return new Chunks(in.readVInt(), in.readVInt(), in.readVInt(), in.readBoolean(), in.readBoolean());
    }

    public static void write(StreamOutput out, Chunks chunks) throws IOException {
        out.writeVInt(chunks.first());
        out.writeVInt(chunks.second());
        out.writeVInt(chunks.count());
        out.writeBoolean(chunks.ownsFirst());
        out.writeBoolean(chunks.ownsSecond());
    }
}
