/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.integer;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.query.VerifyOptions;

/**
 * @param kind what is compared
 * @param fields objects with it; each gets an answer of its own. Null for the one that is mapped
 * @param verify how texts are compared, without its similarity; null if the request does not say it
 * @param isMeasureGiven whether the request names the measure
 * @param minSimilarity the lowest similarity of near texts
 * @param sampleSize the number of documents to draw
 * @param pairsPerDistance the most pairs whose texts are compared
 * @param examples pairs to show per distance
 */
record CalibrateOptions(
        SketchKind kind,
        List<String> fields,
        QueryBuilder query,
        Verification verify,
        boolean isMeasureGiven,
        double minSimilarity,
        int maxDistance,
        int sampleSize,
        int pairsPerDistance,
        int examples,
        long seed) {

    private static final int MAX_DISTANCE = 64;
    private static final int DEFAULT_MAX_DISTANCE = 24;
    static final int MAX_SAMPLE_SIZE = 10_000;
    private static final int MAX_PAIRS = 2_000;
    private static final int MAX_EXAMPLES = 10;
    private static final int MAX_FIELDS = 10;

    CalibrateOptions {
        if (fields != null && (fields.isEmpty() || fields.size() > MAX_FIELDS)) {
            throw new IllegalArgumentException(
                    "[field] must name 1 to " + MAX_FIELDS + " objects, got: " + fields.size());
        }
        fields = fields == null
                ? null
                : fields.stream()
                        .map(field -> ProcessorOptions.requirePath("[field] must name a field", field))
                        .distinct()
                        .toList();
        TypedNumber.requireBetween("min_similarity", 0, 1, minSimilarity);
        TypedNumber.requireBetween("max_distance", 0, MAX_DISTANCE, maxDistance);
        TypedNumber.requireBetween("sample_size", 1, MAX_SAMPLE_SIZE, sampleSize);
        TypedNumber.requireBetween("pairs_per_distance", 1, MAX_PAIRS, pairsPerDistance);
        TypedNumber.requireBetween("examples", 0, MAX_EXAMPLES, examples);
    }

    /** @param parser null if there is no body */
    static CalibrateOptions fromXContent(XContentParser parser) throws IOException {
        Typed options = parser == null ? new Typed() : RequestOptions.body(Typed.PARSER, parser);
        SketchKind kind = options.sketch;
        SketchKind.SIMHASH.requireFor("max_distance", options.maxDistance, kind);
        return new CalibrateOptions(
                kind,
                options.fields,
                options.query,
                options.verify.verification,
                options.verify.isMeasureGiven,
                options.minSimilarity == null ? options.verify.leastByDefault() : options.minSimilarity,
                options.maxDistance == null ? DEFAULT_MAX_DISTANCE : options.maxDistance,
                options.sampleSize,
                options.pairsPerDistance,
                options.examples,
                options.seed);
    }

    /** Collects the options while they are parsed. */
    private static final class Typed {

        private static final ObjectParser<Typed, Void> PARSER = new ObjectParser<>("calibrate", Typed::new);

        private static final String MIN_SIMILARITY = "min_similarity";

        static {
            declare(
                    PARSER,
                    "sketch",
                    (options, value) -> options.sketch = value,
                    Choice.reader("sketch", SketchKind.PRINTS));
            declare(
                    PARSER,
                    "field",
                    (options, value) -> options.fields = value,
                    RequestOptions.strings("[field] must be a string or a list of strings"));
            declare(
                    PARSER,
                    "query",
                    (options, value) -> options.query = value,
                    RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
            declare(
                    PARSER,
                    "verify",
                    (options, value) -> options.verify = value,
                    RequestOptions.object("verify", Verify::parse));
            declare(
                    PARSER,
                    MIN_SIMILARITY,
                    (options, value) -> options.minSimilarity = value,
                    RequestOptions.number("[min_similarity] must be a number between 0 and 1"));
            declare(PARSER, "max_distance", (options, value) -> options.maxDistance = value, integer("max_distance"));
            declare(PARSER, "sample_size", (options, value) -> options.sampleSize = value, integer("sample_size"));
            declare(
                    PARSER,
                    "pairs_per_distance",
                    (options, value) -> options.pairsPerDistance = value,
                    integer("pairs_per_distance"));
            declare(PARSER, "examples", (options, value) -> options.examples = value, integer("examples"));
            declare(PARSER, "seed", (options, value) -> options.seed = value, integer("seed"));
        }

        private record Verify(Verification verification, boolean isMeasureGiven) {

            double leastByDefault() {
                return verification == null ? Verification.DEFAULT_MIN_SIMILARITY : verification.minSimilarity();
            }

            static Verify parse(XContentParser parser) throws IOException {
                Map<String, Object> typed = parser.map();
                if (typed.containsKey(MIN_SIMILARITY)) {
                    throw new IllegalArgumentException("[min_similarity] must stand beside [verify], not in it, got: "
                            + typed.get(MIN_SIMILARITY));
                }
                try (XContentBuilder json = JsonXContent.contentBuilder().map(typed);
                        XContentParser again = JsonXContent.jsonXContent.createParser(
                                parser.getXContentRegistry(), parser.getDeprecationHandler(), json.toString())) {
                    again.nextToken();
                    return new Verify(VerifyOptions.fromXContent(again), typed.containsKey("measure"));
                }
            }
        }

        private SketchKind sketch = SketchKind.SIMHASH;
        private List<String> fields;
        private QueryBuilder query = QueryBuilders.matchAllQuery();
        private Verify verify = new Verify(null, false);
        private Double minSimilarity;
        private Integer maxDistance;
        private int sampleSize = 2_000;
        private int pairsPerDistance = 200;
        private int examples = 3;
        private int seed;
    }
}
