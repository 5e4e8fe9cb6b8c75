/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentLocation;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.verify.Verification;

/** The options of {@code simhash} and {@code minhash} queries as people type them, collected until all are read. */
final class PrintQueryOptions {

    private static final ParseField HASH = new ParseField(Prints.option(SketchKind.SIMHASH));
    private static final ParseField SKETCH = new ParseField(Prints.option(SketchKind.MINHASH));
    private static final ParseField FIELD = new ParseField(PrintQueryBuilder.FIELD);
    private static final ParseField TEXT = new ParseField("text");
    private static final ParseField DOCUMENT = new ParseField("document");
    private static final ParseField ID = new ParseField("id");
    private static final ParseField INDEX = new ParseField("index");
    private static final ParseField ROUTING = new ParseField("routing");
    private static final ParseField INCLUDE_SELF = new ParseField("include_self");
    private static final ParseField PIPELINE = new ParseField("pipeline");
    private static final ParseField VERIFY = new ParseField(VerifyOptions.NAME);
    private static final ParseField MAX_DISTANCE = new ParseField(Threshold.MAX_DISTANCE);
    private static final ParseField MIN_SIMILARITY = new ParseField(Threshold.MIN_SIMILARITY);
    private static final ParseField CONTAINMENT = new ParseField(Threshold.CONTAINMENT);

    private static final ObjectParser<PrintQueryOptions, Void> SIMHASH_PARSER = parser(SketchKind.SIMHASH);
    private static final ObjectParser<PrintQueryOptions, Void> MINHASH_PARSER = parser(SketchKind.MINHASH);

    static {
        declare(
                SIMHASH_PARSER,
                (o, value) -> o.ready = value,
                RequestOptions.string(Fingerprint.HASH_RULE + " in a string"),
                HASH);
        declare(
                SIMHASH_PARSER,
                (o, value) -> o.maxDistance = value,
                RequestOptions.wholeNumber("[max_distance] must be a whole number between 0 and 64"),
                MAX_DISTANCE);
        declare(MINHASH_PARSER, (o, value) -> o.ready = value, string(SKETCH), SKETCH);
        declare(
                MINHASH_PARSER,
                (o, value) -> o.minSimilarity = value,
                RequestOptions.number("[min_similarity] must be a number between 0 and 1"),
                MIN_SIMILARITY);
        declare(MINHASH_PARSER, (o, value) -> o.containment = value, flag(CONTAINMENT), CONTAINMENT);
    }

    private final SketchKind kind;
    private String field;
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
        declare(parser, (o, value) -> o.field = value, string(FIELD), FIELD);
        declare(parser, (o, value) -> o.text = value, string(TEXT), TEXT);
        declare(
                parser,
                (o, value) -> o.document = value,
                RequestOptions.object(DOCUMENT.getPreferredName(), XContentParser::map),
                DOCUMENT);
        declare(parser, (o, value) -> o.id = value, RequestOptions.name(ID.getPreferredName()), ID);
        declare(parser, (o, value) -> o.index = value, string(INDEX), INDEX);
        declare(parser, (o, value) -> o.routing = value, RequestOptions.name(ROUTING.getPreferredName()), ROUTING);
        declare(parser, (o, value) -> o.includeSelf = value, flag(INCLUDE_SELF), INCLUDE_SELF);
        declare(parser, (o, value) -> o.pipeline = value, string(PIPELINE), PIPELINE);
        declare(
                parser,
                (o, value) -> o.verify = value,
                RequestOptions.object(VERIFY.getPreferredName(), VerifyOptions::fromXContent),
                VERIFY);
        declare(
                parser,
                (o, value) -> o.boost = value.floatValue(),
                RequestOptions.number("[boost] must be a number"),
                AbstractQueryBuilder.BOOST_FIELD);
        declare(
                parser,
                (o, value) -> o.name = value,
                string(AbstractQueryBuilder.NAME_FIELD),
                AbstractQueryBuilder.NAME_FIELD);
        String[] sources = {
            Prints.option(kind), TEXT.getPreferredName(), DOCUMENT.getPreferredName(), ID.getPreferredName()
        };
        parser.declareExclusiveFieldSet(sources);
        parser.declareRequiredFieldSet(sources);
        return parser;
    }

    private static <T> void declare(
            ObjectParser<PrintQueryOptions, Void> parser,
            BiConsumer<PrintQueryOptions, T> option,
            CheckedFunction<XContentParser, T, IOException> reader,
            ParseField name) {
        parser.declareField(option, reader, name, RequestOptions.ANY);
    }

    private static CheckedFunction<XContentParser, String, IOException> string(ParseField option) {
        return RequestOptions.string("[" + option.getPreferredName() + "] must be a string");
    }

    private static CheckedFunction<XContentParser, Boolean, IOException> flag(ParseField option) {
        return RequestOptions.flag(option.getPreferredName());
    }

    private PrintQueryBuilder build(ShardQuery.Services services) {
        String object = field == null ? kind.defaultObject() : field;
        return new PrintQueryBuilder(object, source(), threshold(), verify, services)
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
        };
    }

    private QuerySource source() {
        requireOnlyWithId(INDEX, index);
        requireOnlyWithId(ROUTING, routing);
        requireOnlyWithId(INCLUDE_SELF, includeSelf ? "true" : null);
        if (text == null && document == null && (id == null || verify == null) && pipeline != null) {
            throw new IllegalArgumentException(
                    "[pipeline] is only allowed together with [text] or [document], or with [id] and [verify], got: "
                            + pipeline);
        }
        if (ready != null && verify != null) {
            throw new IllegalArgumentException(
                    "[verify] needs a text to compare with: [text], [document] or [id], got: [" + Prints.option(kind)
                            + "]");
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

    private void requireOnlyWithId(ParseField option, Object value) {
        if (value != null && id == null) {
            throw new IllegalArgumentException(
                    "[" + option.getPreferredName() + "] is only allowed together with [id], got: " + value);
        }
    }
}
