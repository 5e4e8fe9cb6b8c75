/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/** The work of passes. */
public record PassCounts(long documents, long fingerprinted, long compared, Map<String, Long> schemes)
        implements Writeable {

    static final PassCounts NONE = ofNothing(0);

    /** Of a search that compared nothing. */
    static PassCounts ofNothing(long fingerprinted) {
        return new PassCounts(0, fingerprinted, 0, Map.of());
    }

    PassCounts(StreamInput in) throws IOException {
        this(
                in.readVLong(),
                in.readVLong(),
                in.readVLong(),
                in.readMap(StreamInput::readString, StreamInput::readVLong));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVLong(documents);
        out.writeVLong(fingerprinted);
        out.writeVLong(compared);
        out.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
    }

    /** Adds another pass. Both read the same documents, so these are not added. */
    PassCounts and(PassCounts other) {
        Map<String, Long> both = new TreeMap<>(schemes);
        other.schemes.forEach((scheme, count) -> both.merge(scheme, count, Math::max));
        return new PassCounts(
                Math.max(documents, other.documents),
                Math.max(fingerprinted, other.fingerprinted),
                compared + other.compared,
                both);
    }
}
