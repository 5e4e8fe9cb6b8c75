/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.LinkList;

/** Sends {@link Cliques} between nodes. */
final class CliqueStreams {

    private CliqueStreams() {}

    static Cliques read(StreamInput in) throws IOException {
        int[] starts = in.readIntArray();
        long[] addresses = in.readLongArray();
        long[] bits = in.readLongArray();
        long[] strata = in.readLongArray();
        boolean[] equalTexts = new boolean[bits.length];
        for (int i = 0; i < equalTexts.length; i++) {
            equalTexts[i] = in.readBoolean();
        }
        long links = in.readVLong();
        // The reader accounts for the bytes.
        LinkList list = new LinkList(bytes -> {});
        for (long i = 0; i < links; i++) {
            list.add(in.readInt(), in.readInt(), in.readByte());
        }
        return new Cliques(starts, addresses, bits, strata, equalTexts, list);
    }

    static void write(StreamOutput out, Cliques cliques) throws IOException {
        out.writeIntArray(cliques.starts());
        out.writeLongArray(cliques.addresses());
        out.writeLongArray(cliques.bits());
        out.writeLongArray(cliques.strata());
        for (boolean equal : cliques.equalTexts()) {
            out.writeBoolean(equal);
        }
        out.writeVLong(cliques.links().size());
        try {
            cliques.links().forEach((a, b, distance) -> {
                try {
                    out.writeInt(a);
                    out.writeInt(b);
                    out.writeByte((byte) distance);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
