/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.opensearch.action.get.GetResponse;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.Target;

/** Reads the fingerprints of a stored document from its source, whoever wrote them there. */
final class StoredTargets {

    private final GetResponse document;
    private final String field;

    private StoredTargets(GetResponse document, String field) {
        this.document = document;
        this.field = field;
    }

    /**
     * What a document is compared as: one target for each of its fingerprints.
     *
     * @param field the fingerprint object, or an array of them
     * @throws IllegalArgumentException when it has none
     */
    static List<Target> of(GetResponse document, String field) {
        return new StoredTargets(document, field).targets();
    }

    private List<Target> targets() {
        if (document.isSourceEmpty()) {
            throw error("keeps no _source, from which [" + field + "] could be read: use [hash]");
        }
        Object value = XContentMapValues.extractValue(field, document.getSourceAsMap());
        List<?> fingerprints = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
        List<Target> targets = new ArrayList<>();
        for (Object fingerprint : fingerprints) {
            if (fingerprint instanceof Map<?, ?> fields) {
                addTarget(fields, targets);
            }
        }
        if (targets.isEmpty()) {
            throw error("has no fingerprint in [" + field + "]");
        }
        return targets;
    }

    private void addTarget(Map<?, ?> fields, List<Target> targets) {
        OptionalLong bits = bits(fields.get(FingerprintFields.HASH), fields.get(FingerprintFields.BITS));
        String digest = text(fields.get(FingerprintFields.DIGEST));
        if (bits.isPresent() || digest != null) {
            targets.add(new Target(bits, digest, text(fields.get(FingerprintFields.SCHEME))));
        }
    }

    private OptionalLong bits(Object hash, Object number) {
        if (hash instanceof String hex) {
            try {
                return OptionalLong.of(Fingerprint.fromHex(hex));
            } catch (IllegalArgumentException e) {
                throw error("has a malformed hash in [" + field + "]: " + hex);
            }
        }
        return number instanceof Long || number instanceof Integer
                ? OptionalLong.of(((Number) number).longValue())
                : OptionalLong.empty();
    }

    private static String text(Object value) {
        return value instanceof String text ? text : null;
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException(
                "[id] document [" + document.getId() + "] of index [" + document.getIndex() + "] " + what);
    }
}
