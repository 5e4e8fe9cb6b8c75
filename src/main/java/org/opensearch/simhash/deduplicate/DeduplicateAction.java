/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/** Finds the groups of near-duplicates of whole indices, and reports, tags or deletes them. */
public final class DeduplicateAction extends ActionType<DeduplicateResponse> {

    public static final String NAME = "indices:data/write/simhash/deduplicate";
    public static final DeduplicateAction INSTANCE = new DeduplicateAction();

    private DeduplicateAction() {
        super(NAME, DeduplicateResponse::new);
    }

    /** Which indices, and what to do. */
    public static final class Request extends ActionRequest implements IndicesRequest.Replaceable {

        private String[] indices;
        private final DeduplicateOptions options;
        private boolean storesResult;

        Request(String[] indices, DeduplicateOptions options) {
            this.indices = indices;
            this.options = options;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.indices = in.readStringArray();
            this.options = new DeduplicateOptions(in);
            this.storesResult = in.readBoolean();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeStringArray(indices);
            options.writeTo(out);
            out.writeBoolean(storesResult);
        }

        DeduplicateOptions options() {
            return options;
        }

        @Override
        public String[] indices() {
            return indices;
        }

        @Override
        public IndicesRequest indices(String... replaced) {
            indices = replaced;
            return this;
        }

        @Override
        public IndicesOptions indicesOptions() {
            return SearchRequest.DEFAULT_INDICES_OPTIONS;
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }

        void storeResult() {
            storesResult = true;
        }

        @Override
        public boolean getShouldStoreResult() {
            return storesResult;
        }

        @Override
        public ActionRequestValidationException validate() {
            return null;
        }

        @Override
        public String getDescription() {
            return "deduplicate [" + String.join(",", indices) + "], "
                    + options.action().name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
            return new DeduplicateTask(id, type, action, getDescription(), parent, headers);
        }
    }
}
