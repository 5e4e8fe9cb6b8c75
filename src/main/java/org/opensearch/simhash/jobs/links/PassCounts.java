/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.jobs.scan.FingerprintPages;

/**
 * The work of passes.
 *
 * @param compared pairs
 * @param schemes documents by scheme
 */
public record PassCounts(
        long documents, long fingerprinted, long compared, Map<String, Long> schemes, long scanMillis, long joinMillis)
        implements Writeable {

    static final PassCounts NONE = ofNothing(0);

    /** A pass with nothing to read. */
    static PassCounts ofNothing(long fingerprinted) {
        return new PassCounts(0, fingerprinted, 0, Map.of(), 0, 0);
    }

    /**
     * A pass whose join ends now.
     *
     * @param start of the scan, by {@link System#nanoTime}
     * @param scanned start of the join
     */
    static PassCounts of(FingerprintPages scan, long compared, long start, long scanned) {
        return new PassCounts(
                scan.documents(),
                scan.fingerprinted(),
                compared,
                scan.schemes(),
                (scanned - start) / 1_000_000,
                (System.nanoTime() - scanned) / 1_000_000);
    }

    PassCounts(StreamInput in) throws IOException {
        this(
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readMap(StreamInput::readString, StreamInput::readVLong),
                in.readVLong(),
                in.readVLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVLong(documents);
        out.writeVLong(fingerprinted);
        out.writeVLong(compared);
        out.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
        out.writeVLong(scanMillis);
        out.writeVLong(joinMillis);
    }

    /** Adds another pass. Both read the same documents, so these are not added. */
    PassCounts and(PassCounts other) {
        Map<String, Long> both = new TreeMap<>(schemes);
        other.schemes.forEach((scheme, count) -> both.merge(scheme, count, Math::max));
        return new PassCounts(
                Math.max(documents, other.documents),
                Math.max(fingerprinted, other.fingerprinted),
                compared + other.compared,
                both,
                scanMillis + other.scanMillis,
                joinMillis + other.joinMillis);
    }
}
