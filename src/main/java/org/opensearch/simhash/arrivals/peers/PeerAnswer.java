/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.simhash.search.message.MessageForm;

/**
 * The answer to a {@link PeerQuestion}: matches of its first documents, at least of one. At its size limit it leaves
 * out the others, and the asker asks again. A text near several documents is sent once.
 */
public final class PeerAnswer extends TransportResponse {

    /**
     * Of one document.
     *
     * @param matches the nearest first, then the oldest
     * @param hasMore whether more may follow
     */
    record Matches(List<PeerMatch> matches, boolean hasMore) {}

    private final long stamp;
    private final long bytes;
    private final List<Matches> documents;

    /**
     * @param stamp the highest known to the node
     * @param bytes of heap, roughly
     */
    PeerAnswer(long stamp, long bytes, List<Matches> documents) {
        this.stamp = stamp;
        this.bytes = bytes;
        this.documents = List.copyOf(documents);
    }

    public PeerAnswer(StreamInput in) throws IOException {
        super(in);
        this.stamp = MessageForm.read(in).readVLong();
        this.bytes = in.readVLong();
        List<Map<String, Object>> texts = in.readList(StreamInput::readMap);
        this.documents = in.readList(
                stream -> new Matches(stream.readList(match -> PeerMatch.read(match, texts)), stream.readBoolean()));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeVLong(stamp);
        out.writeVLong(bytes);
        IdentityHashMap<Map<String, Object>, Integer> places = new IdentityHashMap<>();
        List<Map<String, Object>> texts = new ArrayList<>();
        for (Matches matches : documents) {
            for (PeerMatch match : matches.matches()) {
                if (match.text() != null && places.putIfAbsent(match.text(), texts.size() + 1) == null) {
                    texts.add(match.text());
                }
            }
        }
        out.writeCollection(texts, StreamOutput::writeMap);
        out.writeCollection(documents, (stream, matches) -> {
            stream.writeCollection(
                    matches.matches(), (each, match) -> match.writeTo(each, places.getOrDefault(match.text(), 0)));
            stream.writeBoolean(matches.hasMore());
        });
    }

    long stamp() {
        return stamp;
    }

    long bytes() {
        return bytes;
    }

    /** For the first documents of the question, in order. */
    List<Matches> documents() {
        return documents;
    }
}
