/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.store.AlreadyClosedException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardClosedException;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndicesService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Asks copies of shards whether they still follow a primary. A copy refuses a primary of an earlier term, as it would refuse its writes.
 * Nothing is written. Works for document and segment replication and with a remote store. Costs one message to each node.
 */
final class InSyncCopies {

    /** The local checkpoint of a copy that follows another primary, or is gone. */
    static final long REFUSED = SequenceNumbers.UNASSIGNED_SEQ_NO;

    /** Copies on one node, and the checkpoint of each, in order. */
    private static final NodeCall<List<Copy>, List<Long>> OF_NODE = new NodeCall<>(
            "internal:simhash/in_sync_copies",
            StreamOutput::writeList,
            in -> in.readList(Copy::new),
            (out, checkpoints) -> out.writeCollection(checkpoints, StreamOutput::writeZLong),
            in -> in.readList(StreamInput::readZLong));

    private final TransportService transport;
    private final IndicesService indices;

    InSyncCopies(TransportService transport, IndicesService indices) {
        this.transport = transport;
        this.indices = indices;
        OF_NODE.serve(
                transport,
                ThreadPool.Names.GET,
                false,
                (copies, listener) -> ActionListener.completeWith(
                        listener, () -> copies.stream().map(this::checkpoint).toList()));
    }

    /**
     * @param term of the primary that asks
     * @param syncs whether the copy writes its translog to disk first
     */
    record Copy(ShardId shard, String allocation, long term, boolean syncs) implements Writeable {

        Copy(StreamInput in) throws IOException {
            this(new ShardId(in), in.readString(), in.readVLong(), in.readBoolean());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            shard.writeTo(out);
            out.writeString(allocation);
            out.writeVLong(term);
            out.writeBoolean(syncs);
        }
    }

    /** @param then gets the local checkpoint of each copy, or {@link #REFUSED}, in order; all are refused if the node does not answer */
    void ask(DiscoveryNode node, List<Copy> copies, TimeValue patience, Consumer<List<Long>> then) {
        OF_NODE.ask(
                transport,
                node,
                copies,
                null,
                patience,
                ActionListener.wrap(then::accept, failure -> then.accept(Collections.nCopies(copies.size(), REFUSED))));
    }

    private long checkpoint(Copy copy) {
        try {
            IndexShard shard = indices.indexServiceSafe(copy.shard().getIndex())
                    .getShard(copy.shard().id());
            // A copy has the new term before it accepts the first write as primary, or of the new primary.
            if (shard.routingEntry().allocationId().getId().equals(copy.allocation()) == false
                    || shard.getPendingPrimaryTerm() > copy.term()) {
                return REFUSED;
            }
            if (copy.syncs() && shard.isSyncNeeded()) {
                shard.sync();
            }
            return shard.getLocalCheckpoint();
        } catch (IndexNotFoundException
                | ShardNotFoundException
                | IndexShardClosedException
                | AlreadyClosedException
                | IOException e) {
            return REFUSED;
        }
    }
}
