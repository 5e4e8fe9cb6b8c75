/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.FixedBitSet;

/**
 * Compares only documents that share several looked-up values. For each segment and each radius up to the plan's, the
 * documents within that radius form a set; a match is in at least {@link ProbePlan#shared} sets. The sets are counted
 * in windows of bit sets, 64 documents at a time. A posting then costs a tenth of a comparison, which is mostly a cache
 * miss.
 *
 * <p>This is ScanCount for the T-occurrence problem (Li, Lu, Lu, "Efficient Merging and Filtering Algorithms for
 * Approximate String Searches", 2008). Matches come in order, as the leaf is read.
 */
final class CountedProbes implements MatchSource.OnDemand {

    /** Documents counted at once: the bit sets stay in the processor's cache. */
    static final int WINDOW = 1 << 17;

    /** Open postings: a block of documents, its bit set, positions. */
    private static final long BYTES_PER_VALUE = 4096;

    private final StoredFingerprints fingerprints;
    private final List<List<List<PostingsEnum>>> segments;
    private final int to;
    private final LeafEffort effort;
    /** Documents within a radius of one segment. */
    private final FixedBitSet near;
    /** Entry {@code i} holds the documents in at least {@code i + 1} sets. */
    private final FixedBitSet[] counts;

    private final int[] docs = new int[MatchBatch.WINDOW];
    /** None at first. */
    private int start;

    private int end;
    /** First document that no candidates were returned for. */
    private int examined;

    /**
     * @param segments postings by segment and distance from the target's value; none is read yet
     * @param shared number of sets that a match is in, at least 2. For less use {@link VerifiedProbes}
     * @param to end of the documents that will be asked for
     */
    CountedProbes(
            StoredFingerprints fingerprints,
            List<List<List<PostingsEnum>>> segments,
            int shared,
            int from,
            int to,
            LeafEffort effort) {
        assert shared > 1 : "one set is no count";
        this.fingerprints = fingerprints;
        this.segments = segments;
        this.to = to;
        this.effort = effort;
        int window = Math.min(WINDOW, to - from);
        this.near = new FixedBitSet(window);
        this.counts = new FixedBitSet[shared];
        for (int i = 0; i < shared; i++) {
            counts[i] = new FixedBitSet(window);
        }
    }

    static long bytes(long values, int shared, int documents) {
        return values * BYTES_PER_VALUE + (shared + 1L) * Math.min(WINDOW, documents) / Byte.SIZE;
    }

    @Override
    public int fill(int from, int limit, int bound, MatchBatch batch) throws IOException {
        if (from >= end) {
            count(from);
        }
        int size = candidates(from, Math.min(limit, end));
        fingerprints.verify(docs, size, bound, batch);
        effort.compared += size;
        return examined;
    }

    /**
     * Writes the first candidates of {@code [from, last)} to {@link #docs} and returns their number. The first of each
     * word is always written: a branch there is unpredictable and takes a tenth of the search.
     */
    private int candidates(int from, int last) {
        long[] words = counts[counts.length - 1].getBits();
        long asked = -1L << (from - start);
        int i = (from - start) / Long.SIZE;
        int size = 0;
        for (int stop = (last - start - 1) / Long.SIZE; i <= stop && size <= docs.length - Long.SIZE; i++) {
            int base = start + i * Long.SIZE;
            long word = words[i] & asked;
            asked = -1;
            docs[size] = base + Long.numberOfTrailingZeros(word);
            size += word != 0 ? 1 : 0;
            for (word &= word - 1; word != 0; word &= word - 1) {
                docs[size++] = base + Long.numberOfTrailingZeros(word);
            }
        }
        examined = Math.min(last, start + i * Long.SIZE);
        while (size > 0 && docs[size - 1] >= last) {
            size--;
        }
        return size;
    }

    private void count(int from) throws IOException {
        start = from;
        end = Math.min(to, from + near.length());
        for (FixedBitSet set : counts) {
            set.clear();
        }
        for (List<List<PostingsEnum>> rings : segments) {
            near.clear();
            for (List<PostingsEnum> ring : rings) {
                for (PostingsEnum postings : ring) {
                    if (postings.docID() < start) {
                        postings.advance(start);
                    }
                    postings.intoBitSet(end, near, start);
                }
                addNear();
            }
        }
    }

    private void addNear() {
        long[] in = near.getBits();
        for (int i = counts.length - 1; i > 1; i--) {
            long[] more = counts[i].getBits();
            long[] fewer = counts[i - 1].getBits();
            for (int word = 0; word < in.length; word++) {
                more[word] |= fewer[word] & in[word];
            }
        }
        add(in, counts[0].getBits(), counts[1].getBits());
    }

    /** The first two counts in one pass, a tenth faster. Mostly there are no others. */
    private static void add(long[] in, long[] once, long[] twice) {
        for (int word = 0; word < in.length; word++) {
            twice[word] |= once[word] & in[word];
            once[word] |= in[word];
        }
    }
}
