/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.OptionalLong;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.match.Target;

/** Targets between nodes. A {@link Target} belongs to the search, which knows no streams. */
public final class TargetStreams {

    private TargetStreams() {}

    public static void write(StreamOutput out, Target target) throws IOException {
        out.writeBoolean(target.bits().isPresent());
        out.writeLong(target.bits().orElse(0));
        out.writeOptionalString(target.digest());
        out.writeOptionalString(target.scheme());
    }

    public static Target read(StreamInput in) throws IOException {
        boolean hasBits = in.readBoolean();
        long bits = in.readLong();
        return new Target(
                hasBits ? OptionalLong.of(bits) : OptionalLong.empty(),
                in.readOptionalString(),
                in.readOptionalString());
    }
}
