/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.message;

import java.io.IOException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;

/**
 * The form of a message between nodes of the plugin, which may have two versions of it during an upgrade. OpenSearch tells a sender the
 * release of the other node, not its plugins. So each message says its form in a byte. A version that has more to say writes a new form
 * only where it says it: without a new option, older nodes read all messages. A node refuses a form that it does not know, with HTTP 503,
 * so that clients send a write again. Builds before the first release share a form, whatever they say.
 */
public final class MessageForm {

    /** No first byte of a short number, so that a message without a form is refused, too. */
    private static final byte FIRST = (byte) 0x81;

    private MessageForm() {}

    public static void write(StreamOutput out) throws IOException {
        out.writeByte(FIRST);
    }

    /**
     * Before the message.
     *
     * @return the stream
     * @throws OpenSearchStatusException if this version does not know the form
     */
    public static StreamInput read(StreamInput in) throws IOException {
        byte form = in.readByte();
        if (form != FIRST) {
            throw unknown(form);
        }
        return in;
    }

    /** Refuses a message of a form that this version does not know. */
    public static OpenSearchStatusException unknown(byte form) {
        return new OpenSearchStatusException(
                "a node has another version of opensearch-simhash, and sent what this node cannot read (form "
                        + (form & 0x7f) + "): install the same version on all nodes",
                RestStatus.SERVICE_UNAVAILABLE);
    }
}
