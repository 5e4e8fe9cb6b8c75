/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.List;
import java.util.Locale;

/** What documents are compared by. People type the name in lower case. */
public enum SketchKind {
    /** Fingerprints of 64 bits, by the number of bits that differ. */
    SIMHASH(FingerprintFields.DEFAULT_OBJECT, FingerprintFields.BITS),
    /** Sketches, by their estimated similarity. */
    MINHASH("minhash", FingerprintFields.SKETCH),
    /** Texts, by the words that they share in long runs. */
    PASSAGES("passages", FingerprintFields.TERMS);

    /** Those that documents have in the index, to be compared without their texts. */
    public static final List<SketchKind> PRINTS = List.of(SIMHASH, MINHASH);

    private final String defaultObject;
    private final String part;

    SketchKind(String defaultObject, String part) {
        this.defaultObject = defaultObject;
        this.part = part;
    }

    /** The field below the object that every document with a print has. */
    public String part() {
        return part;
    }

    /** The object that the processor of this kind writes if nobody says another. */
    public String defaultObject() {
        return defaultObject;
    }

    /**
     * Refuses an option of one kind that is given with another kind.
     *
     * @param value null if it is not given
     */
    public void requireFor(String option, Object value, SketchKind given) {
        if (value != null && given != this) {
            throw new IllegalArgumentException("[" + option + "] is only allowed with [sketch] " + this
                    + (option.equals("min_similarity") ? ", or in [verify] for texts" : "") + ", got: " + value);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
