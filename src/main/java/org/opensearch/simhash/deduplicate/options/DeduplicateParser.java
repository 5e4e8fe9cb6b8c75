/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.options;

import static org.opensearch.index.query.AbstractQueryBuilder.parseInnerQueryBuilder;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.ObjectParser.ValueType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.options.WholeNumber;
import org.opensearch.simhash.query.VerifyOptions;
import org.opensearch.simhash.verify.Verification;

/** The options of a job as people type them, gathered until all are read. */
final class DeduplicateParser {

    private static final ObjectParser<DeduplicateParser, Void> PARSER =
            new ObjectParser<>("deduplicate", DeduplicateParser::new);

    private static final ConstructingObjectParser<String, Void> INDEX =
            new ConstructingObjectParser<>("index", options -> (String) options[0]);

    static {
        INDEX.declareString(ConstructingObjectParser.constructorArg(), new ParseField("index"));
        PARSER.declareString((options, value) -> options.field = value, new ParseField("field"));
        PARSER.declareObject(
                (options, value) -> options.query = value,
                (p, c) -> parseInnerQueryBuilder(p),
                new ParseField("query"));
        PARSER.declareField(
                (options, value) -> options.maxDistance = whole("max_distance", value),
                XContentParser::text,
                new ParseField("max_distance"),
                ValueType.INT);
        PARSER.declareObject(
                (options, value) -> options.verify = value,
                (p, c) -> VerifyOptions.fromXContent(p),
                new ParseField("verify"));
        PARSER.declareField(
                (options, value) -> options.same = value,
                (p, c) -> same(p),
                new ParseField("same"),
                ValueType.STRING_ARRAY);
        PARSER.declareString((options, value) -> options.linkage = value, new ParseField("linkage"));
        PARSER.declareField(
                (options, value) -> options.maxGroupSize = whole("max_group_size", value),
                XContentParser::text,
                new ParseField("max_group_size"),
                ValueType.INT);
        PARSER.declareObjectArray(
                (options, value) -> options.survivor = value, SurvivorField.PARSER, new ParseField("survivor"));
        PARSER.declareString((options, value) -> options.action = value, new ParseField("action"));
        PARSER.declareObject((options, value) -> options.dest = value, INDEX, new ParseField("dest"));
        PARSER.declareField(
                (options, value) -> options.archive(value),
                (p, c) ->
                        p.currentToken() == XContentParser.Token.START_OBJECT ? INDEX.parse(p, null) : p.booleanValue(),
                new ParseField("archive"),
                ValueType.OBJECT_OR_BOOLEAN);
        PARSER.declareField(
                (options, value) -> options.newSince = value,
                (p, c) -> newSince(p),
                new ParseField("new_since"),
                ValueType.OBJECT);
        PARSER.declareObject(
                (options, value) -> options.candidates = value, CandidateLog.PARSER, new ParseField("candidates"));
    }

    private String field = FingerprintFields.DEFAULT_OBJECT;
    private QueryBuilder query = QueryBuilders.matchAllQuery();
    private Integer maxDistance;
    private Verification verify;
    private List<String> same = List.of();
    private String linkage = "survivor";
    private int maxGroupSize = 1_000;
    private List<SurvivorField> survivor = List.of(new SurvivorField(SurvivorField.ID, SortOrder.ASC));
    private String action = "report";
    private String dest;
    private String archive;
    private boolean withoutArchive;
    private QueryBuilder newSince;
    private CandidateLog candidates;

    static DeduplicateParser parse(XContentParser parser) throws IOException {
        return RequestOptions.body(PARSER, parser);
    }

    DeduplicateOptions build() {
        int distance = maxDistance == null ? (verify == null ? 3 : 10) : maxDistance;
        return new DeduplicateOptions(
                field,
                query,
                distance,
                verify,
                same,
                DeduplicateOptions.parse("linkage", linkage, DeduplicateOptions.Linkage.class),
                maxGroupSize,
                survivor,
                DeduplicateOptions.parse("action", action, DeduplicateOptions.Action.class),
                dest,
                archive,
                withoutArchive,
                newSince,
                candidates);
    }

    private void archive(Object value) {
        if (Boolean.TRUE.equals(value)) {
            throw new IllegalArgumentException("[archive] must name an index, or be false, got: true");
        }
        withoutArchive = value instanceof Boolean;
        archive = value instanceof String index ? index : null;
    }

    /** A field and its first new value, or any query. */
    private static QueryBuilder newSince(XContentParser parser) throws IOException {
        Map<String, Object> value = parser.map();
        if (value.keySet().equals(Set.of("field", "value"))) {
            return since(value.get("field"), value.get("value"));
        }
        try (XContentBuilder json = JsonXContent.contentBuilder().map(value);
                XContentParser again = JsonXContent.jsonXContent.createParser(
                        parser.getXContentRegistry(), parser.getDeprecationHandler(), json.toString())) {
            again.nextToken();
            return parseInnerQueryBuilder(again);
        }
    }

    /** What is null would make everything new, or name a field "null". */
    private static QueryBuilder since(Object field, Object value) {
        if (field instanceof String == false || field.equals("")) {
            throw new IllegalArgumentException("[field] of [new_since] must be the name of a field, got: " + field);
        }
        if (value == null || value instanceof Map || value instanceof List) {
            throw new IllegalArgumentException(
                    "[value] of [new_since] must be a string, a number or a boolean, got: " + value);
        }
        return QueryBuilders.rangeQuery((String) field).gte(value);
    }

    private static List<String> same(XContentParser parser) throws IOException {
        List<?> typed =
                parser.currentToken() == XContentParser.Token.START_ARRAY ? parser.list() : List.of(parser.text());
        for (Object name : typed) {
            if (name == null || name instanceof Map || name instanceof List) {
                throw new IllegalArgumentException("[same] must be a list of names of fields, got: " + typed);
            }
        }
        return typed.stream().map(Object::toString).toList();
    }

    private static int whole(String option, String value) {
        return WholeNumber.parse("[" + option + "] must be a whole number", value);
    }
}
