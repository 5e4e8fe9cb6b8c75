/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.io.IOException;
import java.util.Comparator;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * Identifies a document. Comparable, because clients can choose ids with equal hash codes: a hash map sorts such names and stays fast.
 *
 * @param index a concrete index, or its future name
 * @param routing may be null
 */
public record DocumentName(String index, String id, String routing) implements Comparable<DocumentName>, Writeable {

    private static final Comparator<DocumentName> ORDER = Comparator.comparing(DocumentName::id)
            .thenComparing(DocumentName::index)
            .thenComparing(DocumentName::routing, Comparator.nullsFirst(Comparator.naturalOrder()));

    public DocumentName(StreamInput in) throws IOException {
        this(in.readString(), in.readString(), in.readOptionalString());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(index);
        out.writeString(id);
        out.writeOptionalString(routing);
    }

    /** Without the routing: the identity of the document. */
    public DocumentName unrouted() {
        return routing == null ? this : new DocumentName(index, id, null);
    }

    public boolean sameDocument(DocumentName other) {
        return id.equals(other.id) && index.equals(other.index);
    }

    /** Whether both are one document, in whatever index: one that is built anew has it, too. */
    public boolean isOneWith(DocumentName other) {
        return id.equals(other.id);
    }

    @Override
    public int compareTo(DocumentName other) {
        return ORDER.compare(this, other);
    }
}
