/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.quality.Fingerprints;
import org.opensearch.simhash.search.ingest.TextProcessor;

/**
 * What the processor makes of a text and of a variant of it.
 *
 * @param distance 65 when one of them has no bits
 */
record Outcome(Variant variant, int distance, String digest, String digestOfVariant) {

    static Outcome of(Variant variant, TextProcessor processor) {
        Map<String, Object> text = Fingerprints.process(variant.text(), variant.language(), processor);
        Map<String, Object> other = Fingerprints.process(variant.variant(), variant.language(), processor);
        int distance = text.get(FingerprintFields.BITS) instanceof Long a
                        && other.get(FingerprintFields.BITS) instanceof Long b
                ? Fingerprint.distance(a, b)
                : Long.SIZE + 1;
        return new Outcome(variant, distance, (String) text.get(FingerprintFields.DIGEST), (String)
                other.get(FingerprintFields.DIGEST));
    }

    /** What of the claim does not hold, with the texts from a little before where they part. */
    Optional<String> broken() {
        return variant.claim()
                .broken(distance, digest.equals(digestOfVariant))
                .map(what -> String.format(
                        Locale.ROOT,
                        "%s, %s, %s: %s, %s and %s, [%s] and [%s]",
                        variant.language(),
                        variant.kind(),
                        variant.form(),
                        what,
                        digest,
                        digestOfVariant,
                        excerpt(variant.text()),
                        excerpt(variant.variant())));
    }

    private String excerpt(String text) {
        int same = 0;
        int most = Math.min(variant.text().length(), variant.variant().length());
        while (same < most && variant.text().charAt(same) == variant.variant().charAt(same)) {
            same++;
        }
        return text.substring(Math.max(0, same - 12), Math.min(text.length(), same + 12));
    }
}
