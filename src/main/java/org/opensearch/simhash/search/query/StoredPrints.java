/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;

/** Reads the prints of a stored document from its source. */
final class StoredPrints {

    /** Each one is a query of its own on each shard. */
    static final int MOST = 10_000;

    private final SketchKind kind;
    private final GetResponse document;
    private final String field;
    private final List<Print> prints = new ArrayList<>();

    private StoredPrints(SketchKind kind, GetResponse document, String field) {
        this.kind = kind;
        this.document = document;
        this.field = field;
    }

    /**
     * Empty if the mapping lacks the field, because no document is found by it then.
     *
     * @param field the object of the print, or an array of objects; each holds one fingerprint or arrays
     * @param mapping of the document's index; asked if the document has no print
     */
    static List<Print> of(SketchKind kind, GetResponse document, String field, Supplier<IndexMapping> mapping) {
        return new StoredPrints(kind, document, field).read(mapping);
    }

    private List<Print> read(Supplier<IndexMapping> mapping) {
        boolean isWithoutWords = false;
        if (document.isSourceEmpty() == false) {
            for (Object object : DocumentValues.objectsAt(field, document.getSourceAsMap())) {
                if (object instanceof Map<?, ?> parts) {
                    switch (kind) {
                        case SIMHASH -> addFingerprints(parts);
                        case MINHASH -> addSketch(parts);
                        case PASSAGES -> {} // a source of passages is made of the texts
                    }
                    isWithoutWords |= FingerprintFields.areOfNoWords(parts);
                }
            }
        }
        // A text without words is near nothing, which is no mistake.
        if (prints.isEmpty() && isWithoutWords == false && mapping.get().maps(field)) {
            throw error(whyNone(mapping.get()));
        }
        return prints;
    }

    private String whyNone(IndexMapping mapping) {
        String ready = Prints.option(kind);
        if (document.isSourceEmpty()) {
            return "keeps no _source, from which [" + field + "] could be read: use [" + ready + "]";
        }
        boolean isLeftOut = Stream.of(ready, FingerprintFields.BITS, FingerprintFields.DIGEST)
                .noneMatch(part -> mapping.keeps(field + "." + part));
        return "has no " + (kind == SketchKind.SIMHASH ? "fingerprint" : "sketch") + " in [" + field
                + "] of its _source" + (isLeftOut ? ", which the mapping leaves it out of: use [" + ready + "]" : "");
    }

    private void addFingerprints(Map<?, ?> parts) {
        List<String> hashes = hashes(parts);
        List<String> digests = strings(parts.get(FingerprintFields.DIGEST));
        List<String> schemes = strings(parts.get(FingerprintFields.SCHEME));
        // Nothing tells which parts belong together, so that each part counts alone, with each scheme.
        boolean isOne = hashes.size() <= 1 && digests.size() <= 1;
        for (String scheme : schemes.isEmpty() ? Collections.<String>singletonList(null) : schemes) {
            if (isOne) {
                add(hashes.isEmpty() ? null : hashes.getFirst(), digests.isEmpty() ? null : digests.getFirst(), scheme);
                continue;
            }
            hashes.forEach(one -> add(one, null, scheme));
            digests.forEach(one -> add(null, one, scheme));
        }
    }

    private void add(String hash, String digest, String scheme) {
        if (hash != null) {
            add(parsed("hash", hash, hex -> Prints.fromHex(hex, digest, scheme)));
        } else if (digest != null) {
            add(new Target(OptionalLong.empty(), digest, scheme));
        }
    }

    private void add(Print print) {
        if (prints.size() == MOST) {
            throw error(
                    "has more than " + MOST + " fingerprints in [" + field + "]: use [" + Prints.option(kind) + "]");
        }
        prints.add(print);
    }

    private static List<String> hashes(Map<?, ?> parts) {
        List<String> hashes = strings(parts.get(FingerprintFields.HASH));
        return hashes.isEmpty()
                ? values(parts.get(FingerprintFields.BITS)).stream()
                        .filter(number -> number instanceof Long || number instanceof Integer)
                        .map(number -> Fingerprint.toHex(((Number) number).longValue()))
                        .toList()
                : hashes;
    }

    private void addSketch(Map<?, ?> parts) {
        String digest = parts.get(FingerprintFields.DIGEST) instanceof String text ? text : null;
        String scheme = parts.get(FingerprintFields.SCHEME) instanceof String text ? text : null;
        Sketch sketch = parts.get(FingerprintFields.SKETCH) instanceof String text
                ? parsed("sketch", text, Sketch::fromBase64)
                : null;
        if (sketch != null || digest != null) {
            BandLayout layout = sketch == null ? null : BandLayout.of(sketch, parts.get(FingerprintFields.BANDS));
            add(new SketchTarget(sketch, layout, digest, scheme));
        }
    }

    private <T> T parsed(String what, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw error("has a malformed " + what + " in [" + field + "]: " + text);
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
