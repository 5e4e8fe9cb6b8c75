/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.SourceTexts.FieldTexts;
import org.opensearch.simhash.memory.Account;

/**
 * Makes a {@link Fingerprint} of texts by a recipe. Each text is analysed once; the tokens give the digest, the
 * distinct features and the votes. The same texts give the same fingerprint on every node, JVM and locale.
 *
 * <p>Cost: one analysis pass; one hash per token, one table access per feature, and one vote of 16 additions per
 * distinct feature. Memory: 20 to 60 bytes per distinct feature. Thread-safe.
 */
public final class Fingerprinter {

    private final Recipe recipe;
    private final LanguageAnalyzers analyzers;
    private final FeatureFactors factors;
    private final TextAnalysis analysis;
    private final String scheme;
    private final ThreadLocal<Workspace> workspaces;

    public Fingerprinter(Recipe recipe, LanguageAnalyzers analyzers) {
        this(recipe, analyzers, new FingerprintBuffers());
    }

    /** @param buffers may be shared with other recipes */
    public Fingerprinter(Recipe recipe, LanguageAnalyzers analyzers, FingerprintBuffers buffers) {
        this.recipe = recipe;
        this.analyzers = analyzers;
        this.factors = new FeatureFactors(recipe.featureWeights(), recipe.hashFunction(), folding(recipe));
        this.analysis = new TextAnalysis(recipe.html(), recipe.folding());
        this.scheme = recipe.scheme();
        this.workspaces = ThreadLocal.withInitial(() -> new Workspace(recipe, buffers.ofThread()));
    }

    public Recipe recipe() {
        return recipe;
    }

    public String scheme() {
        return scheme;
    }

    /**
     * The analyzer for a text.
     *
     * @param language of the document, or null if unknown
     * @param prepared text from {@link #prepare}, from which a missing language is detected if the recipe says so
     */
    public Analyzer analyzer(String language, String prepared) {
        return analyzers.of(language, prepared);
    }

    /** The folding by which texts are compared. */
    public Folding folding() {
        return recipe.folding() ? Folding.LETTERS : Folding.CASE;
    }

    /** The text as analysis gets it: extracted from HTML as the recipe says, and normalised. */
    public String prepare(String text) {
        return prepare(text, bytes -> {});
    }

