/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.util.Arrays;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * The links that a join has to find. There may be too many to keep; then a part of them at a time is enough.
 *
 * @param mostLinks if there are more, the answer has none and says so
 * @param forest whether links inside a connected component may be left out
 * @param linksOf addresses of the documents whose links are wanted, ascending; null for all
 * @param toRead addresses of the documents to read, ascending; null for all
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Wanted(long mostLinks, boolean forest, long[] linksOf, long[] toRead) implements Writeable {

    public static final Wanted ALL = new Wanted(Long.MAX_VALUE, false, null, null);

    /** Enough links to connect each component: per thread, at most the number of documents. */
    public static final Wanted FOREST = new Wanted(Long.MAX_VALUE, true, null, null);

    /** With fewer, the rounds cost more than they save. A join counts links in steps of this size. */
    public static final int LEAST_LINKS = 1 << 14;

    /** Their numbers take 400 kB in each request. */
    private static final int FEW = 100_000;

    public Wanted(StreamInput in) throws IOException {
        this(in.readVLong(), in.readBoolean(), readLongs(in), readLongs(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeVLong(mostLinks);
        out.writeBoolean(forest);
        writeLongs(out, linksOf);
        writeLongs(out, toRead);
    }

    private static long[] readLongs(StreamInput in) throws IOException {
        return in.readBoolean() ? in.readLongArray() : null;
    }

    private static void writeLongs(StreamOutput out, long[] longs) throws IOException {
        out.writeBoolean(longs != null);
        if (longs != null) {
            out.writeLongArray(longs);
        }
    }

    public Wanted atMost(long links) {
        return new Wanted(links, forest, linksOf, toRead);
    }

    /** Limits the documents, by ascending addresses, unless they are limited already. */
    public Wanted within(long[] documents) {
        return toRead == null ? new Wanted(mostLinks, forest, linksOf, documents) : this;
    }

    /** Whether the documents are few enough to be read by their numbers. */
    public boolean areFew() {
        return toRead != null && toRead.length <= FEW;
    }

    public boolean excludes(long address) {
        return toRead != null && Arrays.binarySearch(toRead, address) < 0;
    }

    /** Whether the links of a document are wanted. Call it only with {@code linksOf}. */
    boolean wantsLinksOf(long address) {
        return Arrays.binarySearch(linksOf, address) >= 0;
    }
}
