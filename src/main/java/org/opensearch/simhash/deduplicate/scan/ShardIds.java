/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;

/**
 * A page of one shard's ids and routings, in no order.
 *
 * @param shard where the page is from
 * @param next where the next page starts; null when none follows
 * @param ids as the index has them
 * @param routings of the documents that are not routed by their ids
 */
record ShardIds(ShardId shard, IdsPosition next, Column ids, Column routings) implements ShardPage {

    /**
     * Bytes of documents.
     *
     * @param documents by number in the shard's reader
     * @param ends where the bytes of each end
     */
    @SuppressWarnings("ArrayRecordComponent") // Columns; never compared as a whole.
    record Column(int[] documents, int[] ends, byte[] bytes) implements Writeable {

        Column(StreamInput in) throws IOException {
            this(in.readVIntArray(), in.readVIntArray(), in.readByteArray());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeVIntArray(documents);
            out.writeVIntArray(ends);
            out.writeByteArray(bytes);
        }

        int size() {
            return documents.length;
        }

        /** Points into the column. */
        void get(int i, BytesRef target) {
            target.bytes = bytes;
            target.offset = i == 0 ? 0 : ends[i - 1];
            target.length = ends[i] - target.offset;
        }
    }

    ShardIds(StreamInput in) throws IOException {
        this(new ShardId(in), in.readOptionalWriteable(IdsPosition::new), new Column(in), new Column(in));
    }

    @Override
    public int size() {
        return ids.size();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        shard.writeTo(out);
        out.writeOptionalWriteable(next);
        ids.writeTo(out);
        routings.writeTo(out);
    }
}
