/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import java.util.List;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.transport.TransportRequest;

/**
 * Asks a node for earlier documents of its window, near given ones. Without documents it only introduces two nodes. A
 * round has at most 1,024 documents, of some hundred bytes each.
 */
public final class PeerQuestion extends TransportRequest {

    /**
     * @param configured indices to compare with; empty for each document's own
     * @param field path of the fingerprint object
     * @param withTexts whether texts are compared
     * @param conditions on a pair of documents
     */
    public record Rule(List<String> configured, String field, boolean withTexts, PairConditions conditions)
            implements Writeable {

        private Rule(StreamInput in) throws IOException {
            this(in.readStringList(), in.readString(), in.readBoolean(), new PairConditions(in));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeStringCollection(configured);
            out.writeString(field);
            out.writeBoolean(withTexts);
            conditions.writeTo(out);
        }
    }

    private final DiscoveryNode asker;
    private final long stamp;
    private final Rule rule;
    private final List<PeerDocument> documents;

    /**
     * @param asker the node of the round
     * @param stamp of the round
     */
    PeerQuestion(DiscoveryNode asker, long stamp, Rule rule, List<PeerDocument> documents) {
        this.asker = asker;
        this.stamp = stamp;
        this.rule = rule;
        this.documents = List.copyOf(documents);
    }

    public PeerQuestion(StreamInput in) throws IOException {
        super(in);
        this.asker = new DiscoveryNode(MessageForm.read(in));
        this.stamp = in.readVLong();
        this.rule = new Rule(in);
        this.documents = in.readList(stream -> new PeerDocument(stream, rule));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        super.writeTo(out);
        MessageForm.write(out);
        asker.writeTo(out);
        out.writeVLong(stamp);
        rule.writeTo(out);
        out.writeCollection(documents);
    }

    DiscoveryNode asker() {
        return asker;
    }

    long stamp() {
        return stamp;
    }

    Rule rule() {
        return rule;
    }

    List<PeerDocument> documents() {
        return documents;
    }
}
