/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.verify.Verification;

/**
 * The options that {@code simhash} and {@code minhash} queries share, as users type them, collected until all are read.
 */
abstract class SourceQueryOptions {

    static final ParseField FIELD = new ParseField("field");
    static final ParseField TEXT = new ParseField("text");
    static final ParseField DOCUMENT = new ParseField("document");
    static final ParseField ID = new ParseField("id");
    static final ParseField INDEX = new ParseField("index");
    static final ParseField ROUTING = new ParseField("routing");
    static final ParseField INCLUDE_SELF = new ParseField("include_self");
    static final ParseField PIPELINE = new ParseField("pipeline");
    static final ParseField VERIFY = new ParseField("verify");

    private final ParseField readyName;
    private String field;
    private String ready;
    private String text;
    private Map<String, Object> document;
    private String id;
    private String index;
    private String routing;
    private boolean includeSelf;
    private String pipeline;
    private Verification verify;
    private float boost = AbstractQueryBuilder.DEFAULT_BOOST;
    private String name;

    /**
     * @param readyName option for a ready fingerprint or sketch
     * @param field the default object
     */
    SourceQueryOptions(ParseField readyName, String field) {
        this.readyName = readyName;
        this.field = field;
    }

    /** @param ready reads a ready fingerprint or sketch */
    static <O extends SourceQueryOptions> void declareShared(
            ObjectParser<O, Void> parser,
            ParseField readyName,
            CheckedFunction<XContentParser, String, IOException> ready) {
        shared(parser, (options, value) -> options.field = value, string(FIELD), FIELD);
        shared(parser, (options, value) -> options.ready = value, ready, readyName);
        shared(parser, (options, value) -> options.text = value, string(TEXT), TEXT);
        shared(
                parser,
                (options, value) -> options.document = value,
                RequestOptions.object(DOCUMENT.getPreferredName(), XContentParser::map),
                DOCUMENT);
        shared(parser, (options, value) -> options.id = value, RequestOptions.name("id"), ID);
        shared(parser, (options, value) -> options.index = value, string(INDEX), INDEX);
        shared(parser, (options, value) -> options.routing = value, RequestOptions.name("routing"), ROUTING);
        shared(
                parser,
                (options, value) -> options.includeSelf = value,
                RequestOptions.flag("include_self"),
                INCLUDE_SELF);
        shared(parser, (options, value) -> options.pipeline = value, string(PIPELINE), PIPELINE);
        shared(
                parser,
                (options, value) -> options.verify = value,
                RequestOptions.object(VERIFY.getPreferredName(), VerifyOptions::fromXContent),
                VERIFY);
        shared(
                parser,
                (options, value) -> options.boost = value.floatValue(),
                RequestOptions.number("[boost] must be a number"),
                AbstractQueryBuilder.BOOST_FIELD);
        shared(
                parser,
                (options, value) -> options.name = value,
                string(AbstractQueryBuilder.NAME_FIELD),
                AbstractQueryBuilder.NAME_FIELD);
        String[] sources = {
            readyName.getPreferredName(), TEXT.getPreferredName(), DOCUMENT.getPreferredName(), ID.getPreferredName()
        };
        parser.declareExclusiveFieldSet(sources);
        parser.declareRequiredFieldSet(sources);
    }

    private static <O extends SourceQueryOptions, T> void shared(
            ObjectParser<O, Void> parser,
            BiConsumer<SourceQueryOptions, T> option,
            CheckedFunction<XContentParser, T, IOException> reader,
            ParseField name) {
        declare(parser, option::accept, reader, name);
    }

    static <O, T> void declare(
            ObjectParser<O, Void> parser,
            BiConsumer<O, T> option,
            CheckedFunction<XContentParser, T, IOException> reader,
            ParseField name) {
        parser.declareField(option, reader, name, RequestOptions.ANY);
    }

    private static CheckedFunction<XContentParser, String, IOException> string(ParseField option) {
        return RequestOptions.string("[" + option.getPreferredName() + "] must be a string");
    }

    final String field() {
        return field;
    }

    /** Null without verification. */
    final Verification verify() {
        return verify;
    }

    final <B extends AbstractQueryBuilder<B>> B named(B builder) {
        return builder.boost(boost).queryName(name);
    }

    /** The source for a ready fingerprint or sketch. */
    abstract QuerySource ofReady(String given);

    final QuerySource source() {
        requireOnlyWith(ID, id != null, INDEX, index);
        requireOnlyWith(ID, id != null, ROUTING, routing);
        requireOnlyWith(ID, id != null, INCLUDE_SELF, includeSelf ? "true" : null);
        if (text == null && document == null && (id == null || verify == null) && pipeline != null) {
            throw new IllegalArgumentException(
                    "[pipeline] is only allowed together with [text] or [document], or with [id] and [verify], got: "
                            + pipeline);
        }
        if (ready != null && verify != null) {
            throw new IllegalArgumentException(
                    "[verify] needs a text to compare with: [text], [document] or [id], got: ["
                            + readyName.getPreferredName() + "]");
        }
        if (ready != null) {
            return ofReady(ready);
        }
        if (text != null) {
            return new QuerySource.Text(text, pipeline);
        }
        return document != null
                ? new QuerySource.Document(document, pipeline)
                : new QuerySource.Stored(id, index, routing, includeSelf, pipeline);
    }

    private static void requireOnlyWith(ParseField other, boolean given, ParseField option, Object value) {
        if (value != null && given == false) {
            throw new IllegalArgumentException("[" + option.getPreferredName() + "] is only allowed together with ["
                    + other.getPreferredName() + "], got: " + value);
        }
    }
}
