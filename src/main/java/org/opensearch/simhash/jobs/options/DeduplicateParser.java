/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.object;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
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
import org.opensearch.simhash.search.options.RequestOptions.Given;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.Threshold;
import org.opensearch.simhash.search.query.VerifyOptions;

/** Reads the options of a job. */
public final class DeduplicateParser {

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("deduplicate");

    static {
        option(PARSER, "field", RequestOptions::text);
        declare(PARSER, "query", object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        declare(PARSER, "sketch", Choice.reader("sketch", SketchKind.class));
        for (String share : List.of("min_similarity", "min_share", "max_document_share")) {
            option(PARSER, share, RequestOptions::share);
        }
        for (String number : List.of("min_words", "max_distance", "max_group_size")) {
            option(PARSER, number, RequestOptions::integer);
        }
        declareWrites(PARSER);
        declare(PARSER, "same_id", Choice.reader("same_id", SameId.class));
        for (String condition : List.of("same", "differ", "within")) {
            declare(PARSER, condition, DeduplicateParser::typed);
        }
        declare(PARSER, "linkage", Choice.reader("linkage", Linkage.class));
        declare(
                PARSER,
                "survivor",
                RequestOptions.objects(
                        "[survivor] must be a list of objects with a [field]",
                        parser -> SurvivorField.PARSER.parse(parser, null)));
        declare(PARSER, "action", Choice.reader("action", Action.class));
        declare(PARSER, "dest", NamedIndex.reader("dest"));
        option(PARSER, "pairs", RequestOptions::flag);
        declare(PARSER, "new_since", DeduplicateParser::newSinceOrLast);
        declare(PARSER, "candidates", object("candidates", CandidateLog::parse));
        declare(PARSER, "against", object("against", Against::parse));
    }

    private DeduplicateParser() {}

    /** Declares how documents are written, as a job does it, or whoever applies decisions about its groups. */
    public static void declareWrites(ObjectParser<Given, Void> parser) {
        declare(parser, "archive", NamedIndex.archive());
        declare(parser, "groups", Choice.reader("groups", Groups.class));
        declare(parser, "verify", DeduplicateParser::verifyOrFalse);
        option(parser, "max_own_words", RequestOptions::integer);
        option(parser, "short_texts", RequestOptions::flag);
        option(parser, "size_field", RequestOptions::text);
        declare(parser, "merge", RequestOptions.strings("[merge] must be a list of names of fields"));
    }

    static Given parse(XContentParser parser) throws IOException {
        return RequestOptions.optionalBody(PARSER, parser);
    }

    /** @param typed without queries */
    public static Given parse(Map<String, Object> typed) {
        try (XContentBuilder json = JsonXContent.contentBuilder().map(typed);
                XContentParser parser = JsonXContent.jsonXContent.createParser(
                        NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.toString())) {
            return parse(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether documents with one id in several indices are one document, which is no duplicate. */
    private enum SameId {
        KEEP,
        DUPLICATE
    }

    /** @param print the object that is compared if none is named; null for the usual one */
    public static DeduplicateOptions build(Given given, String print) {
        SketchKind kind = given.get("sketch", SketchKind.SIMHASH);
        Action action = given.get("action", Action.REPORT);
        requireFitting(given, kind, action);
        boolean isVerifiedByDefault =
                action == Action.DELETE && given.has("verify") == false && given.has("candidates") == false;
        Verification verify = isVerifiedByDefault
                ? Verification.of(null, null, null, null, null)
                : given.get("verify", Optional.<Verification>empty()).orElse(null);
        Optional<String> archive = given.get("archive", Optional.empty());
        Optional<QueryBuilder> newSince = given.get("new_since", Optional.empty());
        int mostOfAGroup = given.has("against") ? DeduplicateOptions.MAX_GROUP_SIZE : 10_000;
        return new DeduplicateOptions(
                given.get("field", print == null ? kind.defaultObject() : print),
                given.get("query", QueryBuilders.matchAllQuery()),
                given.get("max_distance", MaxDistance.byDefault(verify != null)),
                verify,
                PairConditions.of(given.get("same", null), given.get("differ", null), given.get("within", null)),
                given.get("linkage", Linkage.SURVIVOR),
                given.get("max_group_size", mostOfAGroup),
                given.get("survivor", List.of(new SurvivorField(SurvivorField.ID, SortOrder.ASC))),
                action,
                given.get("dest", null),
                given.get("pairs", false),
                archive.orElse(null),
                given.has("archive") && archive.isEmpty(),
                newSince.orElse(null),
                given.has("new_since") && newSince.isEmpty(),
                given.get("candidates", null),
                given.get("against", null),
                kind == SketchKind.MINHASH
                        ? given.get("min_similarity", Threshold.Similarity.byDefault(verify, false))
                        : null,
                kind == SketchKind.PASSAGES
                        ? PassageRule.ofPairs(
                                given.get("min_words", null),
                                given.get("min_share", null),
                                given.get("max_document_share", null))
                        : null,
                EndRule.maxOwnWords(given.get("max_own_words", null)),
                given.get("short_texts", false),
                given.get("same_id", SameId.KEEP) == SameId.DUPLICATE,
                given.get("groups", Groups.DUPLICATES),
                given.get("size_field", null),
                given.get("merge", List.of()));
    }

    /** Refuses options that another sketch or another action would need. */
    private static void requireFitting(Given given, SketchKind kind, Action action) {
        SketchKind.MINHASH.requireFor("min_similarity", given.get("min_similarity", null), kind);
        SketchKind.SIMHASH.requireFor("max_distance", given.get("max_distance", null), kind);
        for (String option : List.of("min_words", "min_share", "max_document_share")) {
            SketchKind.PASSAGES.requireFor(option, given.get(option, null), kind);
        }
        for (String option : List.of("max_own_words", "short_texts")) {
            if (given.has(option) && action != Action.DELETE) {
                throw new IllegalArgumentException(
                        "[" + option + "] is only allowed with [action] delete, got: " + given.get(option, null));
            }
        }
        if (given.has("groups") && action != Action.TAG) {
            Groups groups = given.get("groups", null);
            throw new IllegalArgumentException("[groups] is only allowed with [action] tag, got: "
                    + groups.name().toLowerCase(Locale.ROOT));
        }
    }

    /** The rule, or {@code false} for none, which gives an empty result. */
    private static Optional<Verification> verifyOrFalse(XContentParser parser) throws IOException {
        if (parser.currentToken() == Token.VALUE_BOOLEAN && parser.booleanValue() == false) {
            return Optional.empty();
        }
        if (parser.currentToken() != Token.START_OBJECT) {
            throw RequestOptions.wrong("[verify] must be an object, or false", parser);
        }
        return Optional.of(VerifyOptions.withOptionalField(parser));
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
