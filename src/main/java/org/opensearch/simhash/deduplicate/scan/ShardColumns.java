/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.simhash.deduplicate.scan.InternalPages.ShardPage;

/**
 * A page of fingerprints of one shard, in columns.
 *
 * @param lastDocument the last document looked at
 * @param isLast whether no page follows
 * @param documents how many documents the page looked at
 * @param fingerprinted how many of them have a fingerprint
 * @param schemes documents by scheme; empty name for those without
 * @param strata hashes of scheme and guards, distinct
 * @param guards of the strata, hashed; equal for strata that differ only in scheme
 * @param docs document of each row, by number in the shard's reader
 * @param stratum of each row, by position in {@code strata}; complemented for rows without bits
 * @param digests of the rows, hashed; 0 for none
 */
@SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
record ShardColumns(
        ShardId shard,
        int lastDocument,
        boolean isLast,
        long documents,
        long fingerprinted,
        Map<String, Long> schemes,
        long[] strata,
        long[] guards,
        int[] docs,
        int[] stratum,
        long[] bits,
        long[] digests)
        implements ShardPage {

    ShardColumns(StreamInput in) throws IOException {
        this(
                new ShardId(in),
                in.readInt(),
                in.readBoolean(),
                in.readVLong(),
                in.readVLong(),
                in.readMap(StreamInput::readString, StreamInput::readVLong),
                in.readLongArray(),
                in.readLongArray(),
                in.readIntArray(),
                in.readIntArray(),
                in.readLongArray(),
                in.readLongArray());
    }

    @Override
    public int size() {
        return docs.length;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        shard.writeTo(out);
        out.writeInt(lastDocument);
        out.writeBoolean(isLast);
        out.writeVLong(documents);
        out.writeVLong(fingerprinted);
        out.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeLongArray(strata);
        out.writeLongArray(guards);
        out.writeIntArray(docs);
        out.writeIntArray(stratum);
        out.writeLongArray(bits);
        out.writeLongArray(digests);
    }
}
