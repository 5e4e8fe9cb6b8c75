/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.simhash.core.passages.RunHashes;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.TextNormalizer;

/**
 * Blocks that are taken out of texts before anything looks at them: footers, banners, disclaimers. A block is named by a digest of its
 * words: their number, the hash of the first four, and the hash of all, so that no text of it is kept. Words are runs of letters
 * and digits in any case, and single ideographs, whatever the analyzer. Linear. Immutable.
 *
 * @param digests ascending and distinct
 */
public record Boilerplate(List<String> digests) {

    public static final Boilerplate NONE = new Boilerplate(List.of());

    public static final int MOST_BLOCKS = 1000;
    /** Of a block. */
    public static final int LEAST_WORDS = 4;

    private static final int MOST_WORDS = 99_999;
    private static final Pattern DIGEST = Pattern.compile("[1-9][0-9]{0,4}-[0-9a-f]{24}");
    private static final int BEGIN_DIGITS = 8;

    private static final int FEWEST_TEXTS = 20;
    /** Enough to tell a frame, each by its {@link #beginning}. */
    public static final int MOST_TEXTS = 100;

    private static final int MOST_CHARACTERS = 20_000;
    /** Words, in the shortest part of a frame. */
    private static final int RUN = 8;
    /** Less of a text is not worth it. */
    private static final double LEAST_SHARE = .1;
    /** A text that shares more with every twentieth is a copy, or a version. If every fourth text is one, nothing tells the frame. */
    private static final double MOST_SHARE = .75;

    private static final int FAMILY = 20;
    private static final int COPIES = 4;
    private static final int MOST_PARTS = 100;
    /** In a map and a set, with its hash before. */
    private static final int BYTES_PER_RUN = 136;

    /** The places of a word, and its hash. */
    private static final int BYTES_PER_WORD = 4 * Long.BYTES;

    public Boilerplate {
        TypedNumber.requireAtMost("[strip]", MOST_BLOCKS, "digests", digests.size());
        for (String digest : digests) {
            if (DIGEST.matcher(digest).matches() == false || words(digest) < LEAST_WORDS) {
                throw new IllegalArgumentException("[strip] must be a list of digests of [blocks], got: " + digest);
            }
        }
        digests = List.copyOf(new TreeSet<>(digests));
    }

    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /** The digest of a block; null if it has too few words, or too many. */
    public static String digest(String block) {
        Cut cut = new Cut(TextNormalizer.normalize(block), bytes -> {});
        int size = cut.words.size();
        return size < LEAST_WORDS || size > MOST_WORDS ? null : digest(new RunHashes(cut.words), 0, size);
    }

    private static String digest(RunHashes words, int from, int to) {
        return to - from + "-" + begin(words.of(from, from + LEAST_WORDS))
                + HexFormat.of().toHexDigits(words.of(from, to));
    }

    /**
     * The frame of a site or a form: runs of eight words or more, each of which a third of the texts share, a tenth of a text in the
     * mean. {@link #NONE} without a frame, of fewer than {@value #FEWEST_TEXTS} texts, and if every fourth is a copy or a version of
     * others. Linear in time and memory.
     *
     * @param texts normalised
     * @param memory gets the bytes before they are taken; the caller gives them back
     */
    public static Boilerplate frame(List<String> texts, LongConsumer memory) {
        if (texts.size() < FEWEST_TEXTS) {
            return NONE;
        }
        List<RunHashes> all = texts.stream()
                .map(text -> new RunHashes(new Cut(text, memory).words))
                .toList();
        memory.accept(all.stream()
                .mapToLong(words -> (long) BYTES_PER_RUN * words.size())
                .sum());
        Map<Long, Integer> runs = new HashMap<>();
        for (RunHashes words : all) {
            runs(words).distinct().forEach(run -> runs.merge(run, 1, Integer::sum));
        }
        long copies = all.stream()
                .filter(words -> runs(words)
                                .filter(run -> FAMILY * runs.get(run) >= texts.size())
                                .count()
                        > MOST_SHARE * runs(words).count())
                .count();
        runs.values().removeIf(count -> 3 * count < texts.size());
        Map<String, Integer> parts = new HashMap<>();
        all.forEach(words -> parts(words, runs.keySet()).forEach(part -> parts.merge(part, 1, Integer::sum)));
        // Where parts have another neighbour, fewer texts have their longest run.
        parts.values().removeIf(count -> 6 * count < texts.size());
        Boilerplate frame = new Boilerplate(parts.keySet().stream()
                .sorted(Comparator.comparingInt(part -> -words(part) * parts.get(part)))
                .limit(MOST_PARTS)
                .toList());
        return COPIES * copies >= texts.size() || frame.share(texts) < LEAST_SHARE ? NONE : frame;
    }

    private static Stream<Long> runs(RunHashes words) {
        return IntStream.rangeClosed(RUN, words.size()).mapToObj(to -> words.of(to - RUN, to));
    }

