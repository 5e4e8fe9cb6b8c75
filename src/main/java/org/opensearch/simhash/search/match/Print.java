/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;

/** What documents are compared with: a fingerprint or a sketch, and a digest. Immutable. */
public sealed interface Print {

    default SketchKind kind() {
        return switch (this) {
            case Target target -> SketchKind.SIMHASH;
            case SketchTarget target -> SketchKind.MINHASH;
            case PassageTarget target -> SketchKind.PASSAGES;
        };
    }

    /** Whether it has more than a digest. A short text has not. */
    default boolean isWhole() {
        return switch (this) {
            case Target target -> target.bits.isPresent() || target.hash != null;
            case SketchTarget target -> target.sketch != null;
            case PassageTarget target -> true;
        };
    }

    /** Null if unknown. */
    String digest();

    /** The recipe's id; null if unknown, then prints of all schemes are compared. */
    String scheme();

    /**
     * The fingerprint that documents are compared with.
     *
     * @param bits the fingerprint of 64 bits; empty for a short text, which matches by digest only
     * @param hash the hash of 256 bits in place of a fingerprint, or null
     * @param digest the digest; null if unknown
     * @param scheme the recipe's id; null if unknown, then fingerprints of all schemes are compared
     */
    record Target(OptionalLong bits, LongHash hash, String digest, String scheme) implements Print {

        public Target {
            if (bits.isEmpty() && hash == null && digest == null) {
                throw new IllegalArgumentException("a target needs a fingerprint or a digest, got neither");
            }
        }

        public Target(OptionalLong bits, String digest, String scheme) {
            this(bits, null, digest, scheme);
        }

        public static Target of(LongHash hash, String scheme) {
            return new Target(OptionalLong.empty(), hash, null, scheme);
        }

        public static Target of(long bits) {
            return new Target(OptionalLong.of(bits), null, null);
        }

        /** Bits of the fingerprint: 64 or 256. */
        public int length() {
            return hash == null ? Long.SIZE : hash.length();
        }

        public String hex() {
            return hash == null ? Fingerprint.toHex(bits.getAsLong()) : hash.toHex();
        }

        /** A word of the fingerprint, the most significant first. */
        long word(int i) {
            return hash == null ? bits.getAsLong() : hash.word(i);
        }

        /** Number of bits in which another one of the same length differs; both have a fingerprint. */
        int distance(Target other) {
            return hash == null ? distance(other.bits.getAsLong()) : hash.distance(other.hash);
        }

        /** Positions of the bits in which another one of the same length differs; both have a fingerprint. */
        public List<Integer> differingBits(Target other) {
            return hash == null
                    ? Fingerprint.differingBits(bits.getAsLong(), other.bits.getAsLong())
                    : hash.differingBits(other.hash);
        }

        /** Number of bits in which {@code other} differs. The target must have a fingerprint. */
        int distance(long other) {
            return Long.bitCount(bits.getAsLong() ^ other);
        }
    }

    /**
     * The sketch that documents are compared with.
     *
     * @param sketch null for a short text, which matches by digest only
     * @param layout cuts the sketch into bands; null if unknown, then all documents are compared
     * @param digest null if unknown
     * @param scheme the recipe's id; null if unknown, then sketches of all schemes are compared
     */
    record SketchTarget(Sketch sketch, BandLayout layout, String digest, String scheme) implements Print {

        public SketchTarget {
            if (sketch == null && digest == null) {
                throw new IllegalArgumentException("a target needs a sketch or a digest, got neither");
            }
            layout = sketch == null ? null : layout;
        }
    }

    /**
     * The texts whose passages are looked for in documents.
     *
     * @param texts as they stand in the source
     * @param scheme of the recipe that cuts them into words
     */
    record PassageTarget(SourceTexts texts, String scheme) implements Print {

        public PassageTarget {
            Objects.requireNonNull(texts, "texts");
            Objects.requireNonNull(scheme, "scheme");
        }

        @Override
        public String digest() {
            return null;
        }
    }
}
