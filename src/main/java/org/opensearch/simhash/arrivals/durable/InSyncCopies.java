/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.store.AlreadyClosedException;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardClosedException;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndicesService;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/**
 * Asks copies of shards whether they still follow a primary. A copy refuses a primary of an earlier term, as it would
 * refuse its writes. Nothing is written. Works for document and segment replication and with a remote store. Costs one
 * message to each node.
 */
final class InSyncCopies {

    /** The local checkpoint of a copy that follows another primary, or is gone. */
    static final long REFUSED = SequenceNumbers.UNASSIGNED_SEQ_NO;

    /** Between nodes. */
    private static final String OF_NODE = "internal:simhash/in_sync_copies";

    private final TransportService transport;
    private final IndicesService indices;

    InSyncCopies(TransportService transport, IndicesService indices) {
        this.transport = transport;
        this.indices = indices;
        transport.registerRequestHandler(
                OF_NODE,
                ThreadPool.Names.GET,
                Request::new,
                (request, channel, task) -> channel.sendResponse(new Response(
                        request.copies.stream().map(this::checkpoint).toList())));
    }

    /**
     * A copy to ask.
     *
     * @param allocation of the copy
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

    private static final class Request extends TransportRequest {

        private final List<Copy> copies;

        Request(List<Copy> copies) {
            this.copies = List.copyOf(copies);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.copies = MessageForm.read(in).readList(Copy::new);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeList(copies);
        }
    }

    private static final class Response extends TransportResponse {

        private final List<Long> checkpoints;

        Response(List<Long> checkpoints) {
            this.checkpoints = checkpoints;
        }

        Response(StreamInput in) throws IOException {
            this.checkpoints = MessageForm.read(in).readList(StreamInput::readZLong);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeCollection(checkpoints, StreamOutput::writeZLong);
        }
    }

    /**
     * @param then gets the local checkpoint of each copy, or {@link #REFUSED}, in order; all are refused if the node does
     *     not answer
     */
    void ask(DiscoveryNode node, List<Copy> copies, TimeValue patience, Consumer<List<Long>> then) {
        ActionListener<Response> answered = ActionListener.notifyOnce(ActionListener.wrap(
                response -> then.accept(response.checkpoints),
                failure -> then.accept(Collections.nCopies(copies.size(), REFUSED))));
        transport.sendRequest(
                node,
                OF_NODE,
                new Request(copies),
                TransportRequestOptions.builder().withTimeout(patience).build(),
                new ActionListenerResponseHandler<>(answered, Response::new));
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