    /**
     * Computes the fingerprint of a document's texts.
     *
     * @param memory receives the bytes before large buffers are allocated, and 0 every few thousand tokens. It may
     *     refuse either with an exception. All bytes are given back, as a negative number, before this method returns
     *     or fails
     */
    public Fingerprint fingerprint(SourceTexts texts, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            return compute(texts, account);
        }
    }

    /**
     * Sends each occurrence of each feature of a document's texts to the sink.
     *
     * @param memory as for {@link #fingerprint}
     */
    public void features(SourceTexts texts, FeatureSink sink, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            Analyzer analyzer = analyzer(texts, account);
            SpelledFeatures.Sink spelled =
                    (hash, character, utf8, offset, length) -> sink.feature(utf8, offset, length);
            texts.fields().forEach(field -> features(field, analyzer, spelled, account));
        }
    }

    void features(FieldTexts field, Analyzer analyzer, SpelledFeatures.Sink sink, LongConsumer memory) {
        Shingles shingles = shingles(recipe, new SpelledFeatures(sink, memory));
        shingles.accountOn(memory);
        for (String value : field.values()) {
            analysis.analyze(value, analyzer, shingles, memory);
        }
    }

    /**
     * The heaviest features, heaviest first; ties are in the order of their text.
     *
     * @param limit most features to return
     * @param memory as for {@link #fingerprint}
     */
    public List<WeightedFeature> heaviestFeatures(SourceTexts texts, int limit, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            return new HeaviestFeatures(this, factors, account).of(texts, limit);
        }
    }

    /** The analyzer for the whole document. One value may be too short to detect its language. */
    Analyzer analyzer(SourceTexts texts, LongConsumer memory) {
        if (texts.language() != null || analyzers.detector() == null) {
            return analyzers.of(texts.language());
        }
        StringBuilder sample = new StringBuilder();
        try (Account account = new Account(memory)) {
            for (FieldTexts field : texts.fields()) {
                for (String value : field.values()) {
                    if (LanguageDetector.isFull(sample) == false) {
                        LanguageDetector.sample(prepare(value, account), sample);
                    }
                }
            }
        }
        return analyzers.of(null, sample.toString());
    }

    /**
     * The text as analysis gets it.
     *
     * @param memory receives the bytes before they are allocated, and may refuse them with an exception. The caller
     *     gives back the bytes of the result
     */
    public String prepare(String text, LongConsumer memory) {
        return analysis.prepare(text, memory);
    }

    private Fingerprint compute(SourceTexts texts, LongConsumer memory) {
        Workspace work = workspaces.get();
        work.accountOn(memory);
        try {
            return compute(texts, work, memory);
        } finally {
            // Now, not with the next text: the thread may wait long for it.
            work.clear();
        }
    }

    private Fingerprint compute(SourceTexts texts, Workspace work, LongConsumer memory) {
        Analyzer analyzer = analyzer(texts, memory);
        FeatureCounts counts = work.buffers.counts;
        FeatureCounts characters = work.buffers.characters;
        boolean severalFields = texts.fields().size() > 1;
        int features = 0;
        for (FieldTexts field : texts.fields()) {
            for (String value : field.values()) {
                analysis.analyze(value, analyzer, work.shingles, memory);
            }
            features += vote(work.buffers, counts, field.weight(), severalFields);
            features += vote(work.buffers, characters, field.weight() * CharacterFeatures.WEIGHT, severalFields);
            if (severalFields) {
                counts.clear();
                characters.clear();
            }
        }
        OptionalLong bits = features < recipe.minFeatures()
                ? OptionalLong.empty()
                : OptionalLong.of(work.buffers.votes.fingerprint());
        return new Fingerprint(bits, work.shingles.digest(), features, scheme);
    }

    /** Lets the counted features of a field vote. Returns how many of them no earlier field had. */
    private int vote(
            FingerprintBuffers.OfThread buffers, FeatureCounts counts, double fieldWeight, boolean severalFields) {
        if (fieldWeight == 1 && factors.isEmpty()) {
            counts.vote(buffers.votes, recipe.weighting());
            return severalFields ? countFirst(buffers, counts) : counts.size();
        }
        int seenFirst = 0;
        int size = counts.size();
        for (int i = 0; i < size; i++) {
            long hash = counts.hash(i);
            double factor = factors.factor(hash);
            // A small factor still leaves a vote. Only a factor of 0 removes a feature.
            if (factor > 0) {
                long weight = recipe.weighting().weight(counts.count(i));
                buffers.votes.add(hash, Math.max(1, Math.round(weight * fieldWeight * factor)));
                if (severalFields == false || buffers.distinct.isFirst(hash)) {
                    seenFirst++;
                }
            }
        }
        return seenFirst;
    }

    private static int countFirst(FingerprintBuffers.OfThread buffers, FeatureCounts counts) {
        int seenFirst = 0;
        for (int i = 0; i < counts.size(); i++) {
            seenFirst += buffers.distinct.isFirst(counts.hash(i)) ? 1 : 0;
        }
        return seenFirst;
    }

    private static Shingles shingles(Recipe recipe, Features features) {
        return new Shingles(
                recipe.minShingleSize(), recipe.maxShingleSize(), recipe.hashFunction(), recipe.folding(), features);
    }

    private static Folding folding(Recipe recipe) {
        return recipe.folding() ? Folding.LETTERS : null;
    }

    /** The working memory of a thread. */
    private static final class Workspace {

        final FingerprintBuffers.OfThread buffers;
        final Shingles shingles;

        Workspace(Recipe recipe, FingerprintBuffers.OfThread buffers) {
            this.buffers = buffers;
            FeatureCounts characters = CharacterFeatures.areDamped(recipe) ? buffers.characters : buffers.counts;
            this.shingles = shingles(recipe, new CountedFeatures(buffers.counts, characters));
        }

        void accountOn(LongConsumer memory) {
            buffers.accountOn(memory);
            shingles.accountOn(memory);
        }

        void clear() {
            buffers.clear();
            shingles.clear();
        }
    }
}
