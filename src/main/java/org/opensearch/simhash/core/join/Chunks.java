/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * Two of the chunks that fingerprints are divided into when one node cannot hold all of them, perhaps the same. They are one pass. Every
 * pair of fingerprints is in some pass. One pass owns the pairs within a chunk, as the last two say.
 */
public record Chunks(int first, int second, int count, boolean ownsFirst, boolean ownsSecond) implements Writeable {

    public static final Chunks WHOLE = new Chunks(0, 0, 1, true, false);

    public Chunks(StreamInput in) throws IOException {
        this(in.readVInt(), in.readVInt(), in.readVInt(), in.readBoolean(), in.readBoolean());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVInt(first);
        out.writeVInt(second);
        out.writeVInt(count);
        out.writeBoolean(ownsFirst);
        out.writeBoolean(ownsSecond);
    }

    /** Number of passes for {@code count} chunks. */
    public static long passes(int count) {
        return count == 1 ? 1 : count * (count - 1L) / 2;
    }

    public static List<Chunks> pairs(int count) {
        if (count == 1) {
            return List.of(WHOLE);
        }
        List<Chunks> pairs = new ArrayList<>();
        for (int first = 0; first < count; first++) {
            for (int second = first + 1; second < count; second++) {
                boolean last = first == count - 2;
                pairs.add(new Chunks(first, second, count, second == first + 1, last));
            }
        }
        return pairs;
    }

    /** The chunk of a fingerprint, or of the digest of a document without fingerprint. */
    public int of(long value) {
        if (count == 1) {
            return 0;
        }
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, count);
    }

    /** Whether a fingerprint is in one of the two chunks. */
    public boolean contains(long value) {
        int chunk = of(value);
        return chunk == first || chunk == second;
    }

    /** Whether this pass owns the pairs within the fingerprint's chunk. */
    boolean owns(long value) {
        return of(value) == first ? ownsFirst : ownsSecond;
    }

    boolean owns(long a, long b) {
        return count == 1 || of(a) != of(b) || owns(a);
    }
}
