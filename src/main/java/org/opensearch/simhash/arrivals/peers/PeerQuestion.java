/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import java.util.List;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.search.pair.PairConditions;

/**
 * Asks a node for earlier documents of its window, near given ones. Without documents it only introduces two nodes. A
 * round has at most 1,024 documents, of some hundred bytes each.
 */
public record PeerQuestion(DiscoveryNode asker, long stamp, Rule rule, List<PeerDocument> documents)
        implements Writeable {

    public PeerQuestion {
        documents = List.copyOf(documents);
    }

    private PeerQuestion(DiscoveryNode asker, long stamp, Rule rule, StreamInput in) throws IOException {
        this(asker, stamp, rule, in.readList(stream -> new PeerDocument(stream, rule)));
    }

    public PeerQuestion(StreamInput in) throws IOException {
        this(new DiscoveryNode(in), in.readVLong(), new Rule(in), in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        asker.writeTo(out);
        out.writeVLong(stamp);
        rule.writeTo(out);
        out.writeCollection(documents);
    }

    /** @param configured indices to compare with; empty for each document's own */
    public record Rule(List<String> configured, String field, boolean withTexts, PairConditions conditions)
            implements Writeable {

        private Rule(StreamInput in) throws IOException {
            this(in.readStringList(), in.readString(), in.readBoolean(), PairConditions.ofFormat(in.readString()));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeStringCollection(configured);
            out.writeString(field);
            out.writeBoolean(withTexts);
            out.writeString(conditions.format());
        }
    }
}
