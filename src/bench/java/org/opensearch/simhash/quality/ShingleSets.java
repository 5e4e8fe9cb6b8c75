/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.text.SourceTexts;

/**
 * The features of a data set's documents, as a recipe makes them, as sets of 64-bit hashes; and their exact Jaccard
 * similarity.
 */
final class ShingleSets {

    static final int CHARACTERS = 5;

    /** Of each document, ascending. */
    private final long[][] sets;

    private ShingleSets(long[][] sets) {
        this.sets = sets;
    }

    static ShingleSets of(DataSet set, Fingerprinter fingerprinter) {
        long[][] sets = new long[set.documents().size()][];
        IntStream.range(0, sets.length)
                .parallel()
                .forEach(i -> sets[i] = features(set.documents().get(i).text(), set.language(), fingerprinter));
        return new ShingleSets(sets);
    }

    /** The hashes of a text's distinct features, ascending. */
    static long[] features(String text, String language, Fingerprinter fingerprinter) {
        LongStream.Builder hashes = LongStream.builder();
        fingerprinter.features(
                SourceTexts.of(text, language),
                (hash, kind, utf8, offset, length) -> hashes.add(HashFunction.XXH3.hash(utf8, offset, length)),
                bytes -> {});
        return hashes.build().sorted().distinct().toArray();
    }

    /** Of five characters in a row, lowercase, white space as one space. */
    static ShingleSets ofCharacters(DataSet set) {
        long[][] sets = new long[set.documents().size()][];
        IntStream.range(0, sets.length).parallel().forEach(i -> {
            String text = set.documents()
                    .get(i)
                    .text()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("\\s+", " ")
                    .strip();
            sets[i] = IntStream.rangeClosed(0, text.length() - CHARACTERS)
                    .mapToLong(start -> hash(text.substring(start, start + CHARACTERS)))
                    .sorted()
                    .distinct()
                    .toArray();
        });
        return new ShingleSets(sets);
    }

    private static long hash(String shingle) {
        byte[] utf8 = shingle.getBytes(StandardCharsets.UTF_8);
        return HashFunction.XXH3.hash(utf8, 0, utf8.length);
    }

    int documents() {
        return sets.length;
    }

    /** The hashes of a document's distinct features, ascending. */
    long[] features(int document) {
        return sets[document];
    }

    /** |A ∩ B| / |A ∪ B|; 0 when both are empty. */
    double jaccard(int a, int b) {
        return jaccard(sets[a], sets[b]);
    }

    /** The same of features that ascend, each once. */
    static double jaccard(long[] left, long[] right) {
        int shared = 0;
        for (int i = 0, j = 0; i < left.length && j < right.length; ) {
            if (left[i] == right[j]) {
                shared++;
                i++;
                j++;
            } else if (left[i] < right[j]) {
                i++;
            } else {
                j++;
            }
        }
        return jaccard(shared, left.length, right.length);
    }

    /** All pairs {@code a < b} of at least this similarity, which is above 0; by the shingles that they share. */
    void forEachPair(double minSimilarity, PairConsumer consumer) {
        long[] shingles = Arrays.stream(sets)
                .flatMapToLong(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        int[][] postings = postings(shingles);
        int[] shared = new int[sets.length];
        for (int b = 0; b < sets.length; b++) {
            Arrays.fill(shared, 0, b, 0);
            for (long shingle : sets[b]) {
                int[] documents = postings[Arrays.binarySearch(shingles, shingle)];
                for (int i = 0; documents[i] < b; i++) {
                    shared[documents[i]]++;
                }
            }
            for (int a = 0; a < b; a++) {
                double jaccard = jaccard(shared[a], sets[a].length, sets[b].length);
                if (shared[a] > 0 && jaccard >= minSimilarity) {
                    consumer.accept(a, b, jaccard);
                }
            }
        }
    }

    interface PairConsumer {
        void accept(int a, int b, double jaccard);
    }

    /** The documents of each shingle, ascending. */
    private int[][] postings(long[] shingles) {
        int[] counts = new int[shingles.length];
        for (long[] set : sets) {
            for (long shingle : set) {
                counts[Arrays.binarySearch(shingles, shingle)]++;
            }
        }
        int[][] postings = new int[shingles.length][];
        for (int i = 0; i < postings.length; i++) {
            postings[i] = new int[counts[i]];
        }
        for (int document = sets.length - 1; document >= 0; document--) {
            for (long shingle : sets[document]) {
                int i = Arrays.binarySearch(shingles, shingle);
                postings[i][--counts[i]] = document;
            }
        }
        return postings;
    }

    private static double jaccard(int shared, int left, int right) {
        int all = left + right - shared;
        return all == 0 ? 0 : shared / (double) all;
    }
}
