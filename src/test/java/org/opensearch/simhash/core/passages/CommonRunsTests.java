/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.core.passages.CommonRuns.Passage;
import org.opensearch.simhash.core.passages.CommonRuns.Shared;

/** Which words two texts share, against all pairs of places; and that terms find every such pair. */
public class CommonRunsTests extends LuceneTestCase {

    static Words words(long[]... texts) {
        Words words = new Words(bytes -> {});
        for (long[] text : texts) {
            Arrays.stream(text).forEach(words::add);
            words.endText();
        }
        return words;
    }

    /** Few different words, so that runs repeat. */
    private static long[] text(Random random, int size, int vocabulary) {
        return random.longs(size, 0, vocabulary).map(CommonRunsTests::mixed).toArray();
    }

    private static long mixed(long word) {
        return (word + 1) * 0x9E3779B97F4A7C15L;
    }

    private static long[] spliced(Random random, long[] into, long[] from, int length) {
        long[] text = into.clone();
        if (Math.min(from.length, into.length) >= length) {
            System.arraycopy(
                    from,
                    random.nextInt(from.length - length + 1),
                    text,
                    random.nextInt(into.length - length + 1),
                    length);
        }
        return text;
    }

    /** Marks each word of {@code text} in a run of {@code least} words that one of {@code others} has. */
    private static BitSet marked(long[] text, long[][] others, int least) {
        BitSet marked = new BitSet();
        for (long[] other : others) {
            for (int i = 0; i + least <= text.length; i++) {
                for (int j = 0; j + least <= other.length; j++) {
                    if (Arrays.equals(text, i, i + least, other, j, j + least)) {
                        marked.set(i, i + least);
                    }
                }
            }
        }
        return marked;
    }

    private static int count(long[][] texts, long[][] others, int least) {
        return Arrays.stream(texts)
                .mapToInt(text -> marked(text, others, least).cardinality())
                .sum();
    }

    public void testCountsExactlyTheWordsOfSharedRuns() {
        Random random = random();
        for (int round = 0; round < 300; round++) {
            int least = 1 + random.nextInt(6);
            int vocabulary = 1 + random.nextInt(8);
            long[][] source = {text(random, random.nextInt(40), vocabulary), text(random, random.nextInt(9), vocabulary)
            };
            CommonRuns runs = new CommonRuns(words(source), least, bytes -> {}, () -> {});
            CommonRuns.Comparison comparison = runs.new Comparison();
            for (int d = 0; d < 3; d++) {
                long[][] document = {
                    spliced(random, text(random, random.nextInt(40), vocabulary), source[0], 5),
                    text(random, random.nextInt(20), vocabulary)
                };
                Shared expected = new Shared(count(source, document, least), count(document, source, least));
                assertEquals(expected, comparison.compare(words(document), true, () -> {}));
                Shared some = runs.new Comparison().compare(words(document), false, () -> {});
                assertEquals(expected.words(), some.words());
                assertEquals(expected.documentWords(), some.documentWords());
            }
        }
    }

    /** Every run of {@code words + window - 1} equal words shares a term, whatever stands around it. */
    public void testARunSharesATerm() {
        Random random = random();
        for (int round = 0; round < 500; round++) {
            PassageLayout layout = new PassageLayout(2 + random.nextInt(7), 1 + random.nextInt(9));
            int vocabulary = random.nextBoolean() ? 2 : 1000;
            long[] run = text(random, layout.run(), vocabulary);
            Set<String> some = terms(random, run, layout, vocabulary);
            Set<String> others = terms(random, run, layout, vocabulary);
            some.retainAll(others);
            assertFalse(layout + " " + Arrays.toString(run), some.isEmpty());
        }
    }

    private static Set<String> terms(Random random, long[] run, PassageLayout layout, int vocabulary) {
        long[] before = text(random, random.nextInt(30), vocabulary);
        long[] after = text(random, random.nextInt(30), vocabulary);
        long[] all = new long[before.length + run.length + after.length];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(run, 0, all, before.length, run.length);
        System.arraycopy(after, 0, all, before.length + run.length, after.length);
        return new HashSet<>(Arrays.asList(Winnowing.terms(words(all), layout, () -> {})));
    }

