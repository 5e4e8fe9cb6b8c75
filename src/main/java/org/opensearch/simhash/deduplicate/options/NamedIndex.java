/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.options;

import static org.opensearch.simhash.options.RequestOptions.declare;

import java.io.IOException;
import java.util.Optional;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.simhash.options.RequestOptions;

/** Parses the object that names an index of a job. */
public final class NamedIndex {

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
