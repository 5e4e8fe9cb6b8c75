/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.List;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * The options of {@code verify}: the similarity that two texts need to be near-duplicates.
 *
 * @param field the text to read from each document; null for what its fingerprint is made of
 * @param shingleSize tokens per shingle, for token measures
 * @param strictCharacters characters whose sequences must be equal, or null
 * @param strip blocks that are no text
 */
public record Verification(
        String field,
        Measure measure,
        int shingleSize,
        double minSimilarity,
        StrictCharacters strictCharacters,
        Boilerplate strip) {

    public static final Measure DEFAULT_MEASURE = Measure.JACCARD;
    public static final int DEFAULT_SHINGLE_SIZE = 3;
    public static final double DEFAULT_MIN_SIMILARITY = 0.8;

    public static final int MIN_SHINGLE_SIZE = 1;
    public static final int MAX_SHINGLE_SIZE = 8;

    /** Bounds the depth of a path. */
    public static final int MAX_FIELD_LENGTH = 1_000;

    public Verification(
            String field, Measure measure, int shingleSize, double minSimilarity, StrictCharacters strictCharacters) {
        this(field, measure, shingleSize, minSimilarity, strictCharacters, Boilerplate.NONE);
    }

    public Verification {
        if (field != null && field.isEmpty()) {
            throw new IllegalArgumentException("[field] must name the text to verify, got: ");
        }
        TypedNumber.requireAtMost(
                "[field] of [verify]", MAX_FIELD_LENGTH, "characters", field == null ? 0 : field.length());
        if (measure == null) {
            throw new IllegalArgumentException("[measure] must not be null");
        }
        TypedNumber.requireBetween("shingle_size", MIN_SHINGLE_SIZE, MAX_SHINGLE_SIZE, shingleSize);
        if (0 <= minSimilarity && minSimilarity <= 1) {
            minSimilarity += 0.0; // -0.0 becomes 0.0: equal requests are equal records
        } else {
            throw new IllegalArgumentException("[min_similarity] must be between 0.0 and 1.0, got: " + minSimilarity);
        }
    }

    public Verification requireField() {
        if (field == null) {
            throw new IllegalArgumentException("[verify] must name the [field] of the text to compare, got: nothing");
        }
        return this;
    }

    public Verification withMinSimilarity(double minimum) {
        return new Verification(field, measure, shingleSize, minimum, strictCharacters, strip);
    }

    public Verification withStrip(List<String> digests) {
        return new Verification(field, measure, shingleSize, minSimilarity, strictCharacters, new Boilerplate(digests));
    }

    @Override
    public String toString() {
        String rest = (strictCharacters == null ? "" : ", strict_characters=" + strictCharacters)
                + (strip.isEmpty() ? "" : ", strip=" + strip.digests());
        String shingles = measure.comparesShingles() ? ", shingle_size=" + shingleSize : "";
        return "verify[" + (field == null ? "" : "field=" + field + ", ") + "measure=" + measure + shingles
                + ", min_similarity=" + minSimilarity + rest + "]";
    }

    /** Reads the options of a request; null means the default. */
    public static Verification of(
            String field, String measure, Integer shingleSize, Double minSimilarity, String strictCharacters) {
        Measure parsed = measure == null ? DEFAULT_MEASURE : Measure.parse(measure);
        double usual = parsed == Measure.FACTS ? 1 : DEFAULT_MIN_SIMILARITY;
        return new Verification(
                field,
                parsed,
                shingleSize == null ? DEFAULT_SHINGLE_SIZE : shingleSize,
                minSimilarity == null ? usual : minSimilarity,
                strictCharacters == null ? null : new StrictCharacters(strictCharacters));
    }
}
