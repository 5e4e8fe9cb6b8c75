/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.lucene.util.BytesRef;

/**
 * Chooses the shingles that become terms: in each window the one with the least hash (Schleimer, Wilkerson and Aiken, "Winnowing:
 * Local Algorithms for Document Fingerprinting", SIGMOD 2003). A window lies within a text, and the same words choose the same
 * hash. So two texts that share {@link PassageLayout#run} words in a row share a term. About {@code 2 / (window + 1)} of the shingles
 * are chosen. Of equal hashes it makes no difference which one is, because terms have no place. Linear; constant memory.
 *
 * <p>A term is 42 bits of the hash in seven characters of the URL's Base64. That two of them are equal by chance costs a
 * comparison, no wrong match.
 */
public final class Winnowing {

    private static final int CHARACTERS = 7;
    private static final int BITS = 6;
    private static final byte[] ALPHABET =
            "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.ISO_8859_1);

    private static final int UNUSED = Long.SIZE - BITS * CHARACTERS;

    private Winnowing() {}

    /** Receives neighbouring windows that choose the same hash, in order. */
    @FunctionalInterface
    public interface Visitor {

        /** The windows are numbered by their first word in the text. */
        void chosen(int text, long hash, int firstWindow, int lastWindow);
    }

    public static void choose(Words words, PassageLayout layout, Visitor visitor, Runnable checkWanted) {
        RollingHash rolling = new RollingHash(layout.words());
        Window window = new Window(layout.window(), visitor);
        for (int text = 0; text < words.texts(); text++) {
            int from = words.from(text);
            window.begin(text);
            rolling.forEach(words, text, (place, hash) -> window.add(place - from, hash), checkWanted);
            window.end();
        }
    }

    public static String[] terms(Words words, PassageLayout layout, Runnable checkWanted) {
        LongStream.Builder numbers = LongStream.builder();
        choose(words, layout, (text, hash, first, last) -> numbers.add(number(hash)), checkWanted);
        long[] sorted = numbers.build().sorted().toArray();
        return IntStream.range(0, sorted.length)
                .filter(i -> i == 0 || sorted[i] != sorted[i - 1])
                .mapToObj(i -> ofNumber(sorted[i]))
                .toArray(String[]::new);
    }

    public static String term(long hash) {
        byte[] buffer = new byte[CHARACTERS];
        for (int i = 0; i < CHARACTERS; i++) {
            buffer[i] = ALPHABET[(int) (hash >>> (Long.SIZE - BITS * (i + 1))) & (ALPHABET.length - 1)];
        }
        return new String(buffer, StandardCharsets.ISO_8859_1);
    }

    /** Terms as numbers are in the order of the terms. Negative if no text has this term. */
    public static long number(BytesRef term) {
        long number = term.length == CHARACTERS ? 0 : -1;
        for (int i = term.offset; i < term.offset + term.length && number >= 0; i++) {
            int digit = Arrays.binarySearch(ALPHABET, term.bytes[i]);
            number = digit < 0 ? -1 : number << BITS | digit;
        }
        return number;
    }

    /** The term of a hash, as a number. */
    static long number(long hash) {
        return hash >>> UNUSED;
    }

    /** The term of a {@link #number}. */
    public static String ofNumber(long number) {
        return term(number << UNUSED);
    }

    /** The least hash of the last shingles. */
    private static final class Window {
        private final int size;
        private final Visitor visitor;
        private final long[] ring;
        /** The ring has a power of two of places, more than a window. */
        private final int mask;

        private int text;
        private int shingles;
        /** Place of the least hash. */
        private int least;

        private long chosen;
        private int chosenSince;

        Window(int size, Visitor visitor) {
            this.size = size;
            this.visitor = visitor;
            this.ring = new long[Integer.highestOneBit(size) * 2];
            this.mask = ring.length - 1;
        }

        void begin(int newText) {
            text = newText;
            shingles = 0;
        }

        void add(int place, long hash) {
            ring[place & mask] = hash;
            shingles = place + 1;
            if (place == 0 || (least > place - size && Long.compareUnsigned(hash, ring[least & mask]) < 0)) {
                least = place;
            } else if (least == place - size) {
                least = rightmostLeast(place);
            }
            int window = place - size + 1;
            if (window == 0) {
                chosen = ring[least & mask];
                chosenSince = 0;
            } else if (window > 0 && ring[least & mask] != chosen) {
                visitor.chosen(text, chosen, chosenSince, window - 1);
                chosen = ring[least & mask];
                chosenSince = window;
            }
        }

        private int rightmostLeast(int last) {
            int found = last;
            for (int i = last - 1; i > last - size; i--) {
                if (Long.compareUnsigned(ring[i & mask], ring[found & mask]) < 0) {
                    found = i;
                }
            }
            return found;
        }

        void end() {
            if (shingles >= size) {
                visitor.chosen(text, chosen, chosenSince, shingles - size);
            }
        }
    }
}
