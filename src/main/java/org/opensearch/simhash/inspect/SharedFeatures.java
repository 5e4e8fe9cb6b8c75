/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.UnicodeUtil;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.HashFunction;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.fingerprint.UnreadableTextException;
import org.opensearch.simhash.memory.Account;

/**
 * Finds the features that many documents share (menus, templates, the commonest words) and proposes how much less they
 * should vote: {@code ln(1 / share) / ln(1 / maxShare)}, the inverse document frequency against that of a feature which is
 * just not damped (Sp\u00E4rck Jones 1972). A feature of all documents gets 0; one of a single document is not shared.
 *
 * <p>All features are counted by their hash, {@value #BYTES_PER_FEATURE} bytes each; the text is kept only of those that may
 * still turn out to be shared. Not thread-safe.
 */
public final class SharedFeatures implements AutoCloseable {

    /** Map entry, key, {@link Seen}, and its place among those of a document. */
    private static final int BYTES_PER_FEATURE = 112;
    /** A string without its characters. */
    private static final int BYTES_PER_TEXT = 56;
    /** Factors are for people to read: two decimals. */
    private static final double PRECISION = 100;

    /**
     * A feature that more than the allowed share of documents has.
     *
     * @param share of the documents, 0 to 1
     * @param factor proposed for {@code feature_weights}
     */
    public record SharedFeature(String feature, double share, double factor) {}

    /** What is known of a feature. */
    private static final class Seen {
        private final long hash;
        private int inDocuments;
        /** The number of the last document that had it. */
        private int last;
        /** Null as long as it is not shared by enough. */
        private String text;

        Seen(long hash) {
            this.hash = hash;
        }
    }

    private final double maxShare;
    private final Account memory;
    private final Map<Long, Seen> features = new HashMap<>();
    /** Those of the document that is being counted: a text may turn out to be unreadable at its last word. */
    private final List<Seen> counted = new ArrayList<>();

    private int documents;

    /**
     * Nothing counted yet.
     *
     * @param maxShare greatest share of documents that a feature may be in without being damped
     * @param memory is told the bytes before they are taken, and may refuse them
     */
    public SharedFeatures(double maxShare, LongConsumer memory) {
        this.maxShare = maxShare;
        this.memory = new Account(memory);
    }

    int documents() {
        return documents;
    }

    /**
     * Counts the features of one document.
     *
     * @throws UnreadableTextException when it cannot be read to its end, and does not count
     */
    public void add(Fingerprinter fingerprinter, SourceTexts texts) {
        documents++;
        try {
            fingerprinter.features(texts, this::count, memory);
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

    /** Gives the memory back. */
    @Override
    public void close() {
        memory.close();
    }

    private void count(byte[] utf8, int offset, int length) {
        // Whatever hash the recipe has: documents of several recipes may be in the sample.
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
        // A feature that is shared in the end was shared by the documents so far when it last came up.
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
        // The next document has the number of this one.
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
