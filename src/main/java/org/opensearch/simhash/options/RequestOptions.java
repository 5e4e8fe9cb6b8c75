/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.OpenSearchException;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.ObjectParser.ValueType;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * The options in the body of a request as people typed them. OpenSearch's parsers say of a value that is wrong where it is, and
 * leave what is wrong with it to the cause, which is the last that people see; of a number not even there.
 */
public final class RequestOptions {

    /**
     * What an option may be whose reader says itself what is wrong: of a value of another type OpenSearch's parsers name neither the
     * rule nor the value.
     */
    public static final ValueType ANY = ValueType.VALUE_OBJECT_ARRAY;

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
        Token behind = parser.nextToken();
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
            if (parser.currentToken() == Token.VALUE_BOOLEAN) {
                return parser.booleanValue();
            }
            String typed = typed(parser);
            if (typed.equals("true") == false && typed.equals("false") == false) {
                throw wrong("[" + option + "] must be true or false", parser);
            }
            return typed.equals("true");
        };
    }

    /**
     * Reads a string.
     *
     * @param rule names the option and says what it must be, for the error
     */
    public static CheckedFunction<XContentParser, String, IOException> string(String rule) {
        return parser -> {
            if (parser.currentToken() != Token.VALUE_STRING) {
                throw wrong(rule, parser);
            }
            return parser.text();
        };
    }

    /** Reads a name, or a number that is one. */
    public static CheckedFunction<XContentParser, String, IOException> name(String option) {
        return parser -> {
            if (parser.currentToken().isValue() == false) {
                throw wrong("[" + option + "] must be a string", parser);
            }
            return parser.text();
        };
    }

    /** Reads an object. */
    public static <T> CheckedFunction<XContentParser, T, IOException> object(
            String option, CheckedFunction<XContentParser, T, IOException> reader) {
        return parser -> {
            if (parser.currentToken() != Token.START_OBJECT) {
                throw wrong("[" + option + "] must be an object", parser);
            }
            return reader.apply(parser);
        };
    }

    /**
     * Reads a number, or a string that is one.
     *
     * @param rule names the option and says what it must be, for the error
     */
    public static CheckedFunction<XContentParser, Double, IOException> number(String rule) {
        return parser -> TypedNumber.real(rule, typed(parser));
    }

    /** Reads a whole number, as {@link TypedNumber#whole}. */
    public static CheckedFunction<XContentParser, Integer, IOException> wholeNumber(String rule) {
        return parser -> TypedNumber.whole(rule, typed(parser));
    }

    /**
     * Reads a list of objects, or one by itself.
     *
     * @param rule names the option and says what it must be, for the error
     */
    public static <T> CheckedFunction<XContentParser, List<T>, IOException> objects(
            String rule, CheckedFunction<XContentParser, T, IOException> reader) {
        return parser -> {
            if (parser.currentToken() == Token.START_OBJECT) {
                return List.of(reader.apply(parser));
            }
            if (parser.currentToken() != Token.START_ARRAY) {
                throw wrong(rule, parser);
            }
            List<T> objects = new ArrayList<>();
            while (parser.nextToken() != Token.END_ARRAY) {
                if (parser.currentToken() != Token.START_OBJECT) {
                    throw wrong(rule, parser);
                }
                objects.add(reader.apply(parser));
            }
            return objects;
        };
    }

    /** What is wrong with the value at which the parser is: the rule, and that value. */
    public static IllegalArgumentException wrong(String rule, XContentParser parser) throws IOException {
        return new IllegalArgumentException(rule + ", got: " + TypedNumber.shown(typed(parser)));
    }

    /** The value as it was typed; of what has others inside only what it is. */
    private static String typed(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_NULL -> "null";
            case VALUE_EMBEDDED_OBJECT -> "binary data";
            default -> parser.text();
        };
    }
}
