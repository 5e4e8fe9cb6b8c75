/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.WeightedFeature;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.fingerprint.Shingles.Features;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CutText;
import org.opensearch.simhash.core.passages.Winnowing;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

/**
 * Makes a {@link Fingerprint}, a {@link SketchedText} or terms of passages of texts by a recipe. The same texts give the same result on
 * every node, JVM and locale. Two recipes that cut a text into the same tokens analyse it once, if one comes right after the other.
 *
 * <p>Cost: one analysis pass; one hash per token, one table access per feature, one vote of 16 additions per distinct
 * feature. Memory: 20 to 60 bytes per distinct feature. Thread-safe.
 */
public final class Fingerprinter {

    private final Recipe recipe;
    private final LanguageAnalyzers analyzers;
    private final FeatureFactors factors;
    private final TextAnalysis analysis;
    private final String scheme;
    private final String cut;
    private final Buffers buffers;
    private final ThreadLocal<Workspace> workspaces;

    public Fingerprinter(Recipe recipe, LanguageAnalyzers analyzers) {
        this(recipe, analyzers, new Buffers());
    }

    /** @param buffers may be shared with other recipes */
    public Fingerprinter(Recipe recipe, LanguageAnalyzers analyzers, Buffers buffers) {
        this.recipe = recipe;
        this.analyzers = analyzers;
        this.factors = new FeatureFactors(recipe.featureWeights(), recipe.hashFunction());
        this.analysis = new TextAnalysis(recipe.html(), recipe.strip());
        this.scheme = recipe.scheme();
        this.cut = recipe.analysis();
        this.buffers = buffers;
        this.workspaces = ThreadLocal.withInitial(() -> new Workspace(recipe, buffers.ofThread()));
    }

    /** Makes the default sketch of the same tokens. */
    public Fingerprinter sketching() {
        return new Fingerprinter(recipe.sketching(), analyzers, buffers);
    }

    public Recipe recipe() {
        return recipe;
    }

    public String scheme() {
        return scheme;
    }

    /** The analyzer for a prepared text, which tells a missing language if the recipe says so. */
    public Analyzer analyzer(String language, String prepared) {
        return analyzers.of(language, prepared);
    }

    /** The factor that {@code feature_weights} has for a word; 1 by default. */
    public double factor(CharSequence token) {
        if (factors.isEmpty()) {
            return 1;
        }
        String folded = Folding.LETTERS.of(token.toString());
        return factors.factor(recipe.hashFunction().hash(List.of(folded)));
    }

    /** The text without encoded bytes such as attachments, each of which is compared as one word. */
    public static String withoutEncoded(String text) {
        return EncodedRuns.replace(text, hash -> {}).replace(EncodedRuns.PLACEHOLDER, " ");
    }

    /** Computes the fingerprint of a document's texts. All memory is given back at the end, here and below. */
    public Fingerprint fingerprint(SourceTexts texts, LongConsumer memory) {
        return with(memory, (work, account) -> compute(texts, work, account));
    }

