/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.simhash.request.RequestTask;
import org.opensearch.tasks.Task;

/** Checks whether indices are set up so that near-duplicates are found. Only reads. */
public final class CheckAction {

    public static final String NAME = "indices:monitor/simhash/check";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    static final int DEFAULT_SAMPLE_SIZE = 10_000;
    static final int DEFAULT_TEXT_SAMPLE_SIZE = 1_000;

    /** OpenSearch's default limit for the hits of a search. */
    private static final int MAX_SAMPLE_SIZE = 10_000;

    private CheckAction() {}

    /** The indices, the fingerprint, the size of the sample. */
    public static final class Request extends RequestOnIndices {

        private final String field;
        private final int sampleSize;
        private final int textSampleSize;

        /** @throws IllegalArgumentException naming the parameter, the rule and the value */
        public Request(String[] indices, String field, int sampleSize, int textSampleSize) {
            super(indices);
            if (sampleSize < 1 || sampleSize > MAX_SAMPLE_SIZE) {
                throw new IllegalArgumentException(
                        "[sample_size] must be between 1 and " + MAX_SAMPLE_SIZE + ", got: " + sampleSize);
            }
            if (textSampleSize < 0 || textSampleSize > MAX_SAMPLE_SIZE) {
                throw new IllegalArgumentException(
                        "[text_sample_size] must be between 0 and " + MAX_SAMPLE_SIZE + ", got: " + textSampleSize);
            }
            this.field = ProcessorOptions.requirePath("[field] must name a field", field);
            this.sampleSize = sampleSize;
            this.textSampleSize = textSampleSize;
        }

        public static Request read(RestRequest request, String[] indices) {
            return new Request(
                    indices,
                    request.param("field", FingerprintFields.DEFAULT_OBJECT),
                    request.paramAsInt("sample_size", DEFAULT_SAMPLE_SIZE),
                    request.paramAsInt("text_sample_size", DEFAULT_TEXT_SAMPLE_SIZE));
        }

        String field() {
            return field;
        }

        int sampleSize() {
            return sampleSize;
        }

        int textSampleSize() {
            return textSampleSize;
        }

        /** Includes closed indices, which get a finding. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.fromOptions(false, false, true, true);
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }

        @Override
        public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
            String description = "check of [" + String.join(",", indices()) + "]";
            return new RequestTask(id, type, action, description, parent, headers);
        }
    }

    /**
     * @param pipeline that makes the scheme; null if none does
     * @param current whether a pipeline of one of the indices makes it
     */
    record SchemeCount(String scheme, long documents, String pipeline, boolean current) implements ToXContentObject {

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject()
                    .field("scheme", scheme)
                    .field("documents", documents)
                    .field("pipeline", pipeline)
                    .field("current", current)
                    .endObject();
        }
    }
}
