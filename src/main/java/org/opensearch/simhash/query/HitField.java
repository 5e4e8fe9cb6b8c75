/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.Map;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;

/**
 * A field of hits outside the mapping. It carries parts of a document from the shard.
 *
 * @param suffix follows the name of the object
 */
record HitField(String suffix) {

    private static final String ERROR = "error";

    /** The field that carries the parts of an object such as {@code simhash}. */
    String of(String object) {
        return object + suffix;
    }

    /** Null for any other field. */
    String objectOf(String field) {
        return field.endsWith(suffix) ? field.substring(0, field.length() - suffix.length()) : null;
    }

    /** In place of parts. */
    static DocumentField unreadable(String name, String reason) {
        return new DocumentField(name, List.of(Map.of(ERROR, reason)));
    }

    /** Null if they can be read. */
    static String whyUnreadable(SearchHit hit, String field) {
        Object reason = parts(hit, field).get(ERROR);
        return reason == null ? null : reason.toString();
    }

    /** Empty for a hit without the field. */
    static Map<?, ?> parts(SearchHit hit, String field) {
        DocumentField values = hit.field(field);
        return values != null && values.getValue() instanceof Map<?, ?> parts ? parts : Map.of();
    }
}
