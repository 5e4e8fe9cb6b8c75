/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * The answer to a {@link PeerQuestion}: matches of its first documents, at least of one. At its size limit it leaves
 * out the others, and the asker asks again. A text near several documents is sent once.
 *
 * @param stamp the highest known to the node
 * @param bytes of heap, roughly
 */
public record PeerAnswer(long stamp, long bytes, List<Matches> documents) implements Writeable {

    /** @param matches of one document: the nearest first, then the oldest */
    record Matches(List<PeerMatch> matches, boolean hasMore) {}

    public PeerAnswer {
        documents = List.copyOf(documents);
    }

    public PeerAnswer(StreamInput in) throws IOException {
        this(in.readVLong(), in.readVLong(), read(in, in.readList(StreamInput::readMap)));
    }

    private static List<Matches> read(StreamInput in, List<Map<String, Object>> texts) throws IOException {
        return in.readList(
                stream -> new Matches(stream.readList(match -> PeerMatch.read(match, texts)), stream.readBoolean()));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
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
}
