/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.ingest.DocumentValues.TargetFields;

/**
 * A fingerprint in a document. Clients that read numbers as doubles, such as JavaScript, write back rounded
 * {@code bits}. The {@code hash} beside them is text and stays correct.
 */
public final class StoredFingerprint {

    /** Equal in two objects that are of one text and of one recipe. Terms stand for the digest, which passages lack. */
    private static final List<String> OF_TEXT = List.of(
            FingerprintFields.HASH,
            FingerprintFields.SKETCH,
            FingerprintFields.TERMS,
            FingerprintFields.DIGEST,
            FingerprintFields.SCHEME);

    /** What processors write of some texts only. The rest of an object is others': a group, decisions, sizes. */
    private static final Set<String> MADE = Stream.concat(FingerprintFields.all(), Stream.of(FingerprintFields.BANDS))
            .collect(Collectors.toUnmodifiableSet());

    private StoredFingerprint() {}

    public static boolean areOfOneText(Map<?, ?> one, Map<?, ?> other) {
        return OF_TEXT.stream().allMatch(part -> Objects.equals(one.get(part), other.get(part)));
    }

    /**
     * Adds to a new print what others wrote beside that of an earlier version, if both are of one text.
     *
     * @return whether others wrote something beside that of another text
     */
    static boolean keep(List<?> earlier, Map<String, Object> made) {
        Map<?, ?> before = earlier.size() == 1 && earlier.getFirst() instanceof Map<?, ?> one ? one : Map.of();
        boolean isOfText = areOfOneText(before, made);
        before.forEach((name, value) -> {
            if (isOfText && MADE.contains(name) == false) {
                made.putIfAbsent(name.toString(), value);
            }
        });
        return isOfText == false && MADE.containsAll(before.keySet()) == false;
    }

    public static boolean areBitsOf(Object stored, long bits) {
        return stored instanceof Number number
                ? isWhole(number) && number.longValue() == bits
                : Long.toString(bits).equals(stored);
    }

    /** Whether a fingerprint of a document has {@code bits} that are not those of its {@code hash}. */
    public static boolean isRounded(String path, Map<String, Object> document) {
        return DocumentValues.objectsAt(path, document).stream()
                .anyMatch(object -> object instanceof Map<?, ?> parts && isRounded(parts));
    }

    static boolean isRounded(Map<?, ?> parts) {
        return areNotThoseOfHash(parts)
                && parts.get(FingerprintFields.bits(Byte.SIZE
                                / 2
                                * parts.get(FingerprintFields.HASH).toString().length()))
                        != null;
    }

    private static boolean areNotThoseOfHash(Map<?, ?> parts) {
        return isHash(parts.get(FingerprintFields.HASH)) && areBitsRight(parts) == false;
    }

    static boolean isHash(Object typed) {
        return typed instanceof String hash && (Fingerprint.isHex(hash, 16) || LongHash.isHex(hash));
    }

    private static boolean isWhole(Number number) {
        return number instanceof Long || number instanceof Integer;
    }

    /**
     * Rewrites {@code bits} and segments from {@code hash}. A fingerprint without hash stays.
     *
     * @return whether anything was wrong
     */
    public static boolean mend(Map<String, Object> parts) {
        if (isHash(parts.get(FingerprintFields.HASH)) == false) {
            return false;
        }
        String hash = (String) parts.get(FingerprintFields.HASH);
        boolean isChanged = areBitsRight(parts) == false;
        if (isChanged && LongHash.isHex(hash)) {
            LongHash bits = LongHash.fromHex(hash);
            parts.put(FingerprintFields.bits(bits.length()), bits.toBase64());
        } else if (isChanged) {
            Long bits = Fingerprint.fromHex(hash);
            boolean isText = parts.get(FingerprintFields.BITS) instanceof String;
            parts.put(FingerprintFields.BITS, isText ? bits.toString() : bits);
        }
        String[] terms = terms(hash, segments(parts));
        if (terms == null) {
            terms = terms(hash, SegmentLayout.USUAL * hash.length() / 16);
        }
        for (int i = 0; i < terms.length; i++) {
            isChanged |= terms[i].equals(parts.put(FingerprintFields.segment(i), terms[i])) == false;
        }
        return isChanged;
    }

    /** Whether the number or the Base64 text beside a valid {@code hash} is that of the hash. */
    public static boolean areBitsRight(Map<?, ?> parts) {
        String hash = (String) parts.get(FingerprintFields.HASH);
        if (LongHash.isHex(hash)) {
            LongHash bits = LongHash.fromHex(hash);
            return bits.toBase64().equals(parts.get(FingerprintFields.bits(bits.length())));
        }
        return areBitsOf(parts.get(FingerprintFields.BITS), Fingerprint.fromHex(hash));
    }

