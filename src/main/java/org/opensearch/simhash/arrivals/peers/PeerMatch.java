/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * A decided document of another node, near a later one of this node, as known at the time of the answer. The other
 * components are as in {@code WindowVersion}.
 *
 * @param membership the group that it names, or null
 * @param text fields for verification; null if unknown or not requested
 */
public record PeerMatch(
        long order,
        DocumentName name,
        int distance,
        boolean isCertain,
        boolean isAnswered,
        Version version,
        List<DocumentName> originals,
        Membership membership,
        Map<String, Object> text) {

    /** @param texts of the answer */
    static PeerMatch read(StreamInput in, List<Map<String, Object>> texts) throws IOException {
        return new PeerMatch(
                in.readVLong(),
                new DocumentName(in),
                in.readVInt(),
                in.readBoolean(),
                in.readBoolean(),
                new Version(in.readZLong(), in.readVLong()),
                in.readList(DocumentName::new),
                in.readOptionalWriteable(Membership::new),
                text(in.readVInt(), texts));
    }

    /** @param textPlace in the answer's texts, from 1; 0 for none */
    void writeTo(StreamOutput out, int textPlace) throws IOException {
        out.writeVLong(order);
        name.writeTo(out);
        out.writeVInt(distance);
        out.writeBoolean(isCertain);
        out.writeBoolean(isAnswered);
        out.writeZLong(version.seqNo());
        out.writeVLong(version.primaryTerm());
        out.writeCollection(originals);
        out.writeOptionalWriteable(membership);
        out.writeVInt(textPlace);
    }

    private static Map<String, Object> text(int place, List<Map<String, Object>> texts) {
        return place == 0 ? null : texts.get(place - 1);
    }
}
