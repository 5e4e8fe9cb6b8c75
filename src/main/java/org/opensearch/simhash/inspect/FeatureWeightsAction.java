/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.ParseField;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.inspect.SharedFeatures.SharedFeature;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.RequestOnIndices;

/** Proposes {@code feature_weights} from what a sample of an index's documents shares. */
public final class FeatureWeightsAction extends ActionType<FeatureWeightsAction.Response> {

    public static final String NAME = "indices:data/read/simhash/feature_weights";
    public static final FeatureWeightsAction INSTANCE = new FeatureWeightsAction();

    static final int MAX_SAMPLE_SIZE = 100_000;

    private FeatureWeightsAction() {
        super(NAME, Response::new);
    }

    /** The documents, the recipe, and the share above which a feature is damped. */
    public static final class Request extends InspectRequest implements IndicesRequest.Replaceable {

        private static final ObjectParser<Options, Void> PARSER = new ObjectParser<>("feature_weights", Options::new);

        static {
            RecipeChoice.declare(
                    PARSER, (options, value) -> options.pipeline = value, (options, value) -> options.config = value);
            PARSER.declareField(
                    (options, value) -> options.sampleSize = value,
                    RequestOptions.wholeNumber("[sample_size] must be a whole number"),
                    new ParseField("sample_size"),
                    RequestOptions.ANY);
            PARSER.declareField(
                    (options, value) -> options.maxDocumentShare = value,
                    RequestOptions.number("[max_document_share] must be a number greater than 0 and less than 1"),
                    new ParseField("max_document_share"),
                    RequestOptions.ANY);
        }

        private static final class Options {
            private String pipeline;
            private Map<String, Object> config;
            private int sampleSize = 10_000;
            private double maxDocumentShare = 0.2;
        }

        private String[] indices;
        private final int sampleSize;
        private final double maxDocumentShare;

        Request(String[] indices, RecipeChoice recipe, int sampleSize, double maxDocumentShare) {
            super(recipe);
            if (sampleSize < 1 || sampleSize > MAX_SAMPLE_SIZE) {
                throw new IllegalArgumentException(
                        "[sample_size] must be between 1 and " + MAX_SAMPLE_SIZE + ", got: " + sampleSize);
            }
            if ((maxDocumentShare > 0 && maxDocumentShare < 1) == false) {
                throw new IllegalArgumentException(
                        "[max_document_share] must be greater than 0 and less than 1, got: " + maxDocumentShare);
            }
            this.indices = indices;
            this.sampleSize = sampleSize;
            this.maxDocumentShare = maxDocumentShare;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.indices = in.readStringArray();
            this.sampleSize = in.readVInt();
            this.maxDocumentShare = in.readDouble();
        }

        /** @param parser may be null: all defaults */
        static Request fromXContent(String[] indices, XContentParser parser) throws IOException {
            Options options = parser == null ? new Options() : RequestOptions.body(PARSER, parser);
            return new Request(
                    indices,
                    new RecipeChoice(options.pipeline, options.config),
                    options.sampleSize,
                    options.maxDocumentShare);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeStringArray(indices);
            out.writeVInt(sampleSize);
            out.writeDouble(maxDocumentShare);
        }

        @Override
        public String[] indices() {
            return indices;
        }

        /** Called by a security filter with the indices that the caller may read, perhaps none. */
        @Override
        public IndicesRequest indices(String... replaced) {
            indices = RequestOnIndices.left(replaced);
            return this;
        }

        /** As for the search that reads the sample. */
        @Override
        public IndicesOptions indicesOptions() {
            return SearchRequest.DEFAULT_INDICES_OPTIONS;
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }

        int sampleSize() {
            return sampleSize;
        }

        double maxDocumentShare() {
            return maxDocumentShare;
        }

        @Override
        String description() {
            return "feature weights of [" + String.join(",", indices) + "]";
        }
    }

    /** The proposal, ready to paste, and its reasons. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final int documents;
        private final List<SharedFeature> features;

        Response(int documents, List<SharedFeature> features) {
            this.documents = documents;
            this.features = features;
        }

        Response(StreamInput in) throws IOException {
            this.documents = in.readVInt();
            this.features = in.readList(
                    feature -> new SharedFeature(feature.readString(), feature.readDouble(), feature.readDouble()));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeVInt(documents);
            out.writeCollection(features, (o, feature) -> {
                o.writeString(feature.feature());
                o.writeDouble(feature.share());
                o.writeDouble(feature.factor());
            });
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject();
            builder.field("documents", documents);
            builder.startObject("feature_weights");
            for (SharedFeature feature : features) {
                builder.field(feature.feature(), feature.factor());
            }
            builder.endObject();
            builder.startArray("features");
            for (SharedFeature feature : features) {
                builder.startObject();
                builder.field("feature", feature.feature());
                builder.field("share", feature.share());
                builder.field("factor", feature.factor());
                builder.endObject();
            }
            return builder.endArray().endObject();
        }
    }
}
