/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes options so that different options have different texts. The order of a map's keys does not matter. Each value
 * begins with its kind and size: {@code ["the"]} is {@code [1]3"the}, the text {@code [the]} is {@code 5"[the]}. A
 * number is written as text, as analyzer settings read it.
 */
final class CanonicalForm {

    private CanonicalForm() {}

    static String of(Object value) {
        StringBuilder written = new StringBuilder();
        write(value, written);
        return written.toString();
    }

    private static void write(Object value, StringBuilder written) {
        switch (value) {
            case null -> written.append('-');
            case Map<?, ?> map -> {
                TreeMap<String, Object> sorted = new TreeMap<>();
                map.forEach((key, inner) -> sorted.put(key.toString(), inner));
                written.append('{').append(sorted.size()).append('}');
                sorted.forEach((key, inner) -> {
                    write(key, written);
                    write(inner, written);
                });
            }
            case List<?> list -> {
                written.append('[').append(list.size()).append(']');
                list.forEach(inner -> write(inner, written));
            }
            default -> {
                String text = value.toString();
                written.append(text.length()).append('"').append(text);
            }
        }
    }
}
