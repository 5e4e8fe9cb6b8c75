/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.counts;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A snapshot of {@link Durations}. Immutable.
 *
 * @param bounds in seconds, ascending
 * @param counts durations in each range up to a bound, the bound included; last, durations above all bounds
 * @param sum in seconds
 */
public record Histogram(List<Double> bounds, List<Long> counts, double sum) implements Writeable {

    public Histogram {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
        if (counts.size() != bounds.size() + 1) {
            throw new IllegalArgumentException(
                    "[counts] must be one more than [bounds], got: " + counts.size() + " and " + bounds.size());
        }
    }

    public Histogram(StreamInput in) throws IOException {
        this(in.readList(StreamInput::readDouble), in.readList(StreamInput::readVLong), in.readDouble());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeCollection(bounds, StreamOutput::writeDouble);
        out.writeCollection(counts, StreamOutput::writeVLong);
        out.writeDouble(sum);
    }
}
