/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.match.Target;

/** Reads the fingerprints of a stored document from its source. */
final class StoredTargets {

    /** Each target is a query of its own on each shard. */
    static final int MOST_TARGETS = 10_000;

    private final GetResponse document;
    private final String field;
    private final Supplier<IndexMapping> mapping;

    private StoredTargets(GetResponse document, String field, Supplier<IndexMapping> mapping) {
        this.document = document;
        this.field = field;
        this.mapping = mapping;
    }

    /**
     * One target per fingerprint. Empty if the mapping lacks the field, because no document is found by it then.
     *
     * @param field the fingerprint object, or an array of objects; each holds one fingerprint or arrays
     * @param mapping of the document's index; asked if the document has no fingerprint
     * @throws IllegalArgumentException if the field is mapped and the document has no fingerprint, or if it has more than
     *     {@value #MOST_TARGETS}
     */
    static List<Target> of(GetResponse document, String field, Supplier<IndexMapping> mapping) {
        return new StoredTargets(document, field, mapping).targets();
    }

    private List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        boolean isWithoutWords = false;
        if (document.isSourceEmpty() == false) {
            for (Object object : DocumentValues.objectsAt(field, document.getSourceAsMap())) {
                if (object instanceof Map<?, ?> fields) {
                    addTargets(fields, targets);
                    isWithoutWords |= Integer.valueOf(0).equals(fields.get(FingerprintFields.FEATURES));
                }
            }
        }
        // A text without words is near nothing, which is no mistake.
        if (targets.isEmpty() && isWithoutWords == false && mapping.get().maps(field)) {
            throw error(whyNone());
        }
        return targets;
    }

    private String whyNone() {
        if (document.isSourceEmpty()) {
            return "keeps no _source, from which [" + field + "] could be read: use [hash]";
        }
        boolean isLeftOut = Stream.of(FingerprintFields.HASH, FingerprintFields.BITS, FingerprintFields.DIGEST)
                .noneMatch(part -> mapping.get().keeps(field + "." + part));
        return "has no fingerprint in [" + field + "] of its _source"
                + (isLeftOut ? ", which the mapping leaves it out of: use [hash]" : "");
    }

    private void addTargets(Map<?, ?> fields, List<Target> targets) {
        List<Long> bits = bits(fields);
        List<String> digests = strings(fields.get(FingerprintFields.DIGEST));
        List<String> schemes = strings(fields.get(FingerprintFields.SCHEME));
        // Nothing tells which parts belong together, so that each part counts alone, with each scheme.
        boolean isOne = bits.size() <= 1 && digests.size() <= 1;
        for (String scheme : schemes.isEmpty() ? Collections.<String>singletonList(null) : schemes) {
            if (isOne) {
                add(
                        bits.isEmpty() ? null : bits.getFirst(),
                        digests.isEmpty() ? null : digests.getFirst(),
                        scheme,
                        targets);
                continue;
            }
            bits.forEach(one -> add(one, null, scheme, targets));
            digests.forEach(one -> add(null, one, scheme, targets));
        }
    }

    private void add(Long bits, String digest, String scheme, List<Target> targets) {
        if (targets.size() == MOST_TARGETS) {
            throw error("has more than " + MOST_TARGETS + " fingerprints in [" + field + "]: use [hash]");
        }
        if (bits != null || digest != null) {
            OptionalLong fingerprint = bits == null ? OptionalLong.empty() : OptionalLong.of(bits);
            targets.add(new Target(fingerprint, digest, scheme));
        }
    }

    private List<Long> bits(Map<?, ?> fields) {
        List<Long> hashes = strings(fields.get(FingerprintFields.HASH)).stream()
                .map(this::bits)
                .toList();
        return hashes.isEmpty()
                ? values(fields.get(FingerprintFields.BITS)).stream()
                        .filter(number -> number instanceof Long || number instanceof Integer)
                        .map(number -> ((Number) number).longValue())
                        .toList()
                : hashes;
    }

    private long bits(String hash) {
        try {
            return Fingerprint.fromHex(hash);
        } catch (IllegalArgumentException e) {
            throw error("has a malformed hash in [" + field + "]: " + hash);
        }
    }

    private static List<String> strings(Object value) {
        return values(value).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    private static List<?> values(Object value) {
        return value instanceof List<?> several ? several : value == null ? List.of() : List.of(value);
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException(
                "[id] document [" + document.getId() + "] of index [" + document.getIndex() + "] " + what);
    }
}
