/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.OptionalLong;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.fingerprint.Fingerprint;

/** Serialises fingerprints between nodes. */
final class FingerprintStreams {

    private FingerprintStreams() {}

    static Fingerprint read(StreamInput in) throws IOException {
        OptionalLong bits = in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
        return new Fingerprint(bits, in.readString(), in.readVInt(), in.readString());
    }

    static void write(StreamOutput out, Fingerprint fingerprint) throws IOException {
        out.writeBoolean(fingerprint.bits().isPresent());
        if (fingerprint.bits().isPresent()) {
            out.writeLong(fingerprint.bits().getAsLong());
        }
        out.writeString(fingerprint.digest());
        out.writeVInt(fingerprint.features());
        out.writeString(fingerprint.scheme());
    }
}
