/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.request.Endpoint;
import org.opensearch.simhash.request.RequestOnIndices;

/** Stores a decision about a group. Fails with HTTP 409 if the group has changed since it was read. */
public final class DecideAction extends ActionType<DecideAction.Response> {

    public static final String NAME = "indices:data/write/simhash/decide";
    public static final DecideAction INSTANCE = new DecideAction();

    private DecideAction() {
        super(NAME, Response::new);
    }

    /** A decision and the index of its group. */
    public static final class Request extends RequestOnIndices {

        private final Decision decision;

        Request(String dest, Decision decision) {
            super(dest);
            this.decision = decision;
        }

        public static Request read(RestRequest request, String[] names) throws IOException {
            return new Request(request.param("dest"), Endpoint.body(request, Decision::fromXContent));
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.decision = new Decision(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            decision.writeTo(out);
        }

        Decision decision() {
            return decision;
        }
    }

    /** The new version of the group. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final String index;
        private final String group;
        private final long sequenceNumber;
        private final long primaryTerm;
        private final String decision;
        private final String decidedBy;
        private final String decidedAt;

        /** @param decision null, like {@code by} and {@code at}, if it was taken back; {@code by} may also be unknown */
        Response(
                String index,
                String group,
                long sequenceNumber,
                long primaryTerm,
                String decision,
                String decidedBy,
                String decidedAt) {
            this.index = index;
            this.group = group;
            this.sequenceNumber = sequenceNumber;
            this.primaryTerm = primaryTerm;
            this.decision = decision;
            this.decidedBy = decidedBy;
            this.decidedAt = decidedAt;
        }

        Response(StreamInput in) throws IOException {
            this(
                    in.readString(),
                    in.readString(),
                    in.readZLong(),
                    in.readVLong(),
                    in.readOptionalString(),
                    in.readOptionalString(),
                    in.readOptionalString());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(index);
            out.writeString(group);
            out.writeZLong(sequenceNumber);
            out.writeVLong(primaryTerm);
            out.writeOptionalString(decision);
            out.writeOptionalString(decidedBy);
            out.writeOptionalString(decidedAt);
        }

        long sequenceNumber() {
            return sequenceNumber;
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject()
                    .field("_index", index)
                    .field("_id", group)
                    .field("_seq_no", sequenceNumber)
                    .field("_primary_term", primaryTerm)
                    .field("decision", decision)
                    .field("decided_by", decidedBy)
                    .field("decided_at", decidedAt)
                    .endObject();
        }
    }
}
