/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.verify.Verification;

/** Collects the options of a {@code simhash} query while they are parsed. */
final class SimHashQueryOptions {

    static final ParseField FIELD = new ParseField("field");
    static final ParseField HASH = new ParseField("hash");
    static final ParseField TEXT = new ParseField("text");
    static final ParseField DOCUMENT = new ParseField("document");
    static final ParseField ID = new ParseField("id");
    static final ParseField INDEX = new ParseField("index");
    static final ParseField ROUTING = new ParseField("routing");
    static final ParseField INCLUDE_SELF = new ParseField("include_self");
    static final ParseField PIPELINE = new ParseField("pipeline");
    static final ParseField MAX_DISTANCE = new ParseField("max_distance");

    static final ParseField VERIFY = new ParseField("verify");

    static final ObjectParser<SimHashQueryOptions, Void> PARSER =
            new ObjectParser<>(SimHashQueryBuilder.NAME, SimHashQueryOptions::new);

    static {
        declare((options, value) -> options.field = value, string(FIELD), FIELD);
        declare(
                (options, value) -> options.hash = value,
                RequestOptions.string(Fingerprint.HASH_RULE + " in a string"),
                HASH);
        declare((options, value) -> options.text = value, string(TEXT), TEXT);
        declare(
                (options, value) -> options.document = value,
                RequestOptions.object(DOCUMENT.getPreferredName(), XContentParser::map),
                DOCUMENT);
        declare((options, value) -> options.id = value, RequestOptions.name("id"), ID);
        declare((options, value) -> options.index = value, string(INDEX), INDEX);
        declare((options, value) -> options.routing = value, RequestOptions.name("routing"), ROUTING);
        declare((options, value) -> options.includeSelf = value, RequestOptions.flag("include_self"), INCLUDE_SELF);
        declare((options, value) -> options.pipeline = value, string(PIPELINE), PIPELINE);
        declare(
                (options, value) -> options.maxDistance = value,
                RequestOptions.wholeNumber("[max_distance] must be a whole number between 0 and 64"),
                MAX_DISTANCE);
        declare(
                (options, value) -> options.verify = value,
                RequestOptions.object(VERIFY.getPreferredName(), VerifyOptions::fromXContent),
                VERIFY);
        declare(
                (options, value) -> options.boost = value.floatValue(),
                RequestOptions.number("[boost] must be a number"),
                AbstractQueryBuilder.BOOST_FIELD);
        declare(
                (options, value) -> options.name = value,
                string(AbstractQueryBuilder.NAME_FIELD),
                AbstractQueryBuilder.NAME_FIELD);
        String[] sources = {
            HASH.getPreferredName(), TEXT.getPreferredName(), DOCUMENT.getPreferredName(), ID.getPreferredName()
        };
        PARSER.declareExclusiveFieldSet(sources);
        PARSER.declareRequiredFieldSet(sources);
    }

    private static <T> void declare(
            BiConsumer<SimHashQueryOptions, T> option,
            CheckedFunction<XContentParser, T, IOException> reader,
            ParseField name) {
        PARSER.declareField(option, reader, name, RequestOptions.ANY);
    }

    private static CheckedFunction<XContentParser, String, IOException> string(ParseField option) {
        return RequestOptions.string("[" + option.getPreferredName() + "] must be a string");
    }

    private String field = FingerprintFields.DEFAULT_OBJECT;
    private String hash;
    private String text;
    private Map<String, Object> document;
    private String id;
    private String index;
    private String routing;
    private boolean includeSelf;
    private String pipeline;
    private Integer maxDistance;
    private Verification verify;
    private float boost = AbstractQueryBuilder.DEFAULT_BOOST;
    private String name;

    private SimHashQueryOptions() {}

    SimHashQueryBuilder build(SimHashQueryBuilder.Services services) {
        return new SimHashQueryBuilder(field, source(), maxDistance(), verify, services)
                .boost(boost)
                .queryName(name);
    }

    private QuerySource source() {
        requireOnlyWith(ID, id != null, INDEX, index);
        requireOnlyWith(ID, id != null, ROUTING, routing);
        requireOnlyWith(ID, id != null, INCLUDE_SELF, includeSelf ? "true" : null);
        if (text == null && document == null && (id == null || verify == null) && pipeline != null) {
            throw new IllegalArgumentException(
                    "[pipeline] is only allowed together with [text] or [document], or with [id] and [verify], got: "
                            + pipeline);
        }
        if (hash != null && verify != null) {
            throw new IllegalArgumentException(
                    "[verify] needs a text to compare with: [text], [document] or [id], got: [hash]");
        }
        if (hash != null) {
            return new QuerySource.Resolved(List.of(Target.of(Fingerprint.fromHex(hash))), null);
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

    private int maxDistance() {
        return maxDistance == null ? SimHashQueryBuilder.defaultMaxDistance(verify) : maxDistance;
    }
}
