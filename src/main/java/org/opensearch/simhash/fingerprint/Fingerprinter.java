/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.fingerprint.SourceTexts.FieldTexts;

/**
 * A recipe at work: texts to {@link Fingerprint}. Each text is analysed once; from its tokens flow the digest, the distinct
 * features and the votes. The same texts give the same fingerprint on every node, JVM and locale.
 *
 * <p>Cost: one analysis pass; per feature one hash, one table access and, per distinct feature, one vote of 16 additions.
 * Memory: 20 to 60 bytes per distinct feature. For use by any number of threads.
 */
public final class Fingerprinter {

    /** Copies of a text on its way: extracted, normalised, in UTF-16. */
    private static final int BYTES_PER_CHARACTER = 4;

    private final Recipe recipe;
    private final LanguageAnalyzers analyzers;
    private final FeatureFactors factors;
    private final String scheme;
    private final ThreadLocal<Workspace> workspaces;

    public Fingerprinter(Recipe recipe, LanguageAnalyzers analyzers) {
        this.recipe = recipe;
        this.analyzers = analyzers;
        this.factors = new FeatureFactors(recipe.featureWeights(), recipe.hashFunction());
        this.scheme = recipe.scheme();
        this.workspaces = ThreadLocal.withInitial(() -> new Workspace(recipe));
    }

    public Recipe recipe() {
        return recipe;
    }

    public String scheme() {
        return scheme;
    }

    /** The analyzer that texts of a language go through. */
    public Analyzer analyzer(String language) {
        return analyzers.of(language);
    }

    /** The text as it goes into analysis: markup away as the recipe says, normalised. */
    public String prepare(String text) {
        return TextNormalizer.normalize(recipe.html().apply(text));
    }

    /**
     * Computes the fingerprint of a document's texts.
     *
     * @param memory is told the bytes before large buffers are taken, and may refuse them with an exception; all that it was
     *     told is taken back, as a negative number, before this returns or fails
     */
    public Fingerprint fingerprint(SourceTexts texts, LongConsumer memory) {
        Account account = new Account(memory);
        try {
            return compute(texts, account);
        } finally {
            account.close();
        }
    }

    /** Sends each occurrence of each feature of a text to the sink: what the fingerprint is made of. */
    public void features(String text, String language, FeatureSink sink) {
        Shingles shingles = new Shingles(recipe.minShingleSize(), recipe.maxShingleSize(), sink);
        analyze(prepare(text), analyzers.of(language), shingles);
    }

    private Fingerprint compute(SourceTexts texts, LongConsumer memory) {
        Workspace work = workspaces.get();
        work.clear(memory);
        Analyzer analyzer = analyzers.of(texts.language());
        boolean severalFields = texts.fields().size() > 1;
        int features = 0;
        for (FieldTexts field : texts.fields()) {
            for (String value : field.values()) {
                memory.accept((long) BYTES_PER_CHARACTER * value.length());
                String text = prepare(value);
                if (analyze(text, analyzer, work.shingles) == 0) {
                    work.shingles.symbols(text);
                }
            }
            features += vote(work, field.weight(), severalFields);
            if (severalFields) {
                work.counts.clear(memory);
            }
        }
        OptionalLong bits =
                features < recipe.minFeatures() ? OptionalLong.empty() : OptionalLong.of(work.votes.fingerprint());
        return new Fingerprint(bits, work.shingles.digest(), features, scheme);
    }

    /** Returns the number of tokens. */
    private static int analyze(String text, Analyzer analyzer, Shingles shingles) {
        try (TokenStream tokens = analyzer.tokenStream("simhash", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                shingles.token(term.buffer(), term.length());
            }
            tokens.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return shingles.endText();
    }

    /** Lets the counted features of a field vote. Returns how many of them no field before had. */
    private int vote(Workspace work, double fieldWeight, boolean severalFields) {
        FeatureCounts counts = work.counts;
        boolean plain = fieldWeight == 1 && factors.isEmpty();
        int seenFirst = 0;
        for (int i = 0; i < counts.size(); i++) {
            long hash = counts.hash(i);
            long weight = recipe.weighting().weight(counts.count(i));
            if (plain == false) {
                double factor = factors.factor(hash);
                // What is damped hard still has a voice; only a factor of 0 takes a feature out.
                weight = factor == 0 ? 0 : Math.max(1, Math.round(weight * fieldWeight * factor));
            }
            if (weight > 0) {
                work.votes.add(hash, weight);
                if (severalFields == false || work.distinct.add(hash)) {
                    seenFirst++;
                }
            }
        }
        return seenFirst;
    }

    /**
     * What a thread works with, kept from text to text: fresh buffers come from cold memory, and for a text of 200 words that
     * costs as much as hashing it.
     */
    private static final class Workspace {

        final FeatureCounts counts = new FeatureCounts();
        final FeatureCounts distinct = new FeatureCounts();
        final BitVotes votes = new BitVotes();
        final Shingles shingles;

        Workspace(Recipe recipe) {
            HashFunction hashFunction = recipe.hashFunction();
            this.shingles = new Shingles(
                    recipe.minShingleSize(),
                    recipe.maxShingleSize(),
                    (utf8, offset, length) -> counts.add(hashFunction.hash(utf8, offset, length)));
        }

        void clear(LongConsumer memory) {
            counts.clear(memory);
            distinct.clear(memory);
            votes.clear();
            shingles.clear();
        }
    }

    /** Takes back at the end what it passed on. */
    private static final class Account implements LongConsumer, AutoCloseable {

        private final LongConsumer memory;
        private long taken;

        Account(LongConsumer memory) {
            this.memory = memory;
        }

        @Override
        public void accept(long bytes) {
            memory.accept(bytes);
            taken += bytes;
        }

        @Override
        public void close() {
            memory.accept(-taken);
        }
    }
}
