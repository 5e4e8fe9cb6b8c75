/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.simhash.deduplicate.scan.InternalPages.ShardPage;

/**
 * A page of ids and routings of one shard, in no order.
 *
 * @param next start of the next page; null if none follows
 * @param ids in the encoding of the index
 * @param routings of the documents that are not routed by their ids
 */
record ShardIds(ShardId shard, IdsPosition next, Column ids, Column routings) implements ShardPage {

    /**
     * Bytes per document.
     *
     * @param documents by number in the shard's reader
     * @param ends end of each document's bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
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
