/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.opensearch.common.SuppressForbidden;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.node.SampleIndex;

/**
 * The steps that others publish figures of, in one thread, without OpenSearch: comparing two fingerprints, their terms, a fingerprint of
 * a text with the bytes that it allocates, the cosine of two texts. Texts of {@value #WORDS} words of the sample corpus; each figure is
 * the best of {@value #ROUNDS} rounds.
 */
public final class PublishedSteps {

    private static final int WORDS = 200;
    private static final int TEXTS = 500;
    private static final int HASHES = 1 << 20;
    private static final int ROUNDS = 15;

    /** What was computed, so that nothing is left out. */
    private static long sink;

    private PublishedSteps() {}

    @SuppressForbidden(reason = "only this bean counts the bytes that a thread allocates")
    public static void main(String[] args) {
        SplittableRandom random = new SplittableRandom(1);
        long[] hashes = random.longs(HASHES).toArray();
        print("popcount of two fingerprints", HASHES, i -> Long.bitCount(hashes[i] ^ hashes[0]));
        SegmentLayout segments = new SegmentLayout(SegmentLayout.USUAL);
        print("terms of a fingerprint", TEXTS, i -> segments.terms(hashes[i]).length);
        List<Sketch> sketches = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            sketches.add(Sketch.of(random.longs(WORDS).toArray(), WORDS, BandLayout.DEFAULT_PERMUTATIONS));
        }
        print("terms of a sketch", TEXTS, i -> BandLayout.DEFAULT.terms(sketches.get(i)).length);

        List<String> words = new SampleIndex().words("en");
        List<String> texts = new ArrayList<>();
        List<SourceTexts> sources = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            int from = random.nextInt(words.size() - WORDS);
            texts.add(String.join(" ", words.subList(from, from + WORDS)));
            sources.add(SourceTexts.of(texts.getLast()));
        }
        Fingerprinter fingerprinter = new RecipeBuilder().standard();
        print("a fingerprint", TEXTS, i -> fingerprinter.fingerprint(sources.get(i), bytes -> {}).features());
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        for (SourceTexts source : sources) {
            sink += fingerprinter.fingerprint(source, bytes -> {}).features();
        }
        long allocated = thread.getCurrentThreadAllocatedBytes() - before;
        System.out.printf(Locale.ROOT, "%-32s %,d bytes of %,d of text%n", "it allocates", allocated / TEXTS, texts.getFirst().length());

        Verification verification = new Verification("text", Measure.COSINE, 1, 0.8, null);
        TextComparison one = new TextComparison(
                verification, fingerprinter.analyzer(null, ""), TokenWeights.EQUAL, texts.getFirst(), bytes -> {}, () -> {});
        print("cosine with a text", TEXTS, i -> one.compare(texts.get(i), bytes -> {}, () -> {}).hashCode());
        System.out.println(sink == 1 ? " " : "");
    }

    private static void print(String what, int count, IntToLongFunction step) {
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                sink += step.applyAsLong(i);
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) count);
        }
        System.out.printf(Locale.ROOT, "%-32s %,.1f ns, %,.0f a second%n", what, best, 1e9 / best);
    }
}
