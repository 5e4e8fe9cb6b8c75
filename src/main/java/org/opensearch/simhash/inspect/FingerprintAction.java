/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.core.ParseField;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.fingerprint.WeightedFeature;
import org.opensearch.simhash.options.RequestOptions;

/**
 * The fingerprint of a text or document, as the ingest processor makes it. A cluster action: it reads no index and
 * needs no right on one.
 */
public final class FingerprintAction extends ActionType<FingerprintAction.Response> {

    public static final String NAME = "cluster:monitor/simhash/fingerprint";
    public static final FingerprintAction INSTANCE = new FingerprintAction();

    private FingerprintAction() {
        super(NAME, Response::new);
    }

    /** The text or document, and the recipe. */
    public static final class Request extends InspectRequest {

        private static final ObjectParser<Options, Void> PARSER = new ObjectParser<>("fingerprint", Options::new);

        static {
            RecipeChoice.declare(
                    PARSER, (options, value) -> options.pipeline = value, (options, value) -> options.config = value);
            InspectedText.declare(
                    PARSER, (options, value) -> options.text = value, (options, value) -> options.document = value);
            PARSER.declareField(
                    (options, value) -> options.explain = value,
                    RequestOptions.flag("explain"),
                    new ParseField("explain"),
                    RequestOptions.ANY);
            PARSER.declareRequiredFieldSet("pipeline", "config");
            PARSER.declareRequiredFieldSet("text", "document");
            PARSER.declareExclusiveFieldSet("text", "document");
        }

        private static final class Options {
            private String pipeline;
            private Map<String, Object> config;
            private String text;
            private Map<String, Object> document;
            private boolean explain;
        }

        private final InspectedText text;
        private final boolean explain;

        Request(RecipeChoice recipe, InspectedText text, boolean explain) {
            super(recipe);
            this.text = text;
            this.explain = explain;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.text = new InspectedText(in);
            this.explain = in.readBoolean();
        }

        static Request fromXContent(XContentParser parser) throws IOException {
            Options options = RequestOptions.body(PARSER, parser);
            return new Request(
                    new RecipeChoice(options.pipeline, options.config),
                    new InspectedText(options.text, options.document, null, null, null),
                    options.explain);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            text.writeTo(out);
            out.writeBoolean(explain);
        }

        InspectedText text() {
            return text;
        }

        boolean explain() {
            return explain;
        }

        @Override
        String description() {
            return "fingerprint of a text";
        }
    }

    /** A readable fingerprint. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final Fingerprint fingerprint;
        private final SegmentLayout segments;
        private final Map<String, Object> sketch;
        private final List<WeightedFeature> topFeatures;

        /**
         * @param sketch the fields of the MinHash sketch
         * @param topFeatures the heaviest features; null if not asked for
         */
        Response(
                Fingerprint fingerprint,
                SegmentLayout segments,
                Map<String, Object> sketch,
                List<WeightedFeature> topFeatures) {
            this.sketch = sketch;
            this.fingerprint = fingerprint;
            this.segments = segments;
            this.topFeatures = topFeatures;
        }

        Response(StreamInput in) throws IOException {
            this.fingerprint = FingerprintStreams.read(in);
            this.segments = new SegmentLayout(in.readVInt());
            this.sketch = in.readMap();
            this.topFeatures = in.readBoolean()
                    ? in.readList(feature -> new WeightedFeature(feature.readString(), feature.readDouble()))
                    : null;
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            FingerprintStreams.write(out, fingerprint);
            out.writeVInt(segments.count());
            out.writeMap(sketch);
            out.writeBoolean(topFeatures != null);
            if (topFeatures != null) {
                out.writeCollection(topFeatures, (o, feature) -> {
                    o.writeString(feature.feature());
                    o.writeDouble(feature.weight());
                });
            }
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject();
            if (fingerprint.bits().isPresent()) {
                long bits = fingerprint.bits().getAsLong();
                builder.field("hash", Fingerprint.toHex(bits));
                builder.field("bits", bits);
                builder.array("segments", segments.terms(bits));
            }
            builder.field("digest", fingerprint.digest());
            builder.field("features", fingerprint.features());
            builder.field("scheme", fingerprint.scheme());
            builder.field("minhash", sketch);
            if (topFeatures != null) {
                builder.startArray("top_features");
                for (WeightedFeature feature : topFeatures) {
                    builder.startObject();
                    builder.field("feature", feature.feature());
                    builder.field("weight", feature.weight());
                    builder.endObject();
                }
                builder.endArray();
            }
            return builder.endObject();
        }
    }
}
