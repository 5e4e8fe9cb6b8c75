/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * What a join compares, and what is near: fingerprints, hashes of more than 64 bits, or sketches. Each row has a value of 64 bits. It is
 * the fingerprint itself, or a hash of the {@linkplain SketchWords words} that stand beside it: rows of one value count as equal.
 *
 * @param components bytes of most hashes or sketches; 0 for fingerprints
 * @param minSimilarity least estimated similarity of sketches; 0 for the others
 */
public record Prints(int components, double minSimilarity) implements Writeable {

    /** Bytes of a fingerprint on the heap, in its row and in the join that follows with two threads. */
    public static final int JOIN_BYTES = 64;

    /** Bytes of disk of a fingerprint in files. */
    public static final int DISK_BYTES = 48;

    /** Bytes of heap of a fingerprint in files. */
    public static final int HEAP_BYTES = 2;

    /** Bytes of a hash or a sketch in a join in memory, without its words. */
    private static final int WORDS_JOIN_BYTES = 80;

    /** Bytes of heap of a hash or a sketch whose row is in a file. */
    private static final int WORDS_HEAP_BYTES = 56;

    public static final Prints FINGERPRINTS = new Prints(0, 0);

    public static final Prints HASHES = new Prints(LongHash.MOST_BITS / Byte.SIZE, 0);

    public Prints(StreamInput in) throws IOException {
        this(in.readVInt(), in.readDouble());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVInt(components);
        out.writeDouble(minSimilarity);
    }

    public boolean haveWords() {
        return components > 0;
    }

    public boolean areSketches() {
        return minSimilarity > 0;
    }

    /** Bytes of heap per row, in a join with two threads. */
    public long heapBytes() {
        return haveWords() ? WORDS_JOIN_BYTES + wordBytes() : JOIN_BYTES;
    }

    /** The same with rows in files. */
    public long heapBytesOfFiles() {
        return haveWords() ? WORDS_HEAP_BYTES : HEAP_BYTES;
    }

    public long diskBytes() {
        return DISK_BYTES + wordBytes();
    }

    /** Of a row: numbers of a column have 31 bits. */
    long words() {
        return haveWords() ? 1 + SketchWords.length(components) : 1;
    }

    private long wordBytes() {
        return haveWords() ? words() * Long.BYTES : 0;
    }

    /** The most rows of a join: the words of all of them are numbered. */
    public long mostRows() {
        return (1L << 30) / words();
    }

    /** Ends a join whose links are too many to keep, unless it should count them. */
    public void refuseTooMany(int distance) {
        if (areSketches()) {
            throw new IllegalArgumentException("[min_similarity] must be greater: there are more pairs of different"
                    + " sketches than a job keeps, got: " + minSimilarity);
        }
        if (haveWords()) {
            throw new IllegalArgumentException(
                    "[max_distance] must be smaller for hashes of more than 64 bits, whose links are all kept unless"
                            + " [linkage] is chain: there are more than fit into"
                            + " [plugins.simhash.deduplicate.memory], got: " + distance);
        }
    }
}
