/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.desk.check.Finding.Severity;
import org.opensearch.simhash.search.query.IndexMapping;

/** The content of the checked object, and the mapping that it needs. */
public enum CheckedKind {

    /** Dynamic mapping suits it. */
    FINGERPRINT(
            Long.SIZE,
            "fingerprint",
            SketchKind.SIMHASH,
            FingerprintFields.bits(Long.SIZE),
            FingerprintFields.segment(0)),

    /** A hash of 256 bits. */
    HASH_256(
            4 * Long.SIZE,
            "fingerprint",
            SketchKind.SIMHASH,
            FingerprintFields.bits(4 * Long.SIZE),
            FingerprintFields.segment(0)),

    /** Dynamic mapping makes texts of its parts, which the query refuses. */
    SKETCH(0, "sketch", SketchKind.MINHASH, FingerprintFields.SKETCH, FingerprintFields.BANDS) {
        // The filter on ids keeps the query from comparing all sketches.
        @Override
        String anyQuery(String object) {
            return "{\"bool\":{\"filter\":[{\"ids\":{\"values\":[\"none\"]}},{\"minhash\":{\"field\":\"" + object
                    + "\",\"sketch\":\"AAAAAQA=\",\"min_similarity\":1}}]}}";
        }

        // Such documents are found all the same: without bands, each query compares all sketches.
        @Override
        void addUnsliced(long documents, String mend, Findings found) {
            String message = documents + " documents have [sketch], but no [bands] that are indexed:"
                    + " each query compares all sketches";
            found.add(Severity.WARNING, Code.BANDS_WRONG, message, mend);
        }

        @Override
        public boolean isValue(Map<?, ?> definition) {
            return areBytes(definition);
        }

        @Override
        Map<String, Object> parts(int segments) {
            Map<String, Object> parts = new LinkedHashMap<>();
            parts.put(FingerprintFields.BANDS, TERM);
            parts.put(FingerprintFields.SKETCH, BYTES);
            parts.put(FingerprintFields.DIGEST, TERM);
            parts.put(FingerprintFields.SIZE, NUMBER);
            parts.put(FingerprintFields.SCHEME, KEYWORD);
            return parts;
        }
    },

    /** Terms of passages. The query refuses the texts that a dynamic mapping makes of them. */
    PASSAGES(0, "passage", SketchKind.PASSAGES, FingerprintFields.TERMS, FingerprintFields.TERMS) {
        // The query needs a recipe, which is looked for elsewhere.
        @Override
        Optional<String> refusal(String object, Map<?, ?> definition) {
            return definition == null || isValue(definition)
                    ? Optional.empty()
                    : Optional.of("[passages] [" + object + "." + FingerprintFields.TERMS
                            + "] must be of type [keyword] and indexed, but is of type [" + definition.get("type")
                            + "]");
        }

        @Override
        String anyQuery(String object) {
            return "{\"ids\":{\"values\":[]}}";
        }

        @Override
        public boolean isValue(Map<?, ?> definition) {
            return "keyword".equals(definition.get("type"))
                    && "false".equals(String.valueOf(definition.get("index"))) == false;
        }

        @Override
        Map<String, Object> parts(int segments) {
            Map<String, Object> parts = new LinkedHashMap<>();
            parts.put(FingerprintFields.TERMS, TERM);
            parts.put(FingerprintFields.SCHEME, KEYWORD);
            return parts;
        }
    };

    private static final Map<String, Object> KEYWORD = Map.of("type", "keyword");
    /** What says which group a document is in. */
    static final Map<String, Object> TAGS =
            Map.of(FingerprintFields.GROUP, KEYWORD, FingerprintFields.DUPLICATE_OF, KEYWORD);

    /** With norms, a document has no entry of {@code _field_names} for each of its terms. */
    private static final Map<String, Object> TERM = Map.of("type", "keyword", "doc_values", false, "norms", true);

    private static final Map<String, Object> NUMBER = Map.of("type", "integer", "index", false);

    private static final Map<String, Object> BYTES = Map.of("type", "binary", "doc_values", true);

    private final int length;
    private final String noun;
    private final SketchKind print;
    private final String value;
    private final String candidates;

    CheckedKind(int length, String noun, SketchKind print, String value, String candidates) {
        this.length = length;
        this.noun = noun;
        this.print = print;
        this.value = value;
        this.candidates = candidates;
    }

