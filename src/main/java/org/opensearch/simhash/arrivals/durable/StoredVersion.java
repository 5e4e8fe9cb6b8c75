/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.Objects;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * A version of a document, as a get or search found it, or none.
 *
 * @param shard with the index's UUID, so that a recreated index differs
 * @param sequenceNumber of the operation that wrote this version; unassigned if there is none
 */
public record StoredVersion(ShardId shard, String id, long sequenceNumber, long primaryTerm) implements Writeable {

    public StoredVersion {
        Objects.requireNonNull(shard, "shard");
        Objects.requireNonNull(id, "id");
    }

    StoredVersion(StreamInput in) throws IOException {
        this(new ShardId(in), in.readString(), in.readZLong(), in.readVLong());
    }

    /** @param routing null if the document has none */
    public static StoredVersion of(
            IndexMetadata index, String id, String routing, long sequenceNumber, long primaryTerm) {
        int shard = OperationRouting.generateShardId(index, id, routing);
        return new StoredVersion(new ShardId(index.getIndex(), shard), id, sequenceNumber, primaryTerm);
    }

    public static StoredVersion of(DocWriteResponse written) {
        return new StoredVersion(written.getShardId(), written.getId(), written.getSeqNo(), written.getPrimaryTerm());
    }

    /** That no version is stored. The index may be missing, too: then its UUID is not known. */
    public static StoredVersion none(ShardId shard, String id) {
        return new StoredVersion(shard, id, SequenceNumbers.UNASSIGNED_SEQ_NO, SequenceNumbers.UNASSIGNED_PRIMARY_TERM);
    }

    public boolean isNone() {
        return sequenceNumber == SequenceNumbers.UNASSIGNED_SEQ_NO;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        shard.writeTo(out);
        out.writeString(id);
        out.writeZLong(sequenceNumber);
        out.writeVLong(primaryTerm);
    }

    /** The answer of the copies of a shard about a version of a document, or about an id without one. */
    public enum Durability {

        /** The version is current, and on disk on every in-sync copy of its shard; or the id has none, as asked. */
        DURABLE,

        /** The version is current, but a crash may lose it. */
        PENDING,

        /** As {@link #PENDING}, but on disk wherever it is: durable if its write was answered. */
        SYNCED,

        /** Another version is current, or the document or its index was deleted. */
        CHANGED,

        /** The primary did not answer, or did not prove that it still is the primary. */
        UNKNOWN
    }
}
