/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * @param fingerprinted documents with a fingerprint or a sketch
 * @param tooShort documents with only a digest
 * @param without documents with neither
 */
record Counts(long documents, long fingerprinted, long tooShort, long without) implements Writeable {

    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts(StreamInput in) throws IOException {
        this(in.readVLong(), in.readVLong(), in.readVLong(), in.readVLong());
    }

    Counts plus(Counts other) {
        return new Counts(
                documents + other.documents,
                fingerprinted + other.fingerprinted,
                tooShort + other.tooShort,
                without + other.without);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVLong(documents);
        out.writeVLong(fingerprinted);
        out.writeVLong(tooShort);
        out.writeVLong(without);
    }
}
