/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.integer;
import static org.opensearch.simhash.search.options.RequestOptions.text;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Action;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Against;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.CandidateLog;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Groups;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Linkage;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.Threshold;
import org.opensearch.simhash.search.query.VerifyOptions;

/** Collects the options of a job while they are parsed. */
public final class DeduplicateParser {

    private static final ObjectParser<DeduplicateParser, Void> PARSER =
            new ObjectParser<>("deduplicate", DeduplicateParser::new);

    static {
        declare(PARSER, "field", (options, value) -> options.field = value, text("field"));
        declare(
                PARSER,
                "query",
                (options, value) -> options.query = value,
                RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        declare(PARSER, "sketch", (options, value) -> options.kind = value, Choice.reader("sketch", SketchKind.class));
        declare(PARSER, "min_similarity", (options, value) -> options.minSimilarity = value, share("min_similarity"));
        declare(PARSER, "min_words", (options, value) -> options.minWords = value, integer("min_words"));
        declare(PARSER, "min_share", (options, value) -> options.minShare = value, share("min_share"));
        declare(
                PARSER,
                "max_document_share",
                (options, value) -> options.maxDocumentShare = value,
                share("max_document_share"));
        declare(PARSER, "max_distance", (options, value) -> options.maxDistance = value, integer("max_distance"));
        declare(
                PARSER,
                "verify",
                (options, value) -> {
                    options.verify = value.orElse(null);
                    options.isUnverified = value.isEmpty();
                },
                verifyOrFalse());
        declare(PARSER, "max_own_words", (options, value) -> options.maxOwnWords = value, integer("max_own_words"));
        declare(
                PARSER,
                "short_texts",
                (options, value) -> options.shortTexts = value,
                RequestOptions.flag("short_texts"));
        declare(PARSER, "same_id", (options, value) -> options.sameId = value, Choice.reader("same_id", SameId.class));
        declare(PARSER, "same", (options, value) -> options.same = value, DeduplicateParser::typed);
        declare(PARSER, "differ", (options, value) -> options.differ = value, DeduplicateParser::typed);
        declare(PARSER, "within", (options, value) -> options.within = value, DeduplicateParser::typed);
        declare(
                PARSER,
                "linkage",
                (options, value) -> options.linkage = value,
                Choice.reader("linkage", Linkage.class));
        declare(PARSER, "max_group_size", (options, value) -> options.maxGroupSize = value, integer("max_group_size"));
        declare(
                PARSER,
                "survivor",
                (options, value) -> options.survivor = value,
                RequestOptions.objects(
                        "[survivor] must be a list of objects with a [field]",
                        parser -> SurvivorField.PARSER.parse(parser, null)));
        declare(PARSER, "action", (options, value) -> options.action = value, Choice.reader("action", Action.class));
        declare(PARSER, "groups", (options, value) -> options.groups = value, Choice.reader("groups", Groups.class));
        declare(PARSER, "size_field", (options, value) -> options.sizeField = value, text("size_field"));
        declare(
                PARSER,
                "merge",
                (options, value) -> options.merge = value,
                RequestOptions.strings("[merge] must be a list of names of fields"));
        declare(PARSER, "dest", (options, value) -> options.dest = value, NamedIndex.reader("dest"));
        declare(PARSER, "pairs", (options, value) -> options.pairs = value, RequestOptions.flag("pairs"));
        declare(PARSER, "archive", DeduplicateParser::setArchive, NamedIndex.archive());
        declare(
                PARSER,
                "new_since",
                (options, value) -> {
                    options.newSince = value.orElse(null);
                    options.sinceLast = value.isEmpty();
                },
                DeduplicateParser::newSinceOrLast);
        declare(
                PARSER,
                "candidates",
                (options, value) -> options.candidates = value,
                RequestOptions.object("candidates", parser -> CandidateLog.PARSER.parse(parser, null)));
        declare(
                PARSER,
                "against",
                (options, value) -> options.against = value,
                RequestOptions.object("against", parser -> Against.PARSER.parse(parser, null)));
    }

    private SketchKind kind = SketchKind.SIMHASH;
    private Double minSimilarity;
    private Integer minWords;
    private Double minShare;
    private Double maxDocumentShare;
    private String field;
    private QueryBuilder query = QueryBuilders.matchAllQuery();
    private Integer maxDistance;
    private Verification verify;
    private boolean isUnverified;
    private Integer maxOwnWords;
    private Boolean shortTexts;
    private SameId sameId = SameId.KEEP;
    private Object same;
    private Object differ;
    private Object within;
    private Linkage linkage = Linkage.SURVIVOR;
    private Integer maxGroupSize;
    private List<SurvivorField> survivor = List.of(new SurvivorField(SurvivorField.ID, SortOrder.ASC));
    private Action action = Action.REPORT;
    private Groups groups;
    private String sizeField;
    private List<String> merge = List.of();
    private String dest;
    private boolean pairs;
    private String archive;
    private boolean withoutArchive;
    private QueryBuilder newSince;
    private boolean sinceLast;
    private CandidateLog candidates;
    private Against against;

    static DeduplicateParser parse(XContentParser parser) throws IOException {
        return RequestOptions.body(PARSER, parser);
    }

    /** Whether documents with one id in several indices are one document, which is no duplicate. */
    private enum SameId {
        KEEP,
        DUPLICATE
    }

    DeduplicateOptions build(String print) {
        SketchKind.MINHASH.requireFor("min_similarity", minSimilarity, kind);
        SketchKind.SIMHASH.requireFor("max_distance", maxDistance, kind);
        SketchKind.PASSAGES.requireFor("min_words", minWords, kind);
        SketchKind.PASSAGES.requireFor("min_share", minShare, kind);
        SketchKind.PASSAGES.requireFor("max_document_share", maxDocumentShare, kind);
        boolean deletes = action == Action.DELETE;
        onlyToDelete("max_own_words", maxOwnWords, deletes);
        onlyToDelete("short_texts", shortTexts, deletes);
        if (groups != null && action != Action.TAG) {
            throw new IllegalArgumentException("[groups] is only allowed with [action] tag, got: "
                    + groups.name().toLowerCase(Locale.ROOT));
        }
        if (deletes && verify == null && isUnverified == false && candidates == null) {
            verify = Verification.of(null, null, null, null, null);
        }
        int distance = maxDistance == null ? MaxDistance.byDefault(verify != null) : maxDistance;
        return new DeduplicateOptions(
                field != null ? field : print != null ? print : kind.defaultObject(),
                query,
                distance,
                verify,
                PairConditions.of(same, differ, within),
                linkage,
                maxGroupSize != null ? maxGroupSize : against == null ? 10_000 : DeduplicateOptions.MAX_GROUP_SIZE,
                survivor,
                action,
                dest,
                pairs,
                archive,
                withoutArchive,
                newSince,
                sinceLast,
                candidates,
                against,
                kind == SketchKind.MINHASH ? similarity() : null,
                kind == SketchKind.PASSAGES ? PassageRule.ofPairs(minWords, minShare, maxDocumentShare) : null,
                EndRule.maxOwnWords(maxOwnWords),
                Boolean.TRUE.equals(shortTexts),
                sameId == SameId.DUPLICATE,
                groups == null ? Groups.DUPLICATES : groups,
                sizeField,
                merge);
    }

    /**
     * Refuses what only a job that deletes reads.
     *
     * @param typed null if it is not given
     */
    public static void onlyToDelete(String option, Object typed, boolean deletes) {
        if (typed != null && deletes == false) {
            throw new IllegalArgumentException("[" + option + "] is only allowed with [action] delete, got: " + typed);
        }
    }

    /** The rule, or {@code false} for none, which gives an empty result. */
    public static CheckedFunction<XContentParser, Optional<Verification>, IOException> verifyOrFalse() {
        return parser -> {
            if (parser.currentToken() == Token.VALUE_BOOLEAN && parser.booleanValue() == false) {
                return Optional.empty();
            }
            if (parser.currentToken() != Token.START_OBJECT) {
                throw RequestOptions.wrong("[verify] must be an object, or false", parser);
            }
            return Optional.of(VerifyOptions.withOptionalField(parser));
        };
    }

    private double similarity() {
        return minSimilarity == null ? Threshold.Similarity.byDefault(verify, false) : minSimilarity;
    }

    private void setArchive(Optional<String> value) {
        withoutArchive = value.isEmpty();
        archive = value.orElse(null);
    }

    private static CheckedFunction<XContentParser, Double, IOException> share(String option) {
        return RequestOptions.number("[" + option + "] must be a number between 0 and 1");
    }

    /** Empty for documents that changed since the last run. */
    private static Optional<QueryBuilder> newSinceOrLast(XContentParser parser) throws IOException {
        if (parser.currentToken() == XContentParser.Token.START_OBJECT) {
            return Optional.of(AbstractQueryBuilder.parseInnerQueryBuilder(parser));
        }
        if (parser.currentToken() == XContentParser.Token.VALUE_STRING
                && parser.text().equals("last")) {
            return Optional.empty();
        }
        throw RequestOptions.wrong("[new_since] must be an object or last", parser);
    }

    /** A string, a number, a list or an object, for a reader that checks it. */
    private static Object typed(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_ARRAY -> parser.list();
            case START_OBJECT -> parser.map();
            default -> parser.objectText();
        };
    }