    public void testTermsAreFewShortAndAscending() {
        String[] terms = Winnowing.terms(words(text(random(), 20_000, 1 << 30)), PassageLayout.DEFAULT, () -> {});
        double expected = 20_000 * 2 / 9.0;
        assertEquals(expected, terms.length, expected * .05);
        assertTrue(Arrays.stream(terms).allMatch(term -> term.matches("[-\\w]{7}")));
        String[] sorted = terms.clone();
        Arrays.sort(sorted);
        assertArrayEquals(sorted, terms);
    }

    /** Frozen: a change here is a new scheme version. */
    public void testGoldenTerms() {
        long[] text = LongStream.range(0, 24).map(CommonRunsTests::mixed).toArray();
        assertEquals(GOLDEN, List.of(Winnowing.terms(words(text), PassageLayout.DEFAULT, () -> {})));
    }

    private static final List<String> GOLDEN = List.of("7XzX7Gi", "9Q2Z0ZD", "FkxOd8Z");

    public void testOneRepeatedWordIsOneTerm() {
        long[] text = new long[200_000];
        Arrays.fill(text, 7);
        Words words = words(text);
        assertEquals(1, Winnowing.terms(words, PassageLayout.DEFAULT, () -> {}).length);
        CommonRuns runs = new CommonRuns(words, 15, bytes -> {}, () -> {});
        CommonRuns.Comparison comparison = runs.new Comparison();
        assertEquals(new Shared(200_000, 200_000), comparison.compare(words, true, () -> {}));
        List<Passage> passages = comparison.passages(words, 20, () -> {});
        assertEquals(List.of(new Passage(0, 200_000, 0, 200_000, 200_000)), passages);
    }

    /** The work for a document is that of its own words, however often the source repeats them. */
    public void testSourceThatRepeatsABlockIsReadOnceForAllDocuments() {
        long[] block = text(random(), 40, 1 << 30);
        long[][] source = {new long[41 * 7000]};
        for (int i = 0; i < source[0].length; i++) {
            source[0][i] = i % 41 == 40 ? i : block[i % 41]; // Another word between any two.
        }
        CommonRuns runs = new CommonRuns(words(source), 15, bytes -> {}, () -> {});
        CommonRuns.Comparison whole = runs.new Comparison();
        CommonRuns.Comparison part = runs.new Comparison();
        for (int i = 0; i < 100; i++) {
            long[] document = text(random(), 80, 1 << 30);
            System.arraycopy(block, 0, document, i % 41, 40);
            assertEquals(new Shared(40 * 7000, 40), whole.compare(words(document), true, () -> {}));
            assertEquals(40, part.compare(words(document), false, () -> {}).words());
        }
        assertEquals("the first run by its places, the others by what is before them", 7000 + 25, whole.places);
        assertEquals("until there are as many words", 3 * 100, part.places);
    }

    /** The same where each document has another part of the block. */
    public void testSourceThatRepeatsABlockIsNotReadWholeForEachPartOfIt() {
        long[] block = text(random(), 40, 1 << 30);
        for (boolean isApart : List.of(false, true)) {
            int step = isApart ? 41 : 40;
            long[] source = new long[step * 7000];
            for (int i = 0; i < source.length; i++) {
                source[i] = i % step == 40 ? i : block[i % step];
            }
            CommonRuns.Comparison comparison =
                    new CommonRuns(words(source), 15, bytes -> {}, () -> {}).new Comparison();
            for (int from = 0; from <= 25; from++) {
                long[] document = Arrays.copyOfRange(block, from, 40);
                assertEquals(
                        new Shared(document.length * 7000, document.length),
                        comparison.compare(words(document), true, () -> {}));
            }
            assertTrue("each looks at one run's places: " + comparison.places, comparison.places <= 26 * 7100);
        }
    }

    public void testShorterTextsHaveNoTerms() {
        assertEquals(0, Winnowing.terms(words(text(random(), 14, 100)), PassageLayout.DEFAULT, () -> {}).length);
        assertEquals(1, Winnowing.terms(words(text(random(), 15, 100)), PassageLayout.DEFAULT, () -> {}).length);
    }

