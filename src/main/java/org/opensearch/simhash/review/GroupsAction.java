/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.request.RequestOnIndices;

/** Shows groups of a run, doubtful ones first. Costs a search of {@code dest}. The first answer also aggregates its runs. */
public final class GroupsAction extends ActionType<GroupsAction.Response> {

    public static final String NAME = "indices:data/read/simhash/review";
    public static final GroupsAction INSTANCE = new GroupsAction();

    private GroupsAction() {
        super(NAME, Response::new);
    }

    /** An index and which of its groups. */
    public static final class Request extends RequestOnIndices {

        private final GroupChoice choice;

        Request(String dest, GroupChoice choice) {
            super(dest);
            this.choice = choice;
        }

        public static Request read(RestRequest request, String[] names) {
            return new Request(request.param("dest"), GroupChoice.read(request));
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.choice = new GroupChoice(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            choice.writeTo(out);
        }

        GroupChoice choice() {
            return choice;
        }
    }

    /** @param source as it is stored */
    record StoredGroup(String index, String id, long sequenceNumber, long primaryTerm, BytesReference source)
            implements Writeable, ToXContentObject {

        StoredGroup(StreamInput in) throws IOException {
            this(in.readString(), in.readString(), in.readZLong(), in.readVLong(), in.readBytesReference());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(index);
            out.writeString(id);
            out.writeZLong(sequenceNumber);
            out.writeVLong(primaryTerm);
            out.writeBytesReference(source);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject().field("_index", index).field("_id", id);
            builder.field("_seq_no", sequenceNumber).field("_primary_term", primaryTerm);
            try (InputStream stored = source.streamInput()) {
                builder.rawField("_source", stored, XContentType.JSON);
            }
            return builder.endObject();
        }
    }

    /** The groups, and what the page needs beside them. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final String run;
        private final List<ReviewedRun> runs;
        private final String field;
        private final List<String> text;
        private final Map<String, String> uuids;
        private final List<StoredGroup> groups;
        private final String next;

        /**
         * @param runs the newest first; null after the first answer
         * @param field the fingerprint object
         * @param text the fields that were compared; empty means the whole document
         * @param uuids of the indices of the documents, at present
         * @param next null in the last answer
         */
        Response(
                String run,
                List<ReviewedRun> runs,
                String field,
                List<String> text,
                Map<String, String> uuids,
                List<StoredGroup> groups,
                String next) {
            this.run = run;
            this.runs = runs;
            this.field = field;
            this.text = text;
            this.uuids = uuids;
            this.groups = groups;
            this.next = next;
        }

        Response(StreamInput in) throws IOException {
            this.run = in.readOptionalString();
            this.runs = in.readBoolean() ? in.readList(ReviewedRun::new) : null;
            this.field = in.readString();
            this.text = in.readStringList();
            this.uuids = in.readMap(StreamInput::readString, StreamInput::readString);
            this.groups = in.readList(StoredGroup::new);
            this.next = in.readOptionalString();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeOptionalString(run);
            out.writeBoolean(runs != null);
            if (runs != null) {
                out.writeList(runs);
            }
            out.writeString(field);
            out.writeStringCollection(text);
            out.writeMap(uuids, StreamOutput::writeString, StreamOutput::writeString);
            out.writeList(groups);
            out.writeOptionalString(next);
        }

        String run() {
            return run;
        }

        List<ReviewedRun> runs() {
            return runs;
        }

        String field() {
            return field;
        }

        List<String> text() {
            return text;
        }

        Map<String, String> uuids() {
            return uuids;
        }

        List<StoredGroup> groups() {
            return groups;
        }

        String next() {
            return next;
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject().field("run", run);
            if (runs != null) {
                builder.field("runs", runs);
            }
            builder.field("field", field).field("text", text).field("uuids", uuids);
            builder.field("groups", groups);
            if (next != null) {
                builder.field("next", next);
            }
            return builder.endObject();
        }
    }
}
