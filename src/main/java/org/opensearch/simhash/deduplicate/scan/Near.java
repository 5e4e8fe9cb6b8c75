/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.deduplicate.join.Vicinity;

/**
 * The wanted documents of a scan: those near given fingerprints, and those with given digests. If digests have doc
 * values, equal digests are links even between distant fingerprints.
 *
 * @param fingerprints targets
 * @param digests hashes of digests, ascending
 * @param distance greatest number of differing bits
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Near(long[] fingerprints, long[] digests, int distance) implements Writeable {

    Near(StreamInput in) throws IOException {
        this(in.readLongArray(), in.readLongArray(), in.readVInt());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeLongArray(fingerprints);
        out.writeLongArray(digests);
        out.writeVInt(distance);
    }

    Vicinity vicinity(LongConsumer memory) {
        return new Vicinity(fingerprints, distance, memory);
    }

    boolean hasDigest(long hash) {
        return Arrays.binarySearch(digests, hash) >= 0;
    }
}
