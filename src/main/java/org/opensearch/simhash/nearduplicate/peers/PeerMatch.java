/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.nearduplicate.arrival.Original.Version;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * A document that another node accepted, near one of this node that came later. Decided on, as that node knew it when it answered.
 *
 * @param order in which it came among the documents of all nodes
 * @param name by which it is, or will be, stored
 * @param distance bits in which the fingerprints differ
 * @param isCertain whether it takes the place of the versions before it, unless its shard refuses it
 * @param isAnswered whether the bulk that it came with was answered
 * @param version what the answer says that it was stored as; {@link Version#NONE} when it says nothing
 * @param originals the documents that it names as its originals
 * @param text what verification compares of it; null when that is not known any more, or not asked for
 */
public record PeerMatch(
        long order,
        DocumentName name,
        int distance,
        boolean isCertain,
        boolean isAnswered,
        Version version,
        List<DocumentName> originals,
        Map<String, Object> text) {

    /** @param texts of the answer that it came with */
    static PeerMatch read(StreamInput in, List<Map<String, Object>> texts) throws IOException {
        return new PeerMatch(
                in.readVLong(),
                new DocumentName(in),
                in.readVInt(),
                in.readBoolean(),
                in.readBoolean(),
                new Version(in.readZLong(), in.readVLong()),
                in.readList(DocumentName::new),
                text(in.readVInt(), texts));
    }

    /** @param textPlace of its text in the answer, from 1; 0 for none */
    void writeTo(StreamOutput out, int textPlace) throws IOException {
        out.writeVLong(order);
        name.writeTo(out);
        out.writeVInt(distance);
        out.writeBoolean(isCertain);
        out.writeBoolean(isAnswered);
        out.writeZLong(version.seqNo());
        out.writeVLong(version.primaryTerm());
        out.writeCollection(originals);
        out.writeVInt(textPlace);
    }

    private static Map<String, Object> text(int place, List<Map<String, Object>> texts) {
        return place == 0 ? null : texts.get(place - 1);
    }
}
