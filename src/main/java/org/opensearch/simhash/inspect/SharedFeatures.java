/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.fingerprint.SourceTexts.FieldTexts;

/**
 * Finds the features that many documents share (menus, templates, the commonest words) and proposes how much less they
 * should vote: {@code ln(1 / share) / ln(1 / maxShare)}, the inverse document frequency against that of a feature which is
 * just not damped (Sp\u00E4rck Jones 1972). A feature of all documents gets 0.
 *
 * <p>All features are counted by their hash, 40 bytes each; the text is kept only of those that may still turn out to be
 * shared, a few times the answer. Not thread-safe.
 */
public final class SharedFeatures {

    private static final int BYTES_PER_FEATURE = 40;
    /** Factors are for people to read: two decimals. */
    private static final double PRECISION = 100;

    /**
     * A feature that more than the allowed share of documents has.
     *
     * @param share of the documents, 0 to 1
     * @param factor proposed for {@code feature_weights}
     */
    public record SharedFeature(String feature, double share, double factor) {}

    private final Fingerprinter fingerprinter;
    private final double maxShare;
    private final LongConsumer memory;
    private final Map<Long, Integer> documentsByFeature = new HashMap<>();
    private final Map<Long, String> kept = new HashMap<>();
    private final Set<Long> ofDocument = new HashSet<>();
    private int documents;
    private long taken;

    /**
     * Nothing counted yet.
     *
     * @param maxShare greatest share of documents that a feature may be in without being damped
     * @param memory is told the bytes before they are taken, and may refuse them
     */
    public SharedFeatures(Fingerprinter fingerprinter, double maxShare, LongConsumer memory) {
        this.fingerprinter = fingerprinter;
        this.maxShare = maxShare;
        this.memory = memory;
    }

    int documents() {
        return documents;
    }

    /** Counts the features of one document. */
    public void add(SourceTexts texts) {
        documents++;
        ofDocument.clear();
        for (FieldTexts field : texts.fields()) {
            for (String value : field.values()) {
                fingerprinter.features(value, texts.language(), this::count);
            }
        }
    }

    /** The most shared first; at most as many as a recipe may hold. */
    public List<SharedFeature> propose() {
        List<SharedFeature> shared = new ArrayList<>();
        kept.forEach((hash, feature) -> {
            double share = (double) documentsByFeature.get(hash) / documents;
            if (share > maxShare) {
                shared.add(new SharedFeature(feature, share, factor(share)));
            }
        });
        shared.sort((a, b) -> a.share() != b.share()
                ? Double.compare(b.share(), a.share())
                : a.feature().compareTo(b.feature()));
        return shared.subList(0, Math.min(shared.size(), Recipe.MAX_FEATURE_WEIGHTS));
    }

    /** Gives the memory back. */
    void close() {
        memory.accept(-taken);
        taken = 0;
    }

    private void count(byte[] utf8, int offset, int length) {
        long hash = fingerprinter.recipe().hashFunction().hash(utf8, offset, length);
        if (ofDocument.add(hash) == false) {
            return;
        }
        int count = documentsByFeature.merge(hash, 1, Integer::sum);
        if (count == 1) {
            memory.accept(BYTES_PER_FEATURE);
            taken += BYTES_PER_FEATURE;
        }
        // A feature that is shared in the end was shared by the documents so far when it last came up.
        if (count > maxShare * documents && kept.containsKey(hash) == false) {
            kept.put(hash, new String(utf8, offset, length, StandardCharsets.UTF_8));
        }
    }

    private double factor(double share) {
        double factor = Math.log(share) / Math.log(maxShare);
        return Math.round(factor * PRECISION) / PRECISION + 0.0;
    }
}
