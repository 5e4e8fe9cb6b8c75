/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.io.IOException;
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
     * @throws IllegalArgumentException that says what is wrong: of several around one another the innermost
     */
    public static <T> T parse(ContextParser<Void, T> options, XContentParser parser) throws IOException {
        try {
            return options.parse(parser, null);
        } catch (XContentParseException e) {
            throw innermost(e);
        }
    }

    private static IllegalArgumentException innermost(XContentParseException error) {
        IllegalArgumentException innermost = error;
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException wrong) {
                innermost = wrong;
            }
        }
        return innermost;
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