    /** Parses the object that names an index of a job. */
    public static final class NamedIndex {

        private NamedIndex() {}

        /** @param option named in errors */
        public static CheckedFunction<XContentParser, String, IOException> reader(String option) {
            return reader(option, "[" + option + "] must be an object with an [index]");
        }

        /** An index, or {@code false} for none, which gives an empty result. */
        public static CheckedFunction<XContentParser, Optional<String>, IOException> archive() {
            CheckedFunction<XContentParser, String, IOException> index =
                    reader("archive", "[archive] must be an object with an [index], or false");
            return parser -> parser.currentToken() == Token.VALUE_BOOLEAN && parser.booleanValue() == false
                    ? Optional.empty()
                    : Optional.of(index.apply(parser));
        }

        /** @param rule the message for errors, with the option */
        static CheckedFunction<XContentParser, String, IOException> reader(String option, String rule) {
            ConstructingObjectParser<String, Void> object =
                    new ConstructingObjectParser<>("index", options -> (String) options[0]);
            declare(
                    object,
                    "index",
                    ConstructingObjectParser.constructorArg(),
                    RequestOptions.string("[index] of [" + option + "] must be a string"));
            return parser -> {
                if (parser.currentToken() != Token.START_OBJECT) {
                    throw RequestOptions.wrong(rule, parser);
                }
                String index = object.parse(parser, null);
                if (index.isBlank()) {
                    throw new IllegalArgumentException("[index] of [" + option + "] must not be blank, got: " + index);
                }
                return index;
            };
        }
    }
}
