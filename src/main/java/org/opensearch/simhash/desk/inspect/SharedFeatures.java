/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.UnicodeUtil;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * Finds features that many documents share and proposes factors: {@code ln(1 / share) / ln(1 / maxShare)}, the inverse document
 * frequency relative to a feature that is just not damped (Sp\u00E4rck Jones 1972). All are counted by hash; texts are kept only
 * for features that may still be shared. Not thread-safe.
 */
public final class SharedFeatures implements AutoCloseable {

    /** Map entry, key, {@link Seen}, and its entry in a document's list. */
    private static final int BYTES_PER_FEATURE = 112;
    /** A string without its characters. */
    private static final int BYTES_PER_TEXT = 56;
    /** Two decimals, for readability. */
    private static final double PRECISION = 100;

    /** A feature in more than the allowed share of documents, and the factor that is proposed for it. */
    public record SharedFeature(String feature, double share, double factor) {}

    private static final class Seen {
        private final long hash;
        private int inDocuments;
        /** Number of the last document that had it. */
        private int last;
        /** Null while too few documents share it. */
        private String text;

        Seen(long hash) {
            this.hash = hash;
        }
    }

    private final double maxShare;
    private final Account memory;
    private final Map<Long, Seen> features = new HashMap<>();
    /** Features of the current document, to take back if it turns out unreadable. */
    private final List<Seen> counted = new ArrayList<>();

    private int documents;

    public SharedFeatures(double maxShare, LongConsumer memory) {
        this.maxShare = maxShare;
        this.memory = new Account(memory);
    }

    int documents() {
        return documents;
    }

    /** @throws UnreadableTextException if a document is unreadable; it does not count then */
    public void add(Fingerprinter fingerprinter, SourceTexts texts) {
        documents++;
        try {
            fingerprinter.features(texts, (hash, kind, utf8, offset, length) -> count(utf8, offset, length), memory);
        } catch (UnreadableTextException e) {
            documents--;
            counted.forEach(this::takeBack);
            throw e;
        } finally {
            counted.clear();
        }
    }

    /** The most shared first; at most as many as a recipe may hold. */
    public List<SharedFeature> propose() {
        List<SharedFeature> shared = new ArrayList<>();
        for (Seen feature : features.values()) {
            double share = (double) feature.inDocuments / documents;
            if (feature.text != null && share > maxShare) {
                shared.add(new SharedFeature(feature.text, share, factor(share)));
            }
        }
        shared.sort((a, b) -> a.share() != b.share()
                ? Double.compare(b.share(), a.share())
                : a.feature().compareTo(b.feature()));
        return shared.subList(0, Math.min(shared.size(), Recipe.MAX_FEATURE_WEIGHTS));
    }

    @Override
    public void close() {
        memory.close();
    }

    private void count(byte[] utf8, int offset, int length) {
        // Always this hash: the sample may have documents of several recipes.
        long hash = HashFunction.XXH3.hash(utf8, offset, length);
        Seen feature = features.get(hash);
        if (feature == null) {
            memory.take(BYTES_PER_FEATURE);
            feature = new Seen(hash);
            features.put(hash, feature);
        }
        if (feature.last == documents) {
            return;
        }
        feature.last = documents;
        feature.inDocuments++;
        counted.add(feature);
        // A feature that is shared at the end was shared enough at its last occurrence.
        if (feature.text == null && isShared(feature)) {
            memory.take(BYTES_PER_TEXT + (long) length);
            feature.text = new String(utf8, offset, length, StandardCharsets.UTF_8);
        }
    }

    private boolean isShared(Seen feature) {
        return feature.inDocuments > Math.max(1, maxShare * documents);
    }

    private void takeBack(Seen feature) {
        feature.inDocuments--;
        // The next document gets the same number.
        feature.last = 0;
        if (feature.text != null && isShared(feature) == false) {
            int length = UnicodeUtil.calcUTF16toUTF8Length(feature.text, 0, feature.text.length());
            memory.give(BYTES_PER_TEXT + (long) length);
            feature.text = null;
        }
        if (feature.inDocuments == 0) {
            features.remove(feature.hash);
            memory.give(BYTES_PER_FEATURE);
        }
    }

    private double factor(double share) {
        double factor = Math.log(share) / Math.log(maxShare);
        return Math.round(factor * PRECISION) / PRECISION + 0.0;
    }
}
