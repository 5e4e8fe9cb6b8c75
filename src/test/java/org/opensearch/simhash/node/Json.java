/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;

/** JSON text to maps and lists and back, with the parser that the node itself uses. */
public final class Json {

    private Json() {}

    /** The object or array that {@code json} holds: maps keep the order of their keys. */
    public static Object parse(String json) {
        try (var parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json)) {
            return json.stripLeading().startsWith("[") ? parser.list() : parser.mapOrdered();
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + json, e);
        }
    }

    /** One line, without white space: fit for {@code _bulk} and {@code _msearch}. */
    public static String write(Map<String, ?> object) {
        try (var builder = JsonXContent.contentBuilder()) {
            return builder.map(object).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The value at a dotted path: keys of objects, numbers for positions in arrays ({@code hits.hits.0._id}).
     *
     * @return null when there is nothing
     */
    public static Object at(Object json, String path) {
        Object value = json;
        for (String step : path.split("\\.", -1)) {
            value = switch (value) {
                case Map<?, ?> object -> object.get(step);
                case List<?> array -> Integer.parseInt(step) < array.size() ? array.get(Integer.parseInt(step)) : null;
                case null -> null;
                default -> null;
            };
        }
        return value;
    }
}
