/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.OptionalLong;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

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

    public static void writeSketch(StreamOutput out, SketchTarget target) throws IOException {
        BandLayout layout = target.layout();
        out.writeBoolean(target.sketch() != null);
        if (target.sketch() != null) {
            out.writeByteArray(target.sketch().bytes());
        }
        out.writeBoolean(layout != null);
        if (layout != null) {
            out.writeVInt(layout.permutations());
            out.writeVInt(layout.bands());
            out.writeVInt(layout.rows());
        }
        out.writeOptionalString(target.digest());
        out.writeOptionalString(target.scheme());
    }

    public static SketchTarget readSketch(StreamInput in) throws IOException {
        Sketch sketch = in.readBoolean() ? new Sketch(in.readByteArray()) : null;
        BandLayout layout = in.readBoolean() ? new BandLayout(in.readVInt(), in.readVInt(), in.readVInt()) : null;
        return new SketchTarget(sketch, layout, in.readOptionalString(), in.readOptionalString());
    }
}