    /** Three edits of one, two and three words in a passage; and one of four, behind which another passage begins. */
    public void testPassagesAreMergedOverGapsOfUpToThreeWords() {
        long[] source = text(random(), 120, 1 << 30);
        Random random = new Random(random().nextLong());
        long[] document = text(random, 200, 1 << 30);
        System.arraycopy(source, 0, document, 50, 120);
        int[][] edits = {{20, 1}, {45, 2}, {60, 3}, {90, 4}};
        for (int[] edit : edits) {
            System.arraycopy(text(random, edit[1], 1 << 30), 0, document, 50 + edit[0], edit[1]);
        }
        CommonRuns runs = new CommonRuns(words(source), 15, bytes -> {}, () -> {});
        List<Passage> passages = runs.new Comparison().passages(words(document), 20, () -> {});
        assertEquals(List.of(new Passage(50, 140, 0, 90, 90 - 6), new Passage(144, 170, 94, 120, 26)), passages);
        assertEquals(List.of(passages.getFirst()), runs.new Comparison().passages(words(document), 1, () -> {}));
    }

    public void testPassagesStayWithinTheirTexts() {
        long[] text = text(random(), 40, 1 << 30);
        Words whole = words(text);
        Words cut = words(Arrays.copyOf(text, 20), Arrays.copyOfRange(text, 20, 40));
        CommonRuns runs = new CommonRuns(cut, 15, bytes -> {}, () -> {});
        assertEquals(
                List.of(new Passage(0, 20, 0, 20, 20), new Passage(20, 40, 20, 40, 20)),
                runs.new Comparison().passages(whole, 20, () -> {}));
        assertEquals(1, cut.textOf(20));
        assertEquals(0, cut.textOf(19));
    }

    public void testMemoryIsAskedForFirst() {
        Words words = words(text(random(), 1000, 100));
        expectThrows(
                IllegalStateException.class,
                () -> new CommonRuns(
                        words,
                        15,
                        bytes -> {
                            throw new IllegalStateException(bytes + " bytes");
                        },
                        () -> {}));
    }

    /** It began where half begin and ended where half end: with two others, no one had to have it all. */
    public void testAtLeastHalfOfTheOthersHaveAllOfABlock() {
        int place = 40;
        PassageLayout layout = PassageLayout.DEFAULT;
        for (int round = 0; round < 300; round++) {
            long[] text = text(random(), 100, 1 << 30);
            List<Words> documents = new ArrayList<>(List.of(words(text)));
            String[] term = new String[1];
            new RollingHash(layout.words())
                    .forEach(
                            documents.getFirst(),
                            (first, hash) -> term[0] = first == place ? Winnowing.term(hash) : term[0],
                            () -> {});
            int others = 1 + random().nextInt(9);
            int[][] shared = new int[others][];
            for (int i = 0; i < others; i++) {
                shared[i] = random().nextInt(4) == 0
                        ? new int[] {0, 0}
                        : new int[] {random().nextInt(place), place + layout.words() + random().nextInt(30)};
                long[] other = text(random(), 110, 1 << 30);
                System.arraycopy(text, shared[i][0], other, 5, shared[i][1] - shared[i][0]);
                documents.add(words(other));
            }
            SharedBlock block = SharedBlock.of(layout, term[0], documents, () -> {});
            assertEquals(2 * having(shared, place, place + layout.words()) < others, block == null);
            int longest = 0;
            for (int from = 0; from <= place; from++) {
                for (int to = place + layout.words(); to <= text.length; to++) {
                    longest = 2 * having(shared, from, to) >= others ? Math.max(longest, to - from) : longest;
                }
            }
            if (block != null) {
                long having = having(shared, block.from(), block.to());
                assertTrue(having + " of " + others, 2 * having >= others);
                assertEquals(longest, block.to() - block.from());
            }
        }
    }

    private static long having(int[][] shared, int from, int to) {
        return Arrays.stream(shared)
                .filter(range -> range[0] <= from && range[1] >= to)
                .count();
    }

    /** Each place in one text might be compared with each in the other. */
    public void testABlockOfTextsOfOneWord() {
        long[] same = new long[500_000];
        Arrays.fill(same, mixed(1));
        List<Words> texts = List.of(words(same), words(same), words(Arrays.copyOf(same, 400_000)));
        String[] terms = Winnowing.terms(texts.getFirst(), PassageLayout.DEFAULT, () -> {});
        SharedBlock block = SharedBlock.of(PassageLayout.DEFAULT, terms[0], texts, () -> {});
        assertEquals(0, block.from());
        assertEquals(500_000, block.to());
    }
}
