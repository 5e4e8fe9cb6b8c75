/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.simhash.core.fingerprint.FingerprintFields.HASH;
import static org.opensearch.simhash.core.fingerprint.SketchFields.SKETCH;
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
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentLocation;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;

/** The options of {@code simhash} and {@code minhash} queries as people type them, collected until all are read. */
final class PrintQueryOptions {

    private static final String IMAGE = "image";

    private static final ObjectParser<PrintQueryOptions, Void> SIMHASH_PARSER = parser(SketchKind.SIMHASH);
    private static final ObjectParser<PrintQueryOptions, Void> MINHASH_PARSER = parser(SketchKind.MINHASH);
    private static final ObjectParser<PrintQueryOptions, Void> PASSAGES_PARSER = parser(SketchKind.PASSAGES);

    static {
        declare(SIMHASH_PARSER, HASH, (o, value) -> o.ready = value, string(Fingerprint.HASH_RULE + " in a string"));
        declare(
                SIMHASH_PARSER,
                MAX_DISTANCE,
                (o, value) -> o.maxDistance = value,
                wholeNumber("[max_distance] must be a whole number of bits"));
        option(SIMHASH_PARSER, IMAGE, (o, value) -> o.image = value, RequestOptions::text);
        option(MINHASH_PARSER, SKETCH, (o, value) -> o.ready = value, RequestOptions::text);
        share(MINHASH_PARSER, MIN_SIMILARITY, (o, value) -> o.minSimilarity = value);
        option(MINHASH_PARSER, CONTAINMENT, (o, value) -> o.containment = value, RequestOptions::flag);
        declare(
                PASSAGES_PARSER,
                MIN_WORDS,
                (o, value) -> o.minWords = value,
                wholeNumber("[min_words] must be a whole number"));
        share(PASSAGES_PARSER, MIN_SHARE, (o, value) -> o.minShare = value);
        declare(PASSAGES_PARSER, OF, (o, value) -> o.of = value, Choice.reader(OF, PassageRule.Of.class));
        share(PASSAGES_PARSER, MAX_DOCUMENT_SHARE, (o, value) -> o.maxDocumentShare = value);
    }

    private final SketchKind kind;
    private String field;
    private String image;
    private String ready;
    private String text;
    private Map<String, Object> document;
    private String id;
    private String index;
    private String routing;
    private boolean includeSelf;
    private String pipeline;
    private Integer maxDistance;
    private Double minSimilarity;
    private boolean containment;
    private Integer minWords;
    private double minShare;
    private PassageRule.Of of = PassageRule.Of.SMALLER;
    private Double maxDocumentShare;
    private Verification verify;
    private float boost = AbstractQueryBuilder.DEFAULT_BOOST;
    private String name;

    private PrintQueryOptions(SketchKind kind) {
        this.kind = kind;
    }

    /** Reads a query as a user types it. */
    static PrintQueryBuilder read(SketchKind kind, XContentParser parser, ShardQuery.Services services)
            throws IOException {
        XContentLocation start = parser.getTokenLocation();
        try {
            ObjectParser<PrintQueryOptions, Void> options = switch (kind) {
                case SIMHASH -> SIMHASH_PARSER;
                case MINHASH -> MINHASH_PARSER;
                case PASSAGES -> PASSAGES_PARSER;
            };
            return RequestOptions.parse(options, parser).build(services);
        } catch (IllegalArgumentException e) {
            // OpenSearch shows the message of this error even if the query is inside another query.
            throw new ParsingException(start, e.getMessage(), e);
        }
    }

    private static ObjectParser<PrintQueryOptions, Void> parser(SketchKind kind) {
        ObjectParser<PrintQueryOptions, Void> parser =
                new ObjectParser<>(kind.toString(), () -> new PrintQueryOptions(kind));
        option(parser, "field", (o, value) -> o.field = value, RequestOptions::text);
        option(parser, "text", (o, value) -> o.text = value, RequestOptions::text);
        declare(parser, "document", (o, value) -> o.document = value, object("document", XContentParser::map));
        option(parser, "id", (o, value) -> o.id = value, RequestOptions::name);
        option(parser, "index", (o, value) -> o.index = value, RequestOptions::text);
        option(parser, "routing", (o, value) -> o.routing = value, RequestOptions::name);
        option(parser, "include_self", (o, value) -> o.includeSelf = value, RequestOptions::flag);
        option(parser, "pipeline", (o, value) -> o.pipeline = value, RequestOptions::text);
        if (kind != SketchKind.PASSAGES) {
            declare(parser, "verify", (o, value) -> o.verify = value, object("verify", VerifyOptions::fromXContent));
        }
        declare(parser, "boost", (o, value) -> o.boost = value.floatValue(), number("[boost] must be a number"));
        option(parser, "_name", (o, value) -> o.name = value, RequestOptions::text);
        String[] sources = Stream.of(
                        Prints.option(kind), "text", "document", "id", kind == SketchKind.SIMHASH ? IMAGE : null)
                .filter(Objects::nonNull)
                .toArray(String[]::new);
        parser.declareExclusiveFieldSet(sources);
        parser.declareRequiredFieldSet(sources);
        return parser;
    }

    private static void share(
            ObjectParser<PrintQueryOptions, Void> parser, String name, BiConsumer<PrintQueryOptions, Double> option) {
        declare(parser, name, option, number("[" + name + "] must be a number between 0 and 1"));
    }

    private PrintQueryBuilder build(ShardQuery.Services services) {
        String object = field == null ? kind.defaultObject() : field;
        QuerySource source = source();
        if (maxDistance != null && (ready != null || text != null)) {
            // The length of others is not known yet.
            MaxDistance.require(
                    maxDistance,
                    source instanceof QuerySource.Resolved known
                            ? ((Target) known.prints().getFirst()).length()
                            : Long.SIZE);
        }
        return new PrintQueryBuilder(object, source, threshold(), verify, services)
                .boost(boost)
                .queryName(name);
    }

    private Threshold threshold() {
        return switch (kind) {
            case SIMHASH ->
                new Threshold.Distance(maxDistance == null ? MaxDistance.byDefault(verify != null) : maxDistance);
            case MINHASH ->
                new Threshold.Similarity(
                        minSimilarity == null ? Threshold.Similarity.byDefault(verify, containment) : minSimilarity,
                        containment);
            case PASSAGES ->
                new Threshold.Passages(new PassageRule(minWords, minShare, of, maxDocumentShare), Integer.MAX_VALUE);
        };
    }

    private QuerySource source() {
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

    private void requireOnlyWithId(String option, Object value) {
        if (value != null && id == null) {
            throw new IllegalArgumentException("[" + option + "] is only allowed together with [id], got: " + value);
        }
    }
}