    /** Whether the segments beside a valid {@code hash} are slices of it. */
    public static boolean areSegmentsRight(Map<?, ?> parts) {
        String[] terms = terms((String) parts.get(FingerprintFields.HASH), segments(parts));
        return terms != null
                && IntStream.range(0, terms.length)
                        .allMatch(i -> terms[i].equals(parts.get(FingerprintFields.segment(i))));
    }

    /** The terms of a valid hash; null if it cannot be cut into so many. */
    private static String[] terms(String hash, int segments) {
        if (LongHash.isHex(hash)) {
            LongHash bits = LongHash.fromHex(hash);
            boolean isLayout = SegmentLayout.isOfWords(segments, bits.words());
            return isLayout ? new SegmentLayout(segments, bits.words()).terms(bits) : null;
        }
        boolean isLayout = segments >= SegmentLayout.MIN && segments <= SegmentLayout.MAX;
        return isLayout ? new SegmentLayout(segments).terms(Fingerprint.fromHex(hash)) : null;
    }

    private static int segments(Map<?, ?> parts) {
        int segments = 0;
        while (segments < SegmentLayout.MAX_OF_WORDS && parts.get(FingerprintFields.segment(segments)) != null) {
            segments++;
        }
        return segments;
    }

    /**
     * Mends all fingerprints of a document.
     *
     * @return whether anything was wrong
     */
    @SuppressWarnings("unchecked") // from JSON
    public static boolean mendAll(String path, Map<String, Object> document) {
        List<Object> objects = DocumentValues.at(path, document);
        boolean isChanged = false;
        for (Object object : objects) {
            isChanged |= object instanceof Map<?, ?> parts && mend((Map<String, Object>) parts);
        }
        List<Object> dotted = objects.isEmpty() ? DocumentValues.objectsAt(path, document) : List.of();
        if (dotted.size() == 1 && mend((Map<String, Object>) dotted.getFirst())) {
            // Names with dots, without an object in the document.
            TargetFields.removeAll(document, path);
            document.put(path, dotted.getFirst());
            isChanged = true;
        }
        return isChanged;
    }

    /** Mends fingerprints whose {@code bits} differ from {@code hash} or are left out, in a document to be indexed. */
    public static void mend(IngestDocument document, String path) {
        DocumentValues.at(path, document.getSourceAndMetadata()).forEach(StoredFingerprint::mendBits);
        // Names with dots have no object to change.
        List<Object> dotted = DocumentValues.objectsAt(path, document.getSourceAndMetadata());
        if (dotted.size() == 1 && mendBits(dotted.getFirst())) {
            TargetFields.replace(document, path, dotted.getFirst());
        }
    }

    @SuppressWarnings("unchecked") // from JSON
    private static boolean mendBits(Object object) {
        return object instanceof Map<?, ?> parts && areNotThoseOfHash(parts) && mend((Map<String, Object>) parts);
    }

    /**
     * Which bits of imported hashes vary. A hash of fewer bits, or one that a client rounded or cut, has some that never do, and so do
     * hashes that are all the same because the source left them at a default. Distances between such hashes mean less than 64 bits do.
     */
    public static final class HashBits {

        /** So many different hashes tell which bits vary. */
        private static final int LEAST_HASHES = 20;
        /** So many hashes tell it too if few of them differ: that many copies of fewer than 20 contents are improbable. */
        private static final int LEAST_LOOKED_AT = 100;

        private static final int LEAST_BITS = 48;

        private final Set<Long> hashes = new HashSet<>();
        private int lookedAt;

        /** @param fingerprint what is no imported hash of 64 bits is passed over */
        public void add(Object fingerprint) {
            if (fingerprint instanceof Map<?, ?> parts
                    && parts.get(FingerprintFields.HASH) instanceof String hash
                    && Fingerprint.isHex(hash, 16)
                    && Freshness.isGiven(String.valueOf(parts.get(FingerprintFields.SCHEME)))) {
                hashes.add(Fingerprint.fromHex(hash));
                lookedAt++;
            }
        }

        public int hashes() {
            return hashes.size();
        }

        /** Whether enough hashes were looked at, and fewer than 48 bits vary in them. */
        public boolean areConstant() {
            return (hashes.size() >= LEAST_HASHES || lookedAt >= LEAST_LOOKED_AT) && varying() < LEAST_BITS;
        }

        /** Bits that vary. A bit varies if one different hash in a hundred differs from the others there. */
        public int varying() {
            int varying = 0;
            for (int i = 0; i < Long.SIZE; i++) {
                long bit = 1L << i;
                long ones = hashes.stream().filter(hash -> (hash & bit) != 0).count();
                if (ones > 0 && ones < hashes.size() && 100 * Math.min(ones, hashes.size() - ones) >= hashes.size()) {
                    varying++;
                }
            }
            return varying;
        }

        @Override
        public String toString() {
            return hashes.size() == 1
                    ? "all of " + lookedAt + " imported hashes are the same"
                    : hashes.size() + " different imported hashes vary in " + varying() + " of 64 bits";
        }
    }
}
