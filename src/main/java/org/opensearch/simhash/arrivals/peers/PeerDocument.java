/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivalOrder;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;
import org.opensearch.simhash.search.query.Prints;

/**
 * A document in a question. Each node resolves its scope.
 *
 * @param given name by which its scope is found
 * @param firstStamp stamp of its round at the first processor of its pipeline
 */
record PeerDocument(
        String given,
        DocumentName name,
        ArrivedPrint print,
        int maxDistance,
        long firstStamp,
        int wanted,
        Pairing pairing)
        implements Writeable {

    static PeerDocument of(Arrival arrival, Criteria criteria, int wanted) {
        DocumentName name = arrival.name();
        return new PeerDocument(
                arrival.scope().own() ? arrival.scope().expressions().getFirst() : name.index(),
                name.unrouted(),
                arrival.print(),
                arrival.print().maxDistance(criteria),
                ArrivalOrder.stamp(arrival.firstOrder()),
                wanted,
                arrival.pairing());
    }

    PeerDocument(StreamInput in, PeerQuestion.Rule rule) throws IOException {
        this(
                in.readString(),
                new DocumentName(in),
                readPrint(in, rule.field()),
                in.readVInt(),
                in.readVLong(),
                in.readVInt(),
                rule.conditions().isEmpty() ? Pairing.NONE : new Pairing(rule.conditions(), new PairValues(in), null));
    }

    private static ArrivedPrint readPrint(StreamInput in, String field) throws IOException {
        if (in.readBoolean()) {
            return new ArrivedPassages(field, in.readLongArray(), in.readOptionalString());
        }
        return switch (Prints.read(in)) {
            case Target target -> ArrivedFingerprint.of(field, target);
            case SketchTarget target -> ArrivedSketch.of(field, target);
            case PassageTarget target -> throw new IOException("passages are no print");
        };
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(given);
        name.writeTo(out);
        out.writeBoolean(print instanceof ArrivedPassages);
        if (print instanceof ArrivedPassages passages) {
            out.writeLongArray(passages.terms());
            out.writeOptionalString(passages.scheme());
        } else {
            Prints.write(out, print.target());
        }
        out.writeVInt(maxDistance);
        out.writeVLong(firstStamp);
        out.writeVInt(wanted);
        if (pairing.conditions().isEmpty() == false) {
            pairing.values().writeTo(out);
        }
    }

    /**
     * The document as an arrival here, behind the entries that came before its round.
     *
     * @param isFirst whether this node comes first if stamps are equal
     */
    Arrival arrival(LookupScopes scopes, long stamp, boolean isFirst) {
        Arrival arrival = new Arrival(null, print, name, true, null, new BulkAnswer(), scopes.scope(given), pairing);
        arrival.ordered(ArrivalOrder.end(stamp, isFirst), ArrivalOrder.end(firstStamp, isFirst) - 1);
        return arrival;
    }
}
