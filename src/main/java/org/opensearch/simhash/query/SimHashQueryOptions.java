/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.options.RequestOptions;

/** The options of a {@code simhash} query as people type them. */
final class SimHashQueryOptions extends SourceQueryOptions {

    private static final ParseField HASH = new ParseField("hash");
    static final ParseField MAX_DISTANCE = new ParseField("max_distance");

    static final ObjectParser<SimHashQueryOptions, Void> PARSER =
            new ObjectParser<>(SimHashQueryBuilder.NAME, SimHashQueryOptions::new);

    static {
        declareShared(PARSER, HASH, RequestOptions.string(Fingerprint.HASH_RULE + " in a string"));
        declare(
                PARSER,
                (options, value) -> options.maxDistance = value,
                RequestOptions.wholeNumber("[max_distance] must be a whole number between 0 and 64"),
                MAX_DISTANCE);
    }

    private Integer maxDistance;

    private SimHashQueryOptions() {
        super(HASH, FingerprintFields.DEFAULT_OBJECT);
    }

    SimHashQueryBuilder build(SimHashQueryBuilder.Services services) {
        int distance = maxDistance == null ? MaxDistance.byDefault(verify() != null) : maxDistance;
        return named(new SimHashQueryBuilder(field(), source(), distance, verify(), services));
    }

    @Override
    QuerySource ofReady(String given) {
        return new QuerySource.Resolved(List.of(Target.of(Fingerprint.fromHex(given))), null);
    }
}
