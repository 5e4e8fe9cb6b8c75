/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.verify.Measure;

/** Compares two texts by fingerprint, digest and every measure of similarity. */
public final class CompareAction extends ActionType<CompareAction.Response> {

    public static final String NAME = "indices:data/read/simhash/compare";
    public static final CompareAction INSTANCE = new CompareAction();

    private CompareAction() {
        super(NAME, Response::new);
    }

    /**
     * Two texts and a recipe; at least one text is stored. The request is on the indices of the stored texts.
     * {@link CompareTextsAction} compares two given texts.
     */
    public static final class Request extends InspectRequest implements IndicesRequest.Replaceable {

        private final InspectedText a;
        private final InspectedText b;

        /** Null unless someone replaced the indices. */
        private String[] permitted;

        Request(RecipeChoice recipe, InspectedText a, InspectedText b) {
            super(recipe);
            this.a = a;
            this.b = b;
            requireStored();
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.a = new InspectedText(in);
            this.b = new InspectedText(in);
            this.permitted = in.readOptionalStringArray();
            requireStored();
        }

        /** A security filter takes a request without an index for a request on all indices. */
        private void requireStored() {
            if (a.isStored() == false && b.isStored() == false) {
                throw new IllegalArgumentException("one of [a] and [b] must be stored, got: two texts");
            }
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            a.writeTo(out);
            b.writeTo(out);
            out.writeOptionalStringArray(permitted);
        }

        InspectedText a() {
            return a;
        }

        InspectedText b() {
            return b;
        }

        @Override
        public String[] indices() {
            return permitted == null
                    ? Stream.of(a, b)
                            .filter(InspectedText::isStored)
                            .map(InspectedText::index)
                            .distinct()
                            .toArray(String[]::new)
                    : permitted;
        }

        /**
         * Called by a security filter with the indices that the caller may read. A text in another index is then
         * refused.
         */
        @Override
        public IndicesRequest indices(String... replaced) {
            permitted = replaced;
            return this;
        }

        /** The replacing indices, or null. */
        String[] permitted() {
            return permitted;
        }

        /** As for a get. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictSingleIndexNoExpandForbidClosed();
        }

        @Override
        String description() {
            return "comparison of two texts";
        }
    }

    /** The result of a comparison. */
    public static final class Response extends ActionResponse implements ToXContentObject {

        private final List<Integer> differingBits;
        private final boolean sameDigest;
        private final Map<String, Object> sketches;
        private final Map<Measure, Double> similarity;

        /**
         * @param differingBits their positions, 0 the least significant; empty if the digests are equal; else null if a
         *     text is too short for a fingerprint
         * @param sketches the comparison of the sketches; null if a text is too short for one
         * @param similarity by measure; NaN if the texts are too large for it
         */
        Response(
                List<Integer> differingBits,
                boolean sameDigest,
                Map<String, Object> sketches,
                Map<Measure, Double> similarity) {
            this.sketches = sketches;
            this.differingBits = differingBits;
            this.sameDigest = sameDigest;
            this.similarity = new TreeMap<>(similarity);
        }

        Response(StreamInput in) throws IOException {
            this(
                    in.readBoolean() ? in.readList(StreamInput::readVInt) : null,
                    in.readBoolean(),
                    in.readBoolean() ? in.readMap() : null,
                    in.readMap(measure -> measure.readEnum(Measure.class), StreamInput::readDouble));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeBoolean(differingBits != null);
            if (differingBits != null) {
                out.writeCollection(differingBits, StreamOutput::writeVInt);
            }
            out.writeBoolean(sameDigest);
            out.writeBoolean(sketches != null);
            if (sketches != null) {
                out.writeMap(sketches);
            }
            out.writeMap(similarity, StreamOutput::writeEnum, StreamOutput::writeDouble);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject();
            builder.field("distance", differingBits == null ? null : differingBits.size());
            builder.field("differing_bits", differingBits);
            builder.field("same_digest", sameDigest);
            builder.field("minhash", sketches);
            builder.startObject("similarity");
            for (Map.Entry<Measure, Double> measured : similarity.entrySet()) {
                double value = measured.getValue();
                builder.field(
                        measured.getKey().toString().toLowerCase(Locale.ROOT), Double.isNaN(value) ? null : value);
            }
            return builder.endObject().endObject();
        }
    }
}
