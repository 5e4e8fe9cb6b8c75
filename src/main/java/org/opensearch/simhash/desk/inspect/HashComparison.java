/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.HashMakers;

/** Compares two hashes that stand for something other than texts: given ones, those of images, those that documents hold. */
record HashComparison(Comparison wanted, HashMakers makers) {

    private static final int BITS_OF_A_DIGIT = 4;

    /** @param hash in hex digits; null if there is none, as of a blank page */
    private record Hashed(String hash, String scheme) {

        static Hashed of(Map<?, ?> fields) {
            Object hash = fields.get(FingerprintFields.HASH);
            Object scheme = fields.get(FingerprintFields.SCHEME);
            return new Hashed(
                    hash instanceof String hex ? requireHex(hex) : null, scheme instanceof String s ? s : null);
        }

        int bits() {
            return BITS_OF_A_DIGIT * hash.length();
        }

        Map<String, Object> asMap() {
            Map<String, Object> fields = new HashMap<>();
            fields.put("hash", hash);
            fields.put("scheme", scheme);
            return fields;
        }
    }

    /** @throws IllegalArgumentException if a side has no such hash, or their lengths differ */
    JsonResponse of(InspectedText a, InspectedText b) {
        Hashed left = hashed("a", a);
        Hashed right = hashed("b", b);
        boolean isKnown = left.hash != null && right.hash != null;
        if (isKnown && left.bits() != right.bits()) {
            throw new IllegalArgumentException(
                    "[a] and [b] must be hashes of one length, got: " + left.bits() + " and " + right.bits() + " bits");
        }
        List<Integer> bits = isKnown ? differingBits(left, right) : null;
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("distance", bits == null ? null : bits.size());
        answer.put("differing_bits", bits);
        answer.put("a", left.asMap());
        answer.put("b", right.asMap());
        return new JsonResponse(answer);
    }

    private static List<Integer> differingBits(Hashed a, Hashed b) {
        BigInteger differing = new BigInteger(a.hash, 16).xor(new BigInteger(b.hash, 16));
        return IntStream.range(0, a.bits()).filter(differing::testBit).boxed().toList();
    }

    private Hashed hashed(String name, InspectedText side) {
        wanted.work().check();
        if (side.hash() != null) {
            return new Hashed(requireHex(side.hash()), null);
        }
        if (side.image() != null) {
            return Hashed.of(makers.ofImage(side.image(), name + ".image", 1).getFirst());
        }
        if (side.id() != null) {
            return stored(side);
        }
        return makers.isEmpty() || side.text() != null
                ? ofText(name, side)
                : Hashed.of(makers.ofDocument(side.document(), name + ".document", 1)
                        .getFirst());
    }

    private static String requireHex(String hash) {
        if (Fingerprint.isHex(hash, Long.SIZE / BITS_OF_A_DIGIT) == false && LongHash.isHex(hash) == false) {
            throw new IllegalArgumentException(Fingerprint.HASH_RULE + ", got: " + TypedNumber.shown(hash));
        }
        return hash;
    }

    private Hashed stored(InspectedText side) {
        List<Object> fields = DocumentValues.objectsAt(wanted.request().field, side.document());
        if (fields.size() == 1 && fields.getFirst() instanceof Map<?, ?> found) {
            return Hashed.of(found);
        }
        throw new IllegalArgumentException(side.name() + " must have one fingerprint in [field], which is ["
                + wanted.request().field + "], got: " + (fields.isEmpty() ? "none" : fields.size()));
    }

    private Hashed ofText(String name, InspectedText side) {
        if (makers.isEmpty() == false) {
            throw new IllegalArgumentException("[" + name
                    + ".text] needs a pipeline that makes fingerprints of texts, got" + " one that writes the scheme ["
                    + makers.scheme() + "] into [" + wanted.request().field + "]");
        }
        Fingerprinter fingerprinter = wanted.reading(side);
        Fingerprint fingerprint = fingerprinter.fingerprint(side.sourceTexts(fingerprinter), wanted.work());
        return new Hashed(
                fingerprint.bits().isPresent()
                        ? Fingerprint.toHex(fingerprint.bits().getAsLong())
                        : null,
                fingerprinter.scheme());
    }
}
