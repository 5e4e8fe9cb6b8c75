/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.sketch.Sketch;

/** The options of a {@code minhash} query as users type them. */
final class MinHashQueryOptions extends SourceQueryOptions {

    private static final ParseField SKETCH = new ParseField("sketch");
    static final ParseField MIN_SIMILARITY = new ParseField("min_similarity");
    static final ParseField CONTAINMENT = new ParseField("containment");

    static final ObjectParser<MinHashQueryOptions, Void> PARSER =
            new ObjectParser<>(MinHashQueryBuilder.NAME, MinHashQueryOptions::new);

    static {
        declareShared(PARSER, SKETCH, RequestOptions.string("[sketch] must be a string"));
        declare(
                PARSER,
                (options, value) -> options.minSimilarity = value,
                RequestOptions.number("[min_similarity] must be a number between 0 and 1"),
                MIN_SIMILARITY);
        declare(
                PARSER,
                (options, value) -> options.containment = value,
                RequestOptions.flag(CONTAINMENT.getPreferredName()),
                CONTAINMENT);
    }

    private Double minSimilarity;
    private boolean containment;

    private MinHashQueryOptions() {
        super(SKETCH, SketchFields.DEFAULT_OBJECT);
    }

    MinHashQueryBuilder build(SimHashQueryBuilder.Services services) {
        double minimum = minSimilarity == null ? SketchSimilarity.byDefault(verify(), containment) : minSimilarity;
        return named(new MinHashQueryBuilder(field(), source(), minimum, containment, verify(), services));
    }

    /** Its bands are unknown, so the query scans all sketches. */
    @Override
    QuerySource ofReady(String given) {
        SketchTarget target = new SketchTarget(Sketch.fromBase64(given), null, null, null);
        return new QuerySource.Sketched(List.of(target), null, null, null);
    }
}
