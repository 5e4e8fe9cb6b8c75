/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.join.NearJoin.Search;
import org.opensearch.simhash.core.join.PairSearch.BitSearch;
import org.opensearch.simhash.core.join.PairSearch.Plan;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * What a join compares, and what is near: fingerprints, hashes of more than 64 bits, or sketches. A fingerprint is a value. Of the
 * others a hash is the value, and their {@linkplain SketchWords words} stand beside it; those with one value count as equal.
 *
 * @param components bytes of most hashes or sketches; 0 for fingerprints
 * @param minSimilarity least estimated similarity of sketches; 0 for the others
 */
public record Prints(int components, double minSimilarity) implements Writeable {

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
        return haveWords() ? 80 + wordBytes() : FingerprintRows.JOIN_BYTES;
    }

    /** The same with rows in files. */
    public long heapBytesOfFiles() {
        return haveWords() ? 56 : FingerprintRows.HEAP_BYTES;
    }

    /** Bytes of disk per row. */
    public long diskBytes() {
        return FingerprintRows.DISK_BYTES + wordBytes();
    }

    /** Of a row: numbers of a column have 31 bits. */
    long words() {
        return haveWords() ? 1 + SketchWords.length(components) : 1;
    }

    private long wordBytes() {
        return haveWords() ? words() * Long.BYTES : 0;
    }

    /** So many rows are numbered. */
    public long mostRows() {
        return (1L << 30) / words();
    }

    /**
     * The searches that find all links, one after the other.
     *
     * @param distance greatest number of differing bits; sketches have none
     * @param check throws to end the job
     */
    List<Search> searches(Fingerprints fingerprints, int distance, Runnable check) {
        if (areSketches()) {
            return List.of(new BandSearch(fingerprints, minSimilarity));
        }
        if (distance == 0) {
            return List.of();
        }
        if (haveWords()) {
            return new HashSearches(fingerprints, distance).searches(check);
        }
        List<Plan> plans = new ArrayList<>();
        for (Fingerprints.Slice slice : fingerprints.slices()) {
            check.run();
            if (slice.size() > 1) {
                JoinCost.Priced plan = slice.size() <= JoinCost.SMALL
                        ? JoinCost.whole(slice.size(), distance)
                        : JoinCost.cheapest(fingerprints.sample(slice, JoinCost.SAMPLE), slice.size(), distance);
                plans.add(new Plan(slice, plan.plan(), plan.nanos()));
            }
        }
        return List.of(new BitSearch(fingerprints, distance, plans));
    }

    /**
     * Ends a join whose links are too many to keep, unless it should count them.
     *
     * @param mostLinks that are kept
     * @throws IllegalArgumentException naming the option that makes them fewer
     */
    public void refuseTooMany(long mostLinks, int distance) {
        if (areSketches()) {
            throw new IllegalArgumentException("[min_similarity] must be greater, so that there are at most "
                    + mostLinks + " pairs of different sketches, got: " + minSimilarity);
        }
        if (haveWords()) {
            throw new IllegalArgumentException(
                    "[max_distance] must be smaller for hashes of more than 64 bits, whose links are all kept unless"
                            + " [linkage] is chain: more than " + mostLinks
                            + " do not fit into [plugins.simhash.deduplicate.memory], got: " + distance);
        }
    }
}
