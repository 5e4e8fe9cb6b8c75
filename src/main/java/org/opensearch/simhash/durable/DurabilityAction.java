/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Asks shards whether versions of documents are current and durable. A primary answers, and proves that it still is the
 * primary: the in-sync copies follow it, and where one of them cannot be asked, or it is the only copy, the current
 * cluster state names it. Costs a real-time get without source per version, and a message to each node of their
 * primaries and copies. Any node may be asked. What is not answered in ten seconds is {@link Durability#UNKNOWN}; the
 * request does not fail.
 */
public final class DurabilityAction extends ActionType<DurabilityAction.Response> {

    public static final String NAME = "indices:data/read/simhash/durable";
    public static final DurabilityAction INSTANCE = new DurabilityAction();

    private DurabilityAction() {
        super(NAME, Response::new);
    }

    public static final class Request extends ActionRequest implements IndicesRequest.Replaceable {

        private final List<StoredVersion> versions;

        /** Null without a filter. */
        private Set<String> permitted;

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
                    .filter(this::isPermitted)
                    .map(version -> version.shard().getIndexName())
                    .distinct()
                    .toArray(String[]::new);
        }

        /** Called by a security filter with the permitted indices. Versions of others are {@link Durability#UNKNOWN}. */
        @Override
        public IndicesRequest indices(String... replaced) {
            permitted = Set.copyOf(Arrays.asList(replaced));
            return this;
        }

        boolean isPermitted(StoredVersion version) {
            return permitted == null || permitted.contains(version.shard().getIndexName());
        }

        /** Indices are concrete. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictSingleIndexNoExpandForbidClosed();
        }

        @Override
        public ActionRequestValidationException validate() {
            return null;
        }
    }

    /** One answer per version, in order. */
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
