/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * The result of a join. A clique is a set of documents with equal fingerprints or equal texts. Links connect cliques
 * with near fingerprints. A million equal documents are one clique instead of 500 billion pairs.
 *
 * @param starts start of each clique in {@code addresses}, which ascend within it, then the end of the last one
 * @param equalTexts whether the clique shares a digest, a long hash or a sketch instead of a fingerprint: bits tell no distance
 * @param links positions of two cliques and the distance of their fingerprints
 */
@SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
public record Cliques(int[] starts, long[] addresses, long[] bits, long[] strata, boolean[] equalTexts, LinkList links)
        implements Writeable {

    /** The sorted copy and the distinct one, the set, the mark. */
    private static final long SEARCH_BYTES_PER_ADDRESS = 2 * Long.BYTES + DisjointSets.BYTES + 1;

    /** The set, the mark, the new position. */
    private static final long SEARCH_BYTES_PER_CLIQUE = DisjointSets.BYTES + 1 + Integer.BYTES;

    /** Whoever reads them accounts for their bytes. */
    public static Cliques read(StreamInput in) throws IOException {
        int[] starts = in.readIntArray();
        long[] addresses = in.readLongArray();
        long[] bits = in.readLongArray();
        long[] strata = in.readLongArray();
        boolean[] equalTexts = new boolean[bits.length];
        for (int i = 0; i < equalTexts.length; i++) {
            equalTexts[i] = in.readBoolean();
        }
        long links = in.readVLong();
        LinkList list = new LinkList(bytes -> {});
        for (long i = 0; i < links; i++) {
            list.add(in.readInt(), in.readInt(), in.readByte());
        }
        return new Cliques(starts, addresses, bits, strata, equalTexts, list);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeIntArray(starts);
        out.writeLongArray(addresses);
        out.writeLongArray(bits);
        out.writeLongArray(strata);
        for (boolean equal : equalTexts) {
            out.writeBoolean(equal);
        }
        out.writeVLong(links.size());
        links.forEach((a, b, distance) -> {
            out.writeInt(a);
            out.writeInt(b);
            out.writeByte((byte) distance);
        });
    }

    public int size() {
        return starts.length - 1;
    }

    /** Addresses of the documents of a clique. */
    public long[] members(int clique) {
        return Arrays.copyOfRange(addresses, starts[clique], starts[clique + 1]);
    }

    /** Addresses of all documents, ascending and distinct. */
    public long[] documents() {
        return distinct(addresses.clone());
    }

    /** Sorts and removes repeated values. */
    static long[] distinct(long[] sorted) {
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        return distinct == sorted.length ? sorted : Arrays.copyOf(sorted, distinct);
    }

    /** The cliques that are connected with any wanted one of the {@link #documents}, and all their links. */
    public Cliques connectedWith(LongPredicate wanted, LongConsumer memory) {
        long searching = addresses.length * SEARCH_BYTES_PER_ADDRESS + size() * SEARCH_BYTES_PER_CLIQUE;
        memory.accept(searching);
        long[] documents = documents();
        DisjointSets sets = new DisjointSets(size() + documents.length);
        for (int clique = 0; clique < size(); clique++) {
            for (int i = starts[clique]; i < starts[clique + 1]; i++) {
                sets.unite(clique, size() + Arrays.binarySearch(documents, addresses[i]));
            }
        }
        links.forEach((a, b, distance) -> sets.unite(a, b));
        boolean[] kept = new boolean[sets.size()];
        for (int i = 0; i < documents.length; i++) {
            if (wanted.test(documents[i])) {
                kept[sets.root(size() + i)] = true;
            }
        }
        Builder connected = new Builder(memory);
        int[] positions = new int[size()];
        for (int clique = 0; clique < size(); clique++) {
            positions[clique] = kept[sets.root(clique)]
                    ? connected.add(members(clique), bits[clique], strata[clique], equalTexts[clique])
                    : -1;
        }
        links.forEach((a, b, distance) -> {
            if (positions[a] >= 0) {
                connected.link(positions[a], positions[b], distance);
            }
        });
        memory.accept(-searching);
        return connected.build();
    }

    /** Approximate bytes of heap, links included. */
    public long bytes() {
        return addresses.length * (long) Long.BYTES
                + size() * (long) Builder.BYTES_PER_CLIQUE
                + links.size() * LinkList.BYTES;
    }

    /** The part of {@link #bytes} that a {@link NearGraph} replaces: addresses become ranks, and links stand at both ends. */
    public long bytesReplacedByGraph() {
        return addresses.length * (long) Long.BYTES + links.size() * LinkList.BYTES;
    }

    /** Collects cliques. Not thread-safe. */
    public static final class Builder {

        private static final int BYTES_PER_CLIQUE = 2 * Long.BYTES + Integer.BYTES + 1;

        private final LongConsumer memory;
        private final LinkList links;
        private int[] starts = new int[16];
        private long[] addresses = new long[15];
        private long[] bits = new long[15];
        private long[] strata = new long[15];
        private boolean[] equalTexts = new boolean[15];
        private int size;

        public Builder(LongConsumer memory) {
            this.memory = memory;
            this.links = new LinkList(memory);
        }

        public int addEqualTexts(long[] members) {
            return add(members, 0, 0, true);
        }

        /** Returns the position of the clique, whose documents may have equal texts or sketches, and no fingerprint. */
        int add(long[] members, long fingerprint, long stratum, boolean areEqualTexts) {
            if (size + 1 == starts.length) {
                requireCliques(size + size / 2 + 2);
            }
            int end = Math.addExact(starts[size], members.length);
            if (end > addresses.length) {
                requireAddresses(Math.max(end, (int) Math.min(Integer.MAX_VALUE / 2, addresses.length * 3L / 2)));
            }
            Arrays.sort(members);
            System.arraycopy(members, 0, addresses, starts[size], members.length);
            bits[size] = fingerprint;
            strata[size] = stratum;
            equalTexts[size] = areEqualTexts;
            starts[++size] = end;
            return size - 1;
        }

        /** @param members ascending */
        public boolean has(int clique, long[] members) {
            return Arrays.equals(addresses, starts[clique], starts[clique + 1], members, 0, members.length);
        }

        /** Makes room for more cliques and documents, so that nothing is copied while they arrive. */
        void expect(int cliques, int documents) {
            requireCliques(Math.addExact(size, cliques));
            requireAddresses(Math.addExact(starts[size], documents));
        }

        private void requireCliques(int capacity) {
            if (capacity > bits.length) {
                memory.accept((long) (capacity - bits.length) * BYTES_PER_CLIQUE);
                starts = Arrays.copyOf(starts, capacity + 1);
                bits = Arrays.copyOf(bits, capacity);
                strata = Arrays.copyOf(strata, capacity);
                equalTexts = Arrays.copyOf(equalTexts, capacity);
            }
        }

        private void requireAddresses(int capacity) {
            if (capacity > addresses.length) {
                memory.accept((long) (capacity - addresses.length) * Long.BYTES);
                addresses = Arrays.copyOf(addresses, capacity);
            }
        }

        public void link(int a, int b, int distance) {
            links.add(a, b, distance);
        }

        int size() {
            return size;
        }

        long links() {
            return links.size();
        }

        /** Removes the links and keeps the cliques. */
        void forgetLinks() {
            links.clear();
        }

        public Cliques build() {
            boolean isFull = size == bits.length;
            return new Cliques(
                    isFull ? starts : Arrays.copyOf(starts, size + 1),
                    starts[size] == addresses.length ? addresses : Arrays.copyOf(addresses, starts[size]),
                    isFull ? bits : Arrays.copyOf(bits, size),
                    isFull ? strata : Arrays.copyOf(strata, size),
                    isFull ? equalTexts : Arrays.copyOf(equalTexts, size),
                    links);
        }
    }
}