    /** Sends each occurrence of each feature to the sink. */
    public void features(SourceTexts texts, FeatureSink sink, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            Analyzer analyzer = analyzer(texts, account);
            texts.fields().forEach(field -> features(field, analyzer, sink, account));
        }
    }

    void features(FieldTexts field, Analyzer analyzer, FeatureSink sink, LongConsumer memory) {
        Shingles shingles = shingles(recipe, new SpelledFeatures(sink, memory), null);
        analyze(field.values(), analyzer, shingles, memory);
    }

    private void analyze(List<String> values, Analyzer analyzer, Shingles shingles, LongConsumer memory) {
        shingles.accountOn(memory);
        values.forEach(value -> analysis.analyze(value, analyzer, shingles, memory));
    }

    /** The heaviest features, heaviest first, then in the order of their text. */
    public List<WeightedFeature> heaviestFeatures(SourceTexts texts, int limit, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            return new HeaviestFeatures(this, factors, account).of(texts, limit);
        }
    }

    /** One for the whole document: a value may be too short to detect its language. */
    Analyzer analyzer(SourceTexts texts, LongConsumer memory) {
        if (texts.language() != null || analyzers.detector() == null) {
            return analyzers.of(texts.language());
        }
        try (Account account = new Account(memory)) {
            return analyzers.of(
                    null,
                    texts.values().stream()
                            .map(value -> prepare(value, account))
                            .collect(Collectors.joining("\n")));
        }
    }

    /**
     * The text as analysis gets it: without markup, normalised.
     *
     * @param memory accounts for the bytes; the caller gives back those of the result
     */
    public String prepare(String text, LongConsumer memory) {
        return analysis.prepare(text, memory);
    }

    /** As {@link #prepare(String, LongConsumer)}, with what {@code html: main} leaves out; see {@link HtmlExtraction#page}. */
    public String page(String text, boolean withLinks, LongConsumer memory) {
        return analysis.page(text, withLinks, memory);
    }

    public int countWords(SourceTexts texts, LongConsumer memory) {
        int[] words = new int[1];
        try (Account account = new Account(memory)) {
            Features counted = (hash, size, kind) -> words[0]++;
            Shingles shingles = new Shingles(1, 1, recipe.hashFunction(), counted, null);
            analyze(texts.values(), analyzer(texts, account), shingles, account);
        }
        return words[0];
    }

    /** Computes the sketch of a document's texts, by a recipe that has a {@link Recipe#bandLayout}. */
    public SketchedText sketch(SourceTexts texts, LongConsumer memory) {
        return with(memory, (work, account) -> sketch(texts, work, account));
    }

    /**
     * The words of a document's texts, by a recipe of passages.
     *
     * @param memory accounts for the result, whose bytes the caller gives back; else as for {@link #fingerprint}
     */
    public Words words(SourceTexts texts, LongConsumer memory) {
        Words words = new Words(memory);
        AnalysedTexts analysed = workspaces.get().buffers.analysed;
        if (analysed.areOf(cut, texts)) {
            words.addAll(analysed.tokens()); // each word is a feature
            return words;
        }
        return with(memory, (work, account) -> {
            work.words.begin(words);
            new Reading(texts, work, account).whole(); // keeps the analysis for the next processor
            return words;
        });
    }

    /** The words with what makes them comparable, by a recipe of passages; memory as for {@link #words}. */
    public CutText cut(SourceTexts texts, LongConsumer memory) {
        return new CutText(words(texts, memory), scheme, recipe.passages().run());
    }

    /**
     * Where runs of words (the first and the one behind the last) stand in the texts as they were written: for each the first character,
     * the one behind the last (both {@code -1} if they cannot be told), and the number of the text. The caller gives back the memory.
     */
    public List<int[]> characters(SourceTexts texts, Words words, List<int[]> runs, LongConsumer memory) {
        Analyzer analyzer = analyzer(texts, memory);
        List<String> values = texts.values();
        Map<Integer, WordPlaces> places = new HashMap<>();
        List<int[]> characters = new ArrayList<>();
        for (int[] run : runs) {
            int text = words.textOf(run[0]);
            WordPlaces ofText = places.computeIfAbsent(text, i -> {
                String value = values.get(i);
                String prepared = prepare(value, memory);
                memory.accept((long) WordPlaces.BYTES_PER_CHARACTER * Math.max(value.length(), prepared.length()));
                return new WordPlaces(value, prepared, recipe.html() != HtmlExtraction.NONE, analyzer);
            });
            int[] found = ofText.characters(run[0] - words.from(text), run[1] - words.from(text));
            characters.add(new int[] {found[0], found[1], text});
        }
        return characters;
    }

    /** A run of words as analysis got them: without markup, normalised. Null if they cannot be told. */
    public String passage(SourceTexts texts, Words words, int from, int to, LongConsumer memory) {
        int text = words.textOf(from);
        String prepared = prepare(texts.values().get(text), memory);
        memory.accept((long) WordPlaces.BYTES_PER_CHARACTER * prepared.length());
        int[] place = new WordPlaces(prepared, prepared, false, analyzer(texts, memory))
                .characters(from - words.from(text), to - words.from(text));
        return place[0] < 0 ? null : prepared.substring(place[0], place[1]);
    }

    /** The terms by which passages of a document's texts are found, ascending. */
    public String[] passageTerms(SourceTexts texts, LongConsumer memory) {
        try (Account account = new Account(memory)) {
            Words words = words(texts, account);
            return Winnowing.terms(words, recipe.passages(), () -> account.accept(0));
        }
    }

    public String digest(SourceTexts texts, LongConsumer memory) {
        return with(memory, (work, account) -> new Reading(texts, work, account).whole());
    }

    private <T> T with(LongConsumer memory, BiFunction<Workspace, Account, T> making) {
        Workspace work = workspaces.get();
        try (Account account = new Account(memory)) {
            work.accountOn(account);
            return making.apply(work, account);
        } finally {
            // Now, because the next text may come late.
            work.clear();
        }
    }

    private Fingerprint compute(SourceTexts texts, Workspace work, LongConsumer memory) {
        boolean severalFields = texts.fields().size() > 1;
        int features = 0;
        Reading reading = new Reading(texts, work, memory);
        for (FieldTexts field : texts.fields()) {
            reading.read(field);
            for (FeatureKind kind : FeatureKind.KINDS) {
                FeatureCounts counts = work.buffers.kinds.get(kind);
                features += vote(work.buffers, counts, field.weight() * kind.weight(), severalFields);
            }
            if (severalFields) {
                work.buffers.clearCounts();
            }
        }
        OptionalLong bits = features < recipe.minFeatures()
                ? OptionalLong.empty()
                : OptionalLong.of(work.buffers.votes.fingerprint());
        return new Fingerprint(bits, reading.digest(), features, scheme);
    }

    private SketchedText sketch(SourceTexts texts, Workspace work, LongConsumer memory) {
        String digest = new Reading(texts, work, memory).whole();
        FeatureCounts counts = work.buffers.kinds.get(FeatureKind.RUN);
        int size = counts.size();
        long[] features = counts.hashes();
        if (factors.isEmpty() == false) {
            features = Arrays.stream(features, 0, size)
                    .filter(hash -> factors.factor(hash) > 0)
                    .toArray();
            size = features.length;
        }
        Optional<Sketch> sketch = size < recipe.minFeatures()
                ? Optional.empty()
                : Optional.of(Sketch.of(features, size, recipe.bandLayout().permutations()));
        return new SketchedText(sketch, digest, size, scheme);
    }

    /** Lets the counted features of a field vote. Returns how many of them no earlier field had. */
    private int vote(Buffers.OfThread buffers, FeatureCounts counts, double scale, boolean severalFields) {
        Weighting weighting = recipe.weighting();
        if (factors.isEmpty() && weighting != Weighting.LOG_LENGTH) {
            counts.vote(buffers.votes, weighting, scale);
            return severalFields
                    ? (int) Arrays.stream(counts.hashes(), 0, counts.size())
                            .filter(buffers.distinct::isFirst)
                            .count()
                    : counts.size();
        }
        int seenFirst = 0;
        int size = counts.size();
        for (int i = 0; i < size; i++) {
            long hash = counts.hashes()[i];
            double factor = factors.factor(hash);
            // A small factor still leaves a vote. Only a factor of 0 removes a feature.
            if (factor > 0) {
                double one = scale * factor * weighting.ofLetters(counts.letters(i));
                buffers.votes.add(hash, FeatureCounts.scaled(weighting.weight(counts.count(i)), one));
                if (severalFields == false || buffers.distinct.isFirst(hash)) {
                    seenFirst++;
                }
            }
        }
        return seenFirst;
    }

    private static Shingles shingles(Recipe recipe, Features features, AnalysedTexts analysed) {
        return new Shingles(
                recipe.minShingleSize(), recipe.maxShingleSize(), recipe.hashFunction(), features, analysed);
    }

    /** Counts the features of a document's texts: from the tokens that the thread still has, or through the analyzer. */
    private final class Reading {

        private final SourceTexts texts;
        private final Workspace work;
        private final LongConsumer memory;
        private final AnalysedTexts analysed;
        private final boolean isKnown;
        /** Null if the tokens are known. */
        private final Analyzer analyzer;

        private int next;

        Reading(SourceTexts texts, Workspace work, LongConsumer memory) {
            this.texts = texts;
            this.work = work;
            this.memory = memory;
            this.analysed = work.buffers.analysed;
            // Tokens are kept without their letters.
            this.isKnown = recipe.weighting() != Weighting.LOG_LENGTH && analysed.areOf(cut, texts);
            this.analyzer = isKnown ? null : analyzer(texts, memory);
            if (isKnown == false) {
                analysed.begin();
            }
        }

        void read(FieldTexts field) {
            for (String value : field.values()) {
                if (isKnown) {
                    work.shingles.again(analysed, next++);
                } else {
                    analysis.analyze(value, analyzer, work.shingles, memory);
                }
            }
        }

        /** Reads all fields. Returns their digest. */
        String whole() {
            texts.fields().forEach(this::read);
            return digest();
        }

        /** Digest of all texts; call it after they are read. */
        String digest() {
            if (isKnown) {
                return analysed.digest();
            }
            String digest = work.shingles.digest().value();
            analysed.end(cut, texts, digest);
            return digest;
        }
    }

    private static final class Workspace {

        final Buffers.OfThread buffers;
        final CollectedWords words = new CollectedWords();
        final Shingles shingles;

        Workspace(Recipe recipe, Buffers.OfThread buffers) {
            this.buffers = buffers;
            Features features = recipe.passages() != null
                    ? words
                    : recipe.weighting() == Weighting.LOG_LENGTH
                            ? new MeasuredFeatures(buffers.kinds.get(FeatureKind.RUN))
                            : new CountedFeatures(buffers.kinds, FeatureKind.areWeighted(recipe));
            this.shingles = shingles(recipe, features, buffers.analysed);
        }

        void accountOn(LongConsumer memory) {
            buffers.accountOn(memory);
            shingles.accountOn(memory);
        }

        void clear() {
            buffers.clear();
            words.begin(null);
            shingles.clear();
        }
    }

    /** The MinHash of a document's text, empty when it has too few features; the rest as in a {@link Fingerprint}. */
    public record SketchedText(Optional<Sketch> sketch, String digest, int size, String scheme) {}

    /** Tokens joined by one space; the weight is 1 for what occurs once in a field of weight 1. */
    public record WeightedFeature(String feature, double weight) implements Comparable<WeightedFeature> {

        private static final Comparator<WeightedFeature> HEAVIEST_FIRST =
                Comparator.comparingDouble(WeightedFeature::weight).reversed().thenComparing(WeightedFeature::feature);

        @Override
        public int compareTo(WeightedFeature other) {
            return HEAVIEST_FIRST.compare(this, other);
        }
    }

    /** Receives each occurrence of each feature of a text. */
    @FunctionalInterface
    public interface FeatureSink {

        /** @param utf8 the feature that votes by this hash, tokens joined by one space, at {@code offset}; valid during the call */
        void feature(long hash, FeatureKind kind, byte[] utf8, int offset, int length);
    }

    /** Counts features by their hashes, each kind in its table; {@link FeatureKind#RUN} counts all unless kinds are weighted. */
    static final class CountedFeatures implements Features {

        private final FeatureCounts runs;
        private final FeatureCounts words;
        private final FeatureCounts grams;
        private final FeatureCounts characters;

        CountedFeatures(Map<FeatureKind, FeatureCounts> kinds, boolean areWeighted) {
            this.runs = kinds.get(FeatureKind.RUN);
            this.words = areWeighted ? kinds.get(FeatureKind.WORD) : runs;
            this.grams = areWeighted ? kinds.get(FeatureKind.GRAM) : runs;
            this.characters = areWeighted ? kinds.get(FeatureKind.CHARACTER) : runs;
        }

        @Override
        public void feature(long hash, int size, FeatureKind kind) {
            FeatureCounts counts = switch (kind) {
                case RUN -> runs;
                case WORD -> words;
                case GRAM -> grams;
                case CHARACTER -> characters;
            };
            counts.add(hash);
        }
    }

    /** Counts features with their letters. */
    private static final class MeasuredFeatures implements Features {
        /** One less than a power of two; the ring holds the ends of the tokens of the largest shingle, and of the one before. */
        private static final int RING = 2 * Recipe.MAX_SHINGLE_SIZE - 1;

        private final FeatureCounts counts;
        /** Letters so far up to the end of token t are at {@code t & RING}; only differences count. */
        private final int[] ends = new int[RING + 1];

        private int tokens;

        MeasuredFeatures(FeatureCounts counts) {
            this.counts = counts;
        }

        @Override
        public void token(byte[] utf8, int offset, int length) {
            int before = ends[tokens & RING];
            ends[++tokens & RING] = before + letters(utf8, offset, length);
        }

        @Override
        public void feature(long hash, int size, FeatureKind kind) {
            counts.measure(hash, ends[tokens & RING] - ends[(tokens - size) & RING]);
        }
    }

    /** Characters of a feature, without spaces. */
    static int letters(byte[] utf8, int offset, int length) {
        int letters = 0;
        for (int i = offset; i < offset + length; i++) {
            letters += (utf8[i] & 0xC0) == 0x80 || utf8[i] == ' ' ? 0 : 1;
        }
        return letters;
    }

    /** Collects words in their order. */
    private static final class CollectedWords implements Features {

        private Words words;

        void begin(Words newWords) {
            words = newWords;
        }

        @Override
        public void feature(long hash, int size, FeatureKind kind) {
            words.add(hash);
        }

        @Override
        public void endText() {
            words.endText();
        }
    }

    /**
     * The buffers in which a thread counts features. They are kept from text to text, since cold memory costs as much as
     * hashing a text of 200 words. 90 to 900 kB a thread. One instance per node serves all recipes.
     */
    public static final class Buffers {

        private final ThreadLocal<OfThread> ofThreads = ThreadLocal.withInitial(OfThread::new);

        OfThread ofThread() {
            return ofThreads.get();
        }

        static final class OfThread {

            /** {@link FeatureKind#RUN} has all features if kinds weigh the same. */
            final Map<FeatureKind, FeatureCounts> kinds = new EnumMap<>(FeatureKind.class);

            final FeatureCounts distinct = new FeatureCounts();
            final BitVotes votes = new BitVotes();
            final AnalysedTexts analysed = new AnalysedTexts();

            OfThread() {
                for (FeatureKind kind : FeatureKind.KINDS) {
                    kinds.put(kind, new FeatureCounts());
                }
            }

            void accountOn(LongConsumer memory) {
                kinds.values().forEach(counts -> counts.accountOn(memory));
                distinct.accountOn(memory);
            }

            void clear() {
                clearCounts();
                distinct.clear();
                votes.clear();
            }

            void clearCounts() {
                kinds.values().forEach(FeatureCounts::clear);
            }
        }
    }
}
