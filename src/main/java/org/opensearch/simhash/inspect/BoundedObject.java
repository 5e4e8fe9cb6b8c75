/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Reads an object of a request's body, with a limit on values and depth: a value of two characters takes a hundred
 * bytes of heap. One thread, one object.
 */
final class BoundedObject {

    static final int MAX_DEPTH = 100;

    private final String option;
    private final int most;
    private int values;
    private int depth;

    private BoundedObject(String option, int most) {
        this.option = option;
        this.most = most;
    }

    /**
     * @param option for errors
     * @param most values in the object, at all depths
     */
    static CheckedFunction<XContentParser, Map<String, Object>, IOException> reader(String option, int most) {
        return parser -> new BoundedObject(option, most).object(parser);
    }

    private Map<String, Object> object(XContentParser parser) throws IOException {
        enter();
        Map<String, Object> object = new HashMap<>();
        for (Token token = parser.nextToken(); token != Token.END_OBJECT; token = parser.nextToken()) {
            String name = parser.currentName();
            parser.nextToken();
            object.put(name, value(parser));
        }
        depth--;
        return object;
    }

    private List<Object> list(XContentParser parser) throws IOException {
        enter();
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != Token.END_ARRAY) {
            list.add(value(parser));
        }
        depth--;
        return list;
    }

    private Object value(XContentParser parser) throws IOException {
        if (++values > most) {
            throw refusal("have at most " + most + " values", "more");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_STRING -> parser.text();
            case VALUE_NUMBER -> parser.numberValue();
            case VALUE_BOOLEAN -> parser.booleanValue();
            case VALUE_EMBEDDED_OBJECT -> parser.binaryValue();
            case VALUE_NULL -> null;
            case FIELD_NAME, END_OBJECT, END_ARRAY -> throw refusal("be one object", "no value");
        };
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw refusal("have at most " + MAX_DEPTH + " objects and arrays inside one another", "more");
        }
    }

    private IllegalArgumentException refusal(String rule, String got) {
        return new IllegalArgumentException("[" + option + "] must " + rule + ", got: " + got);
    }
}
