/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.options;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.AbstractObjectParser;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.ObjectParser.ValueType;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * Reads the options in a request's body. OpenSearch's parsers report the place of a wrong value and leave the reason to the cause, which
 * users see last; for numbers they do not even name the place. A {@code rule} names the option and what it must be, for the error.
 */
public final class RequestOptions {

    /** Accepts any type, for options whose reader reports errors itself. OpenSearch names neither rule nor value for a wrong type. */
    public static final ValueType ANY = ValueType.VALUE_OBJECT_ARRAY;

    /** What people look for in other places, by what OpenSearch says. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "unknown field [min_similarity]", "that of texts stands in [verify]",
            "[survivor] unknown field", "an entry is {\"field\": name, \"order\": \"asc\" or \"desc\"}");

    private RequestOptions() {}

    /** Declares an option of a parser, whose reader reports errors itself. */
    public static <O, T> void declare(
            AbstractObjectParser<O, Void> parser,
            String name,
            BiConsumer<O, T> option,
            CheckedFunction<XContentParser, T, IOException> reader) {
        parser.declareField(option, reader, new ParseField(name), ANY);
    }

    /** The options that an object has, by name. */
    public static final class Given {

        private final Map<String, Object> values = new LinkedHashMap<>();

        /** As typed, in order. */
        public Map<String, Object> all() {
            return values;
        }

        public boolean has(String option) {
            return values.containsKey(option);
        }

        /** @param byDefault if the object does not have it; null for none */
        @SuppressWarnings("unchecked") // as its reader made it
        public <T> T get(String option, T byDefault) {
            return (T) values.getOrDefault(option, byDefault);
        }
    }

    /** A parser of an object whose options are asked for by name. */
    public static ObjectParser<Given, Void> parser(String name) {
        return new ObjectParser<>(name, Given::new);
    }

    public static <T> void declare(
            ObjectParser<Given, Void> parser, String name, CheckedFunction<XContentParser, T, IOException> reader) {
        declare(parser, name, (given, value) -> given.values.put(name, value), reader);
    }

    /**
     * Declares an option without another rule than its type.
     *
     * @param reader by the name of the option, for example {@link #text}
     */
    public static <T> void option(
            ObjectParser<Given, Void> parser,
            String name,
            Function<String, CheckedFunction<XContentParser, T, IOException>> reader) {
        declare(parser, name, reader.apply(name));
    }

    /** As {@link #body}, for a body that may be missing: then the parser is null. */
    public static Given optionalBody(ObjectParser<Given, Void> options, XContentParser parser) throws IOException {
        return parser == null ? new Given() : body(options, parser);
    }

    /** @throws IllegalArgumentException for a timeout that leaves no time; null is none */
    public static TimeValue positive(String option, TimeValue timeout) {
        if (timeout != null && timeout.nanos() <= 0) {
            throw new IllegalArgumentException("[" + option + "] must be greater than 0, got: " + timeout);
        }
        return timeout;
    }

    /**
     * Parses an object.
     *
     * @throws OpenSearchException for a query that OpenSearch refuses
     */
    public static <T> T parse(ContextParser<Void, T> options, XContentParser parser) throws IOException {
        try {
            return options.parse(parser, null);
        } catch (XContentParseException e) {
            throw innermost(e);
        }
    }

    /**
     * Parses a body, which is one object. Refuses anything after it, so that a surplus brace does not hide options.
     *
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

    /**
     * As {@link #body}, for a body that must be there.
     *
     * @param parser null if it is not
     */
    public static <T> T requiredBody(ContextParser<Void, T> options, XContentParser parser) throws IOException {
        if (parser == null) {
            throw new OpenSearchParseException("request body is required");
        }
        return body(options, parser);
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
        // OpenSearch does not say where an option stands.
        for (Map.Entry<String, String> elsewhere : ELSEWHERE.entrySet()) {
            if (innermost.getMessage().contains(elsewhere.getKey())) {
                return new IllegalArgumentException(innermost.getMessage() + ": " + elsewhere.getValue(), innermost);
            }
        }
        // OpenSearch does not say which option lacks something.
        return innermost.getMessage().startsWith("[")
                ? innermost
                : new IllegalArgumentException(error.getMessage() + ": " + innermost.getMessage(), innermost);
    }

