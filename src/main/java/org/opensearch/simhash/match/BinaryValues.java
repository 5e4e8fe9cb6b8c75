/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.BytesRef;

/** The values of a document in a field of OpenSearch's type {@code binary}: their number, then length and bytes of each. One thread. */
public final class BinaryValues {

    private final ByteArrayDataInput input = new ByteArrayDataInput();
    private final BytesRef value = new BytesRef();
    private int left;

    /** @param written doc value of the document */
    public void of(BytesRef written) {
        input.reset(written.bytes, written.offset, written.length);
        value.bytes = written.bytes;
        left = input.readVInt();
    }

    /** The next value, the same object each time; null behind the last one. */
    public BytesRef next() {
        if (left-- == 0) {
            return null;
        }
        value.length = input.readVInt();
        value.offset = input.getPosition();
        input.skipBytes(value.length);
        return value;
    }
}