    /** The digests of the longest runs of a text, each eight words of which are one of these. */
    private static Set<String> parts(RunHashes words, Set<Long> runs) {
        Set<String> parts = new HashSet<>();
        for (int from = 0, to; from + RUN <= words.size(); from = to) {
            to = from + RUN - 1;
            while (to < words.size() && runs.contains(words.of(to + 1 - RUN, to + 1))) {
                to++;
            }
            if (to - from < RUN) {
                to = from + 1;
            } else if (to - from <= MOST_WORDS) {
                parts.add(digest(words, from, to));
            }
        }
        return parts;
    }

    public static String beginning(String text) {
        return text.substring(0, Math.min(text.length(), MOST_CHARACTERS));
    }

    private double share(List<String> texts) {
        return texts.stream().mapToDouble(this::share).average().orElse(0);
    }

    /** How much of a text is in blocks. */
    private double share(String text) {
        int size = new Cut(text, bytes -> {}).words.size();
        return size == 0 ? 0 : 1 - (double) new Cut(strip(text), bytes -> {}).words.size() / size;
    }

    /** What is wrong if these parts of the texts are compared; empty without parts. */
    public Optional<String> warning(List<String> texts) {
        if (isEmpty()) {
            return Optional.empty();
        }
        long framed = texts.stream().filter(text -> share(text) > 0).count();
        return Optional.of(framed + " of " + texts.size() + " texts looked at have parts of one frame, "
                + Math.round(100 * share(texts)) + " % of a text, which are compared like the rest: [strip] of "
                + digests.size() + " blocks leaves them out");
    }

    private static String begin(long hash) {
        return HexFormat.of().toHexDigits((int) hash);
    }

    private static int words(String digest) {
        return Integer.parseInt(digest.substring(0, digest.indexOf('-')));
    }

    /** A normalised text without the blocks, each of which becomes a line break. The caller gives back the memory. */
    String strip(String text, LongConsumer memory) {
        if (isEmpty()) {
            return text;
        }
        Cut cut = new Cut(text, memory);
        if (cut.words.size() < LEAST_WORDS) {
            return text;
        }
        RunHashes hashes = new RunHashes(cut.words);
        Map<String, List<String>> byBegin = new HashMap<>();
        digests.forEach(digest -> byBegin.computeIfAbsent(begin(digest), begin -> new ArrayList<>())
                .add(digest));
        StringBuilder kept = new StringBuilder();
        int done = 0;
        for (int word = 0; word + LEAST_WORDS <= cut.words.size(); ) {
            int length = longest(byBegin.get(begin(hashes.of(word, word + LEAST_WORDS))), cut.words, hashes, word);
            if (length > 0) {
                kept.append(text, done, cut.starts[word]).append('\n');
                done = cut.ends[word + length - 1];
            }
            word += Math.max(1, length);
        }
        return done == 0 ? text : kept.append(text, done, text.length()).toString();
    }

    /** The same of any text, which is normalised if there are blocks. */
    public String strip(String text) {
        return isEmpty() ? text : strip(TextNormalizer.normalize(text), bytes -> {});
    }

    private static String begin(String digest) {
        int begin = digest.indexOf('-') + 1;
        return digest.substring(begin, begin + BEGIN_DIGITS);
    }

    /** Words of the longest block that begins here; 0 without one. */
    private static int longest(List<String> candidates, Words words, RunHashes hashes, int word) {
        int longest = 0;
        for (String digest : candidates == null ? List.<String>of() : candidates) {
            int length = words(digest);
            if (length > longest
                    && word + length <= words.size()
                    && digest.endsWith(HexFormat.of().toHexDigits(hashes.of(word, word + length)))) {
                longest = length;
            }
        }
        return longest;
    }

    /** The words of a text, with their places. */
    private static final class Cut {

        private final Words words = new Words(bytes -> {});
        private final LongConsumer memory;
        private int[] starts = {};
        private int[] ends = {};

        Cut(String text, LongConsumer memory) {
            this.memory = memory;
            long hash = 0;
            int start = -1;
            for (int i = 0, c; i <= text.length(); i += Character.charCount(c)) {
                c = i < text.length() ? text.codePointAt(i) : ' ';
                boolean isLetter = Character.isLetterOrDigit(c);
                boolean isMark = start >= 0 && isMark(c);
                boolean isAlone = isLetter && Character.isIdeographic(c);
                if (start >= 0 && (isAlone || (isLetter || isMark) == false)) {
                    add(hash, start, i);
                    start = -1;
                }
                if (isLetter || isMark) {
                    hash = start < 0 ? 1 : hash;
                    start = start < 0 ? i : start;
                    hash = HashFunction.mix(hash + Character.toLowerCase(c));
                }
                if (isAlone) {
                    add(hash, start, i + Character.charCount(c));
                    start = -1;
                }
            }
            words.endText();
        }

        private void add(long hash, int start, int end) {
            int word = words.size();
            if (word == starts.length) {
                starts = ArrayUtil.grow(starts, word + 1);
                ends = ArrayUtil.growExact(ends, starts.length);
                memory.accept((long) BYTES_PER_WORD * (starts.length - word));
            }
            starts[word] = start;
            ends[word] = end;
            words.add(hash);
        }

        private static boolean isMark(int c) {
            int type = Character.getType(c);
            return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
        }
    }
}
