/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.options;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.options.Choice;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.simhash.query.Threshold;
import org.opensearch.simhash.verify.OwnWords;
import org.opensearch.simhash.verify.Verification;

/** Collects the options of a job while they are parsed. */
final class DeduplicateParser {

    private static final ObjectParser<DeduplicateParser, Void> PARSER =
            new ObjectParser<>("deduplicate", DeduplicateParser::new);

    static {
        declare("field", (options, value) -> options.field = value, string("field"));
        declare(
                "query",
                (options, value) -> options.query = value,
                RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        declare(
                "sketch",
                (options, value) -> options.sketch = value,
                RequestOptions.string(Choice.rule("sketch", SketchKind.class)));
        declare(
                "min_similarity",
                (options, value) -> options.minSimilarity = value,
                RequestOptions.number("[min_similarity] must be a number between 0 and 1"));
        declare("max_distance", (options, value) -> options.maxDistance = value, wholeNumber("max_distance"));
        declare(
                "verify",
                (options, value) -> {
                    options.verify = value.orElse(null);
                    options.isUnverified = value.isEmpty();
                },
                EndRules.verifyOrFalse());
        declare("max_own_words", (options, value) -> options.maxOwnWords = value, wholeNumber("max_own_words"));
        declare("same", (options, value) -> options.same = value, DeduplicateParser::typed);
        declare("differ", (options, value) -> options.differ = value, DeduplicateParser::typed);
        declare("within", (options, value) -> options.within = value, DeduplicateParser::typed);
        declare(
                "linkage",
                (options, value) -> options.linkage = value,
                RequestOptions.string(Choice.rule("linkage", DeduplicateOptions.Linkage.class)));
        declare("max_group_size", (options, value) -> options.maxGroupSize = value, wholeNumber("max_group_size"));
        declare(
                "survivor",
                (options, value) -> options.survivor = value,
                RequestOptions.objects(
                        "[survivor] must be a list of objects with a [field]",
                        parser -> SurvivorField.PARSER.parse(parser, null)));
        declare(
                "action",
                (options, value) -> options.action = value,
                RequestOptions.string(Choice.rule("action", DeduplicateOptions.Action.class)));
        declare(
                "groups",
                (options, value) -> options.groups = value,
                RequestOptions.string(Choice.rule("groups", DeduplicateOptions.Groups.class)));
        declare("size_field", (options, value) -> options.sizeField = value, string("size_field"));
        declare(
                "merge",
                (options, value) -> options.merge = value,
                RequestOptions.strings("[merge] must be a list of names of fields"));
        declare("dest", (options, value) -> options.dest = value, NamedIndex.reader("dest"));
        declare("archive", DeduplicateParser::setArchive, NamedIndex.archive());
        declare(
                "new_since",
                (options, value) -> {
                    options.newSince = value.orElse(null);
                    options.sinceLast = value.isEmpty();
                },
                DeduplicateParser::newSinceOrLast);
        declare(
                "candidates",
                (options, value) -> options.candidates = value,
                RequestOptions.object("candidates", parser -> CandidateLog.PARSER.parse(parser, null)));
    }

    private static <T> void declare(
            String name,
            BiConsumer<DeduplicateParser, T> option,
            CheckedFunction<XContentParser, T, IOException> reader) {
        PARSER.declareField(option, reader, new ParseField(name), RequestOptions.ANY);
    }

    private static CheckedFunction<XContentParser, String, IOException> string(String option) {
        return RequestOptions.string("[" + option + "] must be a string");
    }

    private static CheckedFunction<XContentParser, Integer, IOException> wholeNumber(String option) {
        return RequestOptions.wholeNumber("[" + option + "] must be a whole number");
    }

    private String sketch = "simhash";
    private Double minSimilarity;
    private String field;
    private QueryBuilder query = QueryBuilders.matchAllQuery();
    private Integer maxDistance;
    private Verification verify;
    private boolean isUnverified;
    private Integer maxOwnWords;
    private Object same;
    private Object differ;
    private Object within;
    private String linkage = "survivor";
    private int maxGroupSize = 1_000;
    private List<SurvivorField> survivor = List.of(new SurvivorField(SurvivorField.ID, SortOrder.ASC));
    private String action = "report";
    private String groups;
    private String sizeField;
    private List<String> merge = List.of();
    private String dest;
    private String archive;
    private boolean withoutArchive;
    private QueryBuilder newSince;
    private boolean sinceLast;
    private CandidateLog candidates;

    static DeduplicateParser parse(XContentParser parser) throws IOException {
        return RequestOptions.body(PARSER, parser);
    }

    DeduplicateOptions build() {
        SketchKind kind = Choice.of("sketch", SketchKind.class, sketch);
        SketchKind.MINHASH.requireFor("min_similarity", minSimilarity, kind);
        SketchKind.SIMHASH.requireFor("max_distance", maxDistance, kind);
        DeduplicateOptions.Action wanted = Choice.of("action", DeduplicateOptions.Action.class, action);
        boolean deletes = wanted == DeduplicateOptions.Action.DELETE;
        if (deletes == false && maxOwnWords != null) {
            throw new IllegalArgumentException(
                    "[max_own_words] is only allowed with [action] delete, got: " + maxOwnWords);
        }
        if (groups != null && wanted != DeduplicateOptions.Action.TAG) {
            throw new IllegalArgumentException("[groups] is only allowed with [action] tag, got: " + groups);
        }
        if (deletes && verify == null && isUnverified == false && candidates == null) {
            verify = Verification.of(null, null, null, null, null);
        }
        int distance = maxDistance == null ? MaxDistance.byDefault(verify != null) : maxDistance;
        return new DeduplicateOptions(
                field == null ? kind.defaultObject() : field,
                query,
                distance,
                verify,
                PairConditions.of(same, differ, within),
                Choice.of("linkage", DeduplicateOptions.Linkage.class, linkage),
                maxGroupSize,
                survivor,
                wanted,
                dest,
                archive,
                withoutArchive,
                newSince,
                sinceLast,
                candidates,
                kind == SketchKind.MINHASH ? similarity() : null,
                maxOwnWords == null ? OwnWords.DEFAULT_MOST : maxOwnWords,
                groups == null
                        ? DeduplicateOptions.Groups.DUPLICATES
                        : Choice.of("groups", DeduplicateOptions.Groups.class, groups),
                sizeField,
                merge);
    }

    private double similarity() {
        return minSimilarity == null ? Threshold.Similarity.byDefault(verify, false) : minSimilarity;
    }

    private void setArchive(Optional<String> value) {
        withoutArchive = value.isEmpty();
        archive = value.orElse(null);
    }

    /** Empty for documents that changed since the last run. */
    private static Optional<QueryBuilder> newSinceOrLast(XContentParser parser) throws IOException {
        if (parser.currentToken() == XContentParser.Token.START_OBJECT) {
            return Optional.of(newSince(parser));
        }
        if (parser.currentToken() == XContentParser.Token.VALUE_STRING
                && parser.text().equals("last")) {
            return Optional.empty();
        }
        throw RequestOptions.wrong("[new_since] must be an object or last", parser);
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
            return AbstractQueryBuilder.parseInnerQueryBuilder(again);
        }
    }

    /** Refuses null, which would make all documents new or name a field "null". */
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

    /** A string, a number, a list or an object, for a reader that checks it. */
    private static Object typed(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_ARRAY -> parser.list();
            case START_OBJECT -> parser.map();
            default -> parser.objectText();
        };
    }
}
