/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of passages in a document: an object below the processor's target field. */
public final class PassageFields {

    public static final String DEFAULT_OBJECT = "passages";

    public static final String TERMS = "terms";
    public static final String SCHEME = FingerprintFields.SCHEME;

    private PassageFields() {}

    /** The object to store. A text that is shorter than a run has no terms. */
    public static Map<String, Object> of(String[] terms, String scheme) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (terms.length > 0) {
            fields.put(TERMS, List.of(terms));
        }
        fields.put(SCHEME, scheme);
        return fields;
    }
}
