/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.xcontent.ObjectParser;
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
import org.opensearch.simhash.search.options.RequestOptions.Given;
import org.opensearch.simhash.search.query.VerifyOptions;

/**
 * @param fields objects with it; each gets an answer of its own. Null for the one that is mapped
 * @param verify how texts are compared, without its similarity; null if the request does not say it
 * @param judged what people have said of pairs; null if nobody is asked
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
        long seed,
        List<Judging.Judged> judged) {

    private static final int MAX_DISTANCE = 64;
    private static final int DEFAULT_MAX_DISTANCE = 24;
    static final int MAX_SAMPLE_SIZE = 10_000;
    private static final int MAX_PAIRS = 2_000;
    private static final int MAX_EXAMPLES = 10;
    private static final int MAX_FIELDS = 10;
    private static final String MIN_SIMILARITY = "min_similarity";

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("calibrate");

    static {
        declare(PARSER, "sketch", Choice.reader("sketch", SketchKind.PRINTS));
        declare(PARSER, "field", RequestOptions.strings("[field] must be a string or a list of strings"));
        declare(PARSER, "query", RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        declare(PARSER, "verify", RequestOptions.object("verify", Verify::parse));
        declare(
                PARSER,
                "judged",
                RequestOptions.objects(
                        "[judged] must be a list of objects with [a], [b] and [near]", Judging.Judged::parse));
        option(PARSER, MIN_SIMILARITY, RequestOptions::share);
        for (String number : List.of("max_distance", "sample_size", "pairs_per_distance", "examples", "seed")) {
            option(PARSER, number, RequestOptions::integer);
        }
    }

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
        TypedNumber.requireAtMost("[judged]", Judging.MOST, "pairs", judged == null ? 0 : judged.size());
    }

    static CalibrateOptions fromXContent(XContentParser parser) throws IOException {
        Given given = RequestOptions.optionalBody(PARSER, parser);
        SketchKind kind = given.get("sketch", SketchKind.SIMHASH);
        SketchKind.SIMHASH.requireFor("max_distance", given.get("max_distance", null), kind);
        Verify verify = given.get("verify", new Verify(null, false));
        return new CalibrateOptions(
                kind,
                given.get("field", null),
                given.get("query", QueryBuilders.matchAllQuery()),
                verify.verification,
                verify.isMeasureGiven,
                given.get(MIN_SIMILARITY, verify.leastByDefault()),
                given.get("max_distance", DEFAULT_MAX_DISTANCE),
                given.get("sample_size", 2_000),
                given.get("pairs_per_distance", 200),
                given.get("examples", 3),
                given.get("seed", 0),
                given.get("judged", null));
    }

    private record Verify(Verification verification, boolean isMeasureGiven) {

        double leastByDefault() {
            return verification == null ? Verification.DEFAULT_MIN_SIMILARITY : verification.minSimilarity();
        }

        static Verify parse(XContentParser parser) throws IOException {
            Map<String, Object> typed = parser.map();
            if (typed.containsKey(MIN_SIMILARITY)) {
                throw new IllegalArgumentException(
                        "[min_similarity] must stand beside [verify], not in it, got: " + typed.get(MIN_SIMILARITY));
            }
            return new Verify(VerifyOptions.fromTyped(typed).requireField(), typed.containsKey("measure"));
        }
    }
}