    /** Reads true or false, also as a string. */
    public static CheckedFunction<XContentParser, Boolean, IOException> flag(String option) {
        return parser -> ProcessorOptions.flag(option, typed(parser));
    }

    /** Reads a string. */
    public static CheckedFunction<XContentParser, String, IOException> string(String rule) {
        return parser -> {
            if (parser.currentToken() != Token.VALUE_STRING) {
                throw wrong(rule, parser);
            }
            return parser.text();
        };
    }

    public static CheckedFunction<XContentParser, String, IOException> text(String option) {
        return string("[" + option + "] must be a string");
    }

    /** Reads a name, which may be a number. */
    public static CheckedFunction<XContentParser, String, IOException> name(String option) {
        return parser -> {
            if (parser.currentToken().isValue() == false) {
                throw wrong("[" + option + "] must be a string", parser);
            }
            return parser.text();
        };
    }

    public static <T> CheckedFunction<XContentParser, T, IOException> object(
            String option, CheckedFunction<XContentParser, T, IOException> reader) {
        return parser -> {
            if (parser.currentToken() != Token.START_OBJECT) {
                throw wrong("[" + option + "] must be an object", parser);
            }
            return reader.apply(parser);
        };
    }

    /** Reads a number, or a string with one. */
    public static CheckedFunction<XContentParser, Double, IOException> number(String rule) {
        return parser -> TypedNumber.real(rule, typed(parser));
    }

    public static CheckedFunction<XContentParser, Double, IOException> share(String option) {
        return number("[" + option + "] must be a number between 0 and 1");
    }

    public static CheckedFunction<XContentParser, Integer, IOException> integer(String option) {
        return wholeNumber("[" + option + "] must be a whole number");
    }

    /** Reads an integer as in {@link TypedNumber#whole}. */
    public static CheckedFunction<XContentParser, Integer, IOException> wholeNumber(String rule) {
        return parser -> TypedNumber.whole(rule, typed(parser));
    }

    /** Reads a list of objects, or a single one. */
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

    /** Reads a list of strings, or a single one. */
    public static CheckedFunction<XContentParser, List<String>, IOException> strings(String rule) {
        CheckedFunction<XContentParser, String, IOException> reader = string(rule);
        return parser -> {
            if (parser.currentToken() != Token.START_ARRAY) {
                return List.of(reader.apply(parser));
            }
            List<String> strings = new ArrayList<>();
            while (parser.nextToken() != Token.END_ARRAY) {
                strings.add(reader.apply(parser));
            }
            return strings;
        };
    }

    /** The error for the parser's current value: the rule and the value. */
    public static IllegalArgumentException wrong(String rule, XContentParser parser) throws IOException {
        return new IllegalArgumentException(rule + ", got: " + TypedNumber.shown(typed(parser)));
    }

    /** The value as typed; for a container its kind. */
    private static String typed(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_NULL -> "null";
            case VALUE_EMBEDDED_OBJECT -> "binary data";
            default -> parser.text();
        };
    }

    /** An option whose values are the constants of an enum, typed in lower case. */
    public static final class Choice {

        private Choice() {}

        /** The constant of a typed value. */
        public static <E extends Enum<E>> E of(String option, Class<E> type, Object value) {
            return of(option, List.of(type.getEnumConstants()), value);
        }

        /** The same if only some constants are allowed. */
        public static <E extends Enum<E>> E of(String option, List<E> allowed, Object value) {
            for (E constant : allowed) {
                if (typed(constant).equals(value)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException(
                    rule(option, allowed) + ", got: " + TypedNumber.shown(String.valueOf(value)));
        }

        public static <E extends Enum<E>> CheckedFunction<XContentParser, E, IOException> reader(
                String option, Class<E> type) {
            return reader(option, List.of(type.getEnumConstants()));
        }

        /** The same if only some constants are allowed. */
        public static <E extends Enum<E>> CheckedFunction<XContentParser, E, IOException> reader(
                String option, List<E> allowed) {
            CheckedFunction<XContentParser, String, IOException> typed = RequestOptions.string(rule(option, allowed));
            return parser -> of(option, allowed, typed.apply(parser));
        }

        private static <E extends Enum<E>> String rule(String option, List<E> allowed) {
            List<String> names = allowed.stream().map(Choice::typed).toList();
            return "[" + option + "] must be one of " + names;
        }

        private static String typed(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }
}
