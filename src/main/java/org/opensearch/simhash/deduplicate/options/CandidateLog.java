/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.options;

import static org.opensearch.simhash.options.RequestOptions.declare;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.RequestOptions;

/**
 * An index whose documents hold sets of ids to compare.
 *
 * @param field an array of ids, or of objects {@code {id, score}}
 * @param minScore the lowest score of ids that count, or null
 */
public record CandidateLog(String index, String field, Double minScore) implements ToXContentObject {

    static final ConstructingObjectParser<CandidateLog, Void> PARSER = new ConstructingObjectParser<>(
            "candidates", options -> new CandidateLog((String) options[0], (String) options[1], (Double) options[2]));

    static {
        declare(
                PARSER,
                "index",
                ConstructingObjectParser.constructorArg(),
                RequestOptions.string("[index] of [candidates] must be a string"));
        declare(
                PARSER,
                "field",
                ConstructingObjectParser.constructorArg(),
                RequestOptions.string("[field] of [candidates] must be a string"));
        declare(
                PARSER,
                "min_score",
                ConstructingObjectParser.optionalConstructorArg(),
                RequestOptions.number("[min_score] must be a number"));
    }

    public CandidateLog {
        field = ProcessorOptions.requirePath("[field] of [candidates] must be the name of a field", field);
    }

    /** As {@link #toXContent} wrote it; null for anything else. */
    public static CandidateLog fromMap(Object stored) {
        return stored instanceof Map<?, ?> map
                        && map.get("index") instanceof String index
                        && map.get("field") instanceof String field
                ? new CandidateLog(
                        index, field, map.get("min_score") instanceof Number least ? least.doubleValue() : null)
                : null;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        builder.field("index", index);
        builder.field("field", field);
        if (minScore != null) {
            builder.field("min_score", minScore);
        }
        return builder.endObject();
    }
}
