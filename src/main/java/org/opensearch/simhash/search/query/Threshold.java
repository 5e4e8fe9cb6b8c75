/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.PassagesQuery;

/** How near documents must be to be found. Each kind of print has its own measure. Immutable. */
public sealed interface Threshold {

    String MAX_DISTANCE = "max_distance";
    String MIN_SIMILARITY = "min_similarity";
    String CONTAINMENT = "containment";
    String OF = "of";

    /** @param maxBits differing bits of fingerprints, 0 to their length, which only the query knows */
    record Distance(int maxBits) implements Threshold {

        public Distance {
            MaxDistance.require(maxBits, LongHash.MOST_BITS);
        }
    }

    /**
     * @param least estimated similarity of sketches, 0 to 1
     * @param containment whether the share of the smaller text counts
     */
    record Similarity(double least, boolean containment) implements Threshold {

        private static final double DEFAULT = 0.8;

        /** Of the words of a fact and of the same one in other words. */
        private static final double OF_FACTS = 0.4;

        /** Standard deviations of an estimate: what is verified must not be lost to an estimate. */
        private static final double DEVIATIONS = 3;

        private static final double LEAST_SLACK = 0.1;

        /** For a short text inside one three times as long, where a deviation is 0.1. */
        private static final double CONTAINMENT_SLACK = 0.25;

        private static final double ROUNDING = 1e-9;

        public Similarity {
            Sketch.requireSimilarity(least);
        }

        /**
         * The least estimated similarity if nobody says one. If texts are verified, it is less than what they must have, by three
         * standard deviations of an estimate of {@value BandLayout#DEFAULT_PERMUTATIONS} components. In hundredths, rounded down.
         *
         * @param verify may be null
         */
        public static double byDefault(Verification verify, boolean containment) {
            if (verify == null) {
                return DEFAULT;
            }
            if (verify.measure() == Measure.FACTS) {
                return OF_FACTS;
            }
            double similarity = verify.minSimilarity();
            double slack = containment ? CONTAINMENT_SLACK : slack(similarity);
            return Math.max(0.01, Math.floor(100 * (similarity - slack) + ROUNDING) / 100);
        }

        private static double slack(double similarity) {
            double deviation = Math.sqrt(similarity * (1 - similarity) / BandLayout.DEFAULT_PERMUTATIONS);
            return Math.max(LEAST_SLACK, DEVIATIONS * deviation);
        }
    }

    /**
     * What texts must share.
     *
     * @param mostCompared see {@link PassagesQuery}
     */
    record Passages(PassageRule rule, int mostCompared) implements Threshold {

        public static Passages bounded(PassageRule rule) {
            return new Passages(rule, 256);
        }
    }

    default SketchKind kind() {
        return switch (this) {
            case Distance distance -> SketchKind.SIMHASH;
            case Similarity similarity -> SketchKind.MINHASH;
            case Passages passages -> SketchKind.PASSAGES;
        };
    }

    /** For a filter beside the same query, which has found what is near: any sketch, so that no bands are looked up. */
    default Threshold ofFilter() {
        return this instanceof Similarity similarity ? new Similarity(0, similarity.containment) : this;
    }

    static Threshold read(StreamInput in) throws IOException {
        return switch (in.readEnum(SketchKind.class)) {
            case SIMHASH -> new Distance(in.readVInt());
            case MINHASH -> new Similarity(in.readDouble(), in.readBoolean());
            case PASSAGES ->
                new Passages(
                        new PassageRule(
                                in.readOptionalVInt(),
                                in.readDouble(),
                                in.readEnum(PassageRule.Of.class),
                                in.readOptionalDouble()),
                        in.readVInt());
        };
    }

    default void writeTo(StreamOutput out) throws IOException {
        out.writeEnum(kind());
        switch (this) {
            case Distance distance -> out.writeVInt(distance.maxBits);
            case Similarity similarity -> {
                out.writeDouble(similarity.least);
                out.writeBoolean(similarity.containment);
            }
            case Passages passages -> {
                out.writeOptionalVInt(passages.rule.minWords());
                out.writeDouble(passages.rule.minShare());
                out.writeEnum(passages.rule.of());
                out.writeOptionalDouble(passages.rule.maxDocumentShare());
                out.writeVInt(passages.mostCompared);
            }
        }
    }

    default void toXContent(XContentBuilder builder) throws IOException {
        switch (this) {
            case Distance distance -> builder.field(MAX_DISTANCE, distance.maxBits);
            case Similarity similarity ->
                builder.field(MIN_SIMILARITY, similarity.least).field(CONTAINMENT, similarity.containment);
            case Passages passages -> {
                for (Map.Entry<String, Object> option : passages.rule.asPairs().entrySet()) {
                    builder.field(option.getKey(), option.getValue());
                }
                builder.field(OF, passages.rule.of().name().toLowerCase(Locale.ROOT));
            }
        }
    }
}
