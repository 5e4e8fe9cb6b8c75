/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.simhash.core.fingerprint.FingerprintFields.HASH;
import static org.opensearch.simhash.core.fingerprint.FingerprintFields.SKETCH;
import static org.opensearch.simhash.search.match.PassageRule.MAX_DOCUMENT_SHARE;
import static org.opensearch.simhash.search.match.PassageRule.MIN_SHARE;
import static org.opensearch.simhash.search.match.PassageRule.MIN_WORDS;
import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.number;
import static org.opensearch.simhash.search.options.RequestOptions.object;
import static org.opensearch.simhash.search.options.RequestOptions.option;
import static org.opensearch.simhash.search.options.RequestOptions.string;
import static org.opensearch.simhash.search.options.RequestOptions.wholeNumber;
import static org.opensearch.simhash.search.query.Threshold.CONTAINMENT;
import static org.opensearch.simhash.search.query.Threshold.MAX_DISTANCE;
import static org.opensearch.simhash.search.query.Threshold.MIN_SIMILARITY;
import static org.opensearch.simhash.search.query.Threshold.OF;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentLocation;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** The options of {@code simhash}, {@code minhash} and {@code passages} queries as people type them. */
record PrintQueryOptions(SketchKind kind, Given given) {

    private static final String IMAGE = "image";
    private static final ObjectParser<Given, Void> SIMHASH_PARSER = parser(SketchKind.SIMHASH);
    private static final ObjectParser<Given, Void> MINHASH_PARSER = parser(SketchKind.MINHASH);
    private static final ObjectParser<Given, Void> PASSAGES_PARSER = parser(SketchKind.PASSAGES);

    static {
        declare(SIMHASH_PARSER, HASH, string(Fingerprint.HASH_RULE + " in a string"));
        declare(SIMHASH_PARSER, MAX_DISTANCE, wholeNumber("[max_distance] must be a whole number of bits"));
        option(SIMHASH_PARSER, IMAGE, RequestOptions::text);
        option(MINHASH_PARSER, SKETCH, RequestOptions::text);
        option(MINHASH_PARSER, MIN_SIMILARITY, RequestOptions::share);
        option(MINHASH_PARSER, CONTAINMENT, RequestOptions::flag);
        option(PASSAGES_PARSER, MIN_WORDS, RequestOptions::integer);
        option(PASSAGES_PARSER, MIN_SHARE, RequestOptions::share);
        declare(PASSAGES_PARSER, OF, Choice.reader(OF, PassageRule.Of.class));
        option(PASSAGES_PARSER, MAX_DOCUMENT_SHARE, RequestOptions::share);
    }

    static PrintQueryBuilder read(SketchKind kind, XContentParser parser, ShardQuery.Services services)
            throws IOException {
        XContentLocation start = parser.getTokenLocation();
        try {
            ObjectParser<Given, Void> options = switch (kind) {
                case SIMHASH -> SIMHASH_PARSER;
                case MINHASH -> MINHASH_PARSER;
                case PASSAGES -> PASSAGES_PARSER;
            };
            return new PrintQueryOptions(kind, RequestOptions.parse(options, parser)).build(services);
        } catch (IllegalArgumentException e) {
            // OpenSearch shows the message of this error even if the query is inside another query.
            throw new ParsingException(start, e.getMessage(), e);
        }
    }

    private static ObjectParser<Given, Void> parser(SketchKind kind) {
        ObjectParser<Given, Void> parser = RequestOptions.parser(kind.toString());
        for (String text : List.of("field", "text", "index", "pipeline", "_name")) {
            option(parser, text, RequestOptions::text);
        }
        declare(parser, "document", object("document", XContentParser::map));
        option(parser, "id", RequestOptions::name);
        option(parser, "routing", RequestOptions::name);
        option(parser, "include_self", RequestOptions::flag);
        if (kind != SketchKind.PASSAGES) {
            declare(parser, "verify", object("verify", VerifyOptions::fromXContent));
        }
        declare(parser, "boost", number("[boost] must be a number"));
        String[] sources = Stream.of(
                        Prints.option(kind), "text", "document", "id", kind == SketchKind.SIMHASH ? IMAGE : null)
                .filter(Objects::nonNull)
                .toArray(String[]::new);
        parser.declareExclusiveFieldSet(sources);
        parser.declareRequiredFieldSet(sources);
        return parser;
    }

