/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.io.IOException;
import org.opensearch.OpenSearchException;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;

/**
 * The options in the body of a request as people typed them. OpenSearch's parsers say of a value that is wrong where it is, and
 * leave what is wrong with it to the cause, which is the last that people see; of a number not even there.
 */
public final class RequestOptions {

    private RequestOptions() {}

    /**
     * Parses an object.
     *
     * @throws IllegalArgumentException that says what is wrong: of several around one another the innermost, with the option that
     *     it is about
     * @throws OpenSearchException when an option is a query that OpenSearch refuses
     */
    public static <T> T parse(ContextParser<Void, T> options, XContentParser parser) throws IOException {
        try {
            return options.parse(parser, null);
        } catch (XContentParseException e) {
            throw innermost(e);
        }
    }

    /**
     * Parses the body of a request, which is one object: a brace too many must not hide the options behind it.
     *
     * @throws IllegalArgumentException as {@link #parse}
     * @throws OpenSearchException as {@link #parse}
     */
    public static <T> T body(ContextParser<Void, T> options, XContentParser parser) throws IOException {
        T read = parse(options, parser);
        XContentParser.Token behind = parser.nextToken();
        if (behind != null) {
            throw new IllegalArgumentException("the body must be one object, got behind it: " + behind);
        }
        return read;
    }

    private static RuntimeException innermost(XContentParseException error) {
        IllegalArgumentException innermost = error;
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof OpenSearchException refusedQuery) {
                return refusedQuery;
            }
            if (cause instanceof IllegalArgumentException wrong) {
                innermost = wrong;
            }
        }
        // OpenSearch's parsers do not say which of the options it is that misses something.
        return innermost.getMessage().startsWith("[")
                ? innermost
                : new IllegalArgumentException(error.getMessage() + ": " + innermost.getMessage(), innermost);
    }

    /** Reads an option that is true or false, or one of these as a string. */
    public static CheckedFunction<XContentParser, Boolean, IOException> flag(String option) {
        return parser -> {
            if (parser.currentToken() == XContentParser.Token.VALUE_BOOLEAN) {
                return parser.booleanValue();
            }
            String typed = parser.text();
            if (typed.equals("true") == false && typed.equals("false") == false) {
                throw new IllegalArgumentException(
                        "[" + option + "] must be true or false, got: " + TypedNumber.shown(typed));
            }
            return typed.equals("true");
        };
    }

    /** Reads a name, or a number that is one. */
    public static CheckedFunction<XContentParser, String, IOException> name(String option) {
        return parser -> {
            if (parser.currentToken() == XContentParser.Token.VALUE_NULL) {
                throw new IllegalArgumentException("[" + option + "] must be a string, got: null");
            }
            return parser.text();
        };
    }

    /**
     * Reads a number, or a string that is one.
     *
     * @param rule names the option and says what it must be, for the error
     */
    public static CheckedFunction<XContentParser, Double, IOException> number(String rule) {
        return parser -> {
            try {
                return TypedNumber.parse(parser.text()).doubleValue();
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(rule + ", got: " + TypedNumber.shown(parser.text()));
            }
        };
    }
}