    /** The kind that the processor writes; else the mapped one; else the one of the name. */
    static CheckedKind of(String object, List<Step> steps, IndexMapping mapping) {
        return steps.stream()
                .filter(step -> step.writes(object))
                .findFirst()
                .map(Step::kind)
                .orElseGet(() -> mapped(object, mapping));
    }

    private static CheckedKind mapped(String object, IndexMapping mapping) {
        if (mapping.maps(object + "." + FingerprintFields.BITS)) {
            return FINGERPRINT;
        }
        if (mapping.maps(object + "." + FingerprintFields.TERMS)
                || object.equals(SketchKind.PASSAGES.defaultObject())) {
            return PASSAGES;
        }
        boolean isSketch = mapping.maps(object + "." + FingerprintFields.SKETCH)
                || mapping.maps(object + "." + FingerprintFields.BANDS)
                || object.equals(SketchKind.MINHASH.defaultObject());
        return isSketch ? SKETCH : FINGERPRINT;
    }

    public String noun() {
        return noun;
    }

    public String processor() {
        return print.toString();
    }

    public String defaultObject() {
        return print.defaultObject();
    }

    public String value() {
        return value;
    }

    /** The part by whose terms candidates are found; the first of several. */
    String candidates() {
        return candidates;
    }

    /** Why queries refuse the mapping of the part that they compare; empty if they do not, or if only a query knows. */
    Optional<String> refusal(String object, Map<?, ?> definition) {
        return Optional.empty();
    }

    /** A cheap query that an index refuses if its mapping is wrong. */
    String anyQuery(String object) {
        return "{\"simhash\":{\"field\":\"" + object + "\",\"hash\":\"" + "0".repeat(length / 4)
                + "\",\"max_distance\":0}}";
    }

    List<String> terms(int segments) {
        Map<String, Object> parts = parts(segments);
        parts.remove(FingerprintFields.HASH); // for people
        parts.values().removeIf(definition -> List.of(TERM, KEYWORD).contains(definition) == false);
        return List.copyOf(parts.keySet());
    }

    /** Documents that queries can compare, but without the terms by which they are found. */
    void addUnsliced(long documents, String mend, Findings found) {
        String message = documents + " documents have [" + value + "], but no segments that are indexed";
        found.add(Code.SEGMENTS_WRONG, message, mend);
    }

    public boolean isValue(Map<?, ?> definition) {
        return length > Long.SIZE
                // As a dynamic mapping keeps Base64.
                ? areBytes(definition) || "text".equals(definition.get("type"))
                : "long".equals(definition.get("type"))
                        && "false".equals(String.valueOf(definition.get("doc_values"))) == false;
    }

    private static boolean areBytes(Map<?, ?> definition) {
        return "binary".equals(definition.get("type")) && "true".equals(String.valueOf(definition.get("doc_values")));
    }

    boolean isDynamic() {
        return length > 0;
    }

    int segments() {
        return SegmentLayout.USUAL * Math.max(1, length / Long.SIZE);
    }

    /** The kind that a type of processor writes; of hashes by their length in bits. */
    static CheckedKind of(String type, String length) {
        return Stream.of(SKETCH, PASSAGES)
                .filter(kind -> kind.processor().equals(type))
                .findFirst()
                .orElse(length.equals("256") ? HASH_256 : FINGERPRINT);
    }

    /** Bits of the fingerprint; 0 for a sketch. */
    int length() {
        return length;
    }

    /** Whether {@code near_duplicate} compares it: {@link #FINGERPRINT} stands for hashes of all lengths. */
    boolean isComparedAs(CheckedKind kind) {
        return this == kind || (length > 0 && kind == FINGERPRINT);
    }

    /** The definition of each part, and of what jobs and {@code near_duplicate} write beside them. */
    public Map<String, Object> partsAndTags(int segments) {
        Map<String, Object> parts = parts(segments);
        FingerprintFields.KEPT.forEach(part -> parts.put(part, KEYWORD));
        return parts;
    }

    Map<String, Object> parts(int segments) {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put(FingerprintFields.HASH, TERM);
        parts.put(value, length == Long.SIZE ? Map.of("type", "long", "index", false) : BYTES);
        parts.put(FingerprintFields.DIGEST, TERM);
        parts.put(FingerprintFields.FEATURES, NUMBER);
        parts.put(FingerprintFields.SCHEME, KEYWORD);
        IntStream.range(0, segments).forEach(i -> parts.put(FingerprintFields.segment(i), TERM));
        return parts;
    }
}