    private PrintQueryBuilder build(ShardQuery.Services services) {
        QuerySource source = source();
        Integer maxDistance = given.get(MAX_DISTANCE, null);
        if (maxDistance != null && (given.has(HASH) || given.has("text"))) {
            // The length of others is not known yet.
            MaxDistance.require(
                    maxDistance,
                    source instanceof QuerySource.Resolved known
                            ? ((Target) known.prints().getFirst()).length()
                            : Long.SIZE);
        }
        double boost = given.get("boost", (double) AbstractQueryBuilder.DEFAULT_BOOST);
        return new PrintQueryBuilder(
                        given.get("field", kind.defaultObject()),
                        source,
                        threshold(),
                        given.get("verify", null),
                        services)
                .boost((float) boost)
                .queryName(given.get("_name", null));
    }

    private Threshold threshold() {
        Verification verify = given.get("verify", null);
        boolean containment = given.get(CONTAINMENT, false);
        return switch (kind) {
            case SIMHASH -> new Threshold.Distance(given.get(MAX_DISTANCE, MaxDistance.byDefault(verify != null)));
            case MINHASH ->
                new Threshold.Similarity(
                        given.get(MIN_SIMILARITY, Threshold.Similarity.byDefault(verify, containment)), containment);
            case PASSAGES ->
                new Threshold.Passages(
                        new PassageRule(
                                given.get(MIN_WORDS, null),
                                given.get(MIN_SHARE, 0.0),
                                given.get(OF, PassageRule.Of.SMALLER),
                                given.get(MAX_DOCUMENT_SHARE, null)),
                        Integer.MAX_VALUE);
        };
    }

    private QuerySource source() {
        String text = given.get("text", null);
        Map<String, Object> document = given.get("document", null);
        String image = given.get(IMAGE, null);
        String id = given.get("id", null);
        String index = given.get("index", null);
        String routing = given.get("routing", null);
        boolean includeSelf = given.get("include_self", false);
        String ready = given.get(Prints.option(kind), null);
        String pipeline = given.get("pipeline", null);
        Verification verify = given.get("verify", null);
        requireName("pipeline", "an ingest pipeline", pipeline);
        requireName("id", "a document", id);
        requireName("index", "an index", index);
        requireOnlyWithId("index", index);
        requireOnlyWithId("routing", routing);
        requireOnlyWithId("include_self", includeSelf ? "true" : null);
        boolean isComputed = text != null
                || document != null
                || image != null
                || (id != null && (kind == SketchKind.PASSAGES || verify != null));
        if (isComputed == false && pipeline != null) {
            throw new IllegalArgumentException("[pipeline] is only allowed together with [text]"
                    + (kind == SketchKind.SIMHASH ? ", [image]" : "")
                    + " or [document], or with [id] and [verify], got: "
                    + pipeline);
        }
        if ((ready != null || image != null) && verify != null) {
            throw new IllegalArgumentException("[verify] needs a text to compare with: [text], [document] or [id],"
                    + " got: [" + (image == null ? Prints.option(kind) : IMAGE) + "]");
        }
        if (image != null) {
            return new QuerySource.Image(image, pipeline);
        }
        if (ready != null) {
            return new QuerySource.Resolved(List.of(Prints.typed(kind, ready)), null);
        }
        if (text != null) {
            return new QuerySource.Text(text, pipeline);
        }
        return document != null
                ? new QuerySource.Document(document, pipeline)
                : new QuerySource.Stored(id, index, routing, includeSelf, pipeline);
    }

    private static void requireName(String option, String what, String name) {
        if (name != null && name.isEmpty()) {
            throw new IllegalArgumentException("[" + option + "] must name " + what + ", got an empty name");
        }
    }

    private void requireOnlyWithId(String option, Object value) {
        if (value != null && given.has("id") == false) {
            throw new IllegalArgumentException("[" + option + "] is only allowed together with [id], got: " + value);
        }
    }
}
