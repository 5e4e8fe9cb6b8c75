/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.deduplicate.scan.FingerprintScan;

/**
 * What passes looked at, and how long they took.
 *
 * @param documents that were read
 * @param fingerprinted those of them that have a fingerprint
 * @param compared pairs
 * @param schemes how many documents of each there are
 */
public record PassCounts(
        long documents, long fingerprinted, long compared, Map<String, Long> schemes, long scanMillis, long joinMillis)
        implements Writeable {

    static final PassCounts NONE = ofNothing(0);

    /** Of a pass that had nothing to read. */
    static PassCounts ofNothing(long fingerprinted) {
        return new PassCounts(0, fingerprinted, 0, Map.of(), 0, 0);
    }

    /**
     * Of a pass whose join has ended now.
     *
     * @param start of the scan, by {@link System#nanoTime}
     * @param scanned when the join began
     */
    static PassCounts of(FingerprintScan scan, long compared, long start, long scanned) {
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

    /** With those of another pass. Every document is read by several passes: what is counted of documents is counted once. */
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
