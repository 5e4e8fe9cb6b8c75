/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * How far the ids of a shard were read.
 *
 * @param leaf ordinal of the leaf
 * @param isRouting whether the ids of the leaf were read, and its routings are next
 * @param term the last term read, or null
 * @param document the last document of the leaf read, or negative
 */
record IdsPosition(int leaf, boolean isRouting, BytesRef term, int document) implements Writeable {

    static final IdsPosition START = new IdsPosition(0, false, null, -1);

    IdsPosition(StreamInput in) throws IOException {
        this(in.readVInt(), in.readBoolean(), in.readBoolean() ? in.readBytesRef() : null, in.readInt());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVInt(leaf);
        out.writeBoolean(isRouting);
        out.writeBoolean(term != null);
        if (term != null) {
            out.writeBytesRef(term);
        }
        out.writeInt(document);
    }

    IdsPosition afterTerm(BytesRef last) {
        return new IdsPosition(leaf, isRouting, BytesRef.deepCopyOf(last), -1);
    }

    IdsPosition afterDocument(int last) {
        return new IdsPosition(leaf, isRouting, null, last);
    }

    /** The start of the leaf's routings. */
    IdsPosition routings() {
        return new IdsPosition(leaf, true, null, -1);
    }
}
