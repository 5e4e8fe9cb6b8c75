/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Asks the primary shards of some versions whether these versions are current and durable. Costs a real-time get without the source
 * for each version. Any node may be asked; nodes that do not answer make versions {@link Durability#UNKNOWN}, never the request
 * fail.
 */
public final class DurabilityAction extends ActionType<DurabilityAction.Response> {

    public static final String NAME = "indices:data/read/simhash/durable";
    public static final DurabilityAction INSTANCE = new DurabilityAction();

    private DurabilityAction() {
        super(NAME, Response::new);
    }

    /** The versions to ask about. */
    public static final class Request extends ActionRequest implements IndicesRequest {

        private final List<StoredVersion> versions;

        public Request(List<StoredVersion> versions) {
            this.versions = List.copyOf(versions);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.versions = in.readList(StoredVersion::new);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeCollection(versions);
        }

        public List<StoredVersion> versions() {
            return versions;
        }

        @Override
        public String[] indices() {
            return versions.stream()
                    .map(version -> version.shard().getIndexName())
                    .distinct()
                    .toArray(String[]::new);
        }

        /** The indices are concrete ones. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictSingleIndexNoExpandForbidClosed();
        }

        @Override
        public ActionRequestValidationException validate() {
            return null;
        }
    }

    /** An answer for each version, in the order of the request. */
    public static final class Response extends ActionResponse {

        private final List<Durability> answers;

        Response(List<Durability> answers) {
            this.answers = List.copyOf(answers);
        }

        Response(StreamInput in) throws IOException {
            super(in);
            this.answers = in.readList(stream -> stream.readEnum(Durability.class));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeCollection(answers, StreamOutput::writeEnum);
        }

        public List<Durability> answers() {
            return answers;
        }
    }
}
