/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.simhash.core.join.Values.Slice;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.RadixSort;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * What the shards have, in {@linkplain Column columns} on the heap or in files. A document with several fingerprints has several
 * consecutive rows. A document too short for a fingerprint has a row without bits. Not thread-safe.
 */
public final class FingerprintRows implements RowSink, AutoCloseable {

    /** Guard, key, number of rows, and the entry of the scan. */
    private static final int STRATUM_BYTES = 216;

    /** Room that is made at once for more rows than expected, at least. */
    private static final int MORE = 1_024;

    private final Prints prints;
    private final Path folder;
    private final Account account;
    private final List<Column> open = new ArrayList<>();

    private final Column bits;
    private final Column digests;

    /** Addresses, or where the words of a row begin: with its address. */
    private final Column owners;

    /** Complemented for rows without bits. */
    private final Column strata;

    /** For each hash or sketch its address, then its words. */
    private final Column words;

    private int usedWords;

    /** Numbers of components that sketches have; almost always one. */
    private final Set<Integer> components = new HashSet<>();

    private int lastComponents;
    private int count;
    private int withDigests;
    private long lastAddress = -1;
    private boolean hasSeveral;

    /** The sign of an address is the side of its document. 0 for those of the first side. */
    private long side;

    /** By stratum: its guard, its key, rows with bits. */
    private int[] guards = new int[0];

    private long[] keys = new long[0];
    private int[] counts = new int[0];
    private int knownStrata;

    /** @param expected about so many rows */
    public FingerprintRows(int expected, Prints prints, Path folder, LongConsumer memory) {
        this.prints = prints;
        this.folder = folder;
        this.account = new Account(memory);
        try {
            this.bits = column(expected);
            this.digests = column(expected);
            this.owners = column(expected);
            this.strata = column(expected);
            this.words = prints.haveWords() ? column(Math.toIntExact(expected * prints.words())) : null;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Column column(int size) {
        Column column = new Column(size, folder, account);
        open.add(column);
        return column;
    }

    private void free(Column... columns) {
        for (Column column : columns) {
            open.remove(column);
            column.close();
        }
    }

    @Override
    public void stratum(int stratum, int guard, long key) {
        account.take(STRATUM_BYTES);
        knownStrata = stratum + 1;
        guards = ArrayUtil.grow(guards, knownStrata);
        guards[stratum] = guard;
        keys = ArrayUtil.grow(keys, knownStrata);
        keys[stratum] = key;
        counts = ArrayUtil.grow(counts, knownStrata);
    }

    /** The documents that follow are of the other side: only links between both sides are wanted. */
    public void otherSide() {
        side = Long.MIN_VALUE;
    }

    @Override
    public void add(long address, long fingerprint, long digest, int stratum) {
        append(address, address | side, fingerprint, digest, stratum);
        counts[stratum]++;
    }

    @Override
    public void addWithoutBits(long address, long digest, int stratum) {
        append(address, address | side, 0, digest, ~stratum);
    }

    @Override
    public void addWords(long address, long hash, long digest, int stratum, long[] ofRow, int at) {
        int have = SketchWords.permutations(ofRow, at);
        int length = SketchWords.length(have);
        int end = Math.addExact(usedWords, 1 + length);
        if (end > words.size()) {
            words.require(larger(end));
        }
        words.put(usedWords, address | side);
        words.put(usedWords + 1, ofRow, at, length);
        // Those of other strata have other bands.
        words.put(usedWords + 1, (long) stratum << Integer.SIZE | have);
        append(address, usedWords, hash, digest, stratum);
        counts[stratum]++;
        usedWords = end;
        if (have != lastComponents) {
            components.add(have);
            lastComponents = have;
        }
    }

    private void append(long address, long owner, long fingerprint, long digest, int stratum) {
        if (count == strata.size()) {
            int room = larger(Math.addExact(count, 1));
            bits.require(room);
            digests.require(room);
            owners.require(room);
            strata.require(room);
        }
        hasSeveral |= address == lastAddress;
        lastAddress = address;
        withDigests += digest == 0 ? 0 : 1;
        bits.put(count, fingerprint);
        digests.put(count, digest);
        owners.put(count, owner);
        strata.put(count++, stratum);
    }

    private static int larger(int least) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(MORE, least + least / 4L));
    }

    Prints prints() {
        return prints;
    }

    Path folder() {
        return folder;
    }

    Account account() {
        return account;
    }

    /** Whether only links between two sides are wanted. */
    boolean hasSides() {
        return side != 0;
    }

    boolean hasSeveral() {
        return hasSeveral;
    }

    Column words() {
        return words;
    }

    Set<Integer> components() {
        return components;
    }

    private boolean hasBits(int row) {
        return strata.get(row) >= 0;
    }

    private int stratum(int row) {
        int stratum = (int) strata.get(row);
        return Math.max(stratum, ~stratum);
    }

    /** The value that selects the row's chunk. */
    private long key(int row) {
        return hasBits(row) ? bits.get(row) : digests.get(row);
    }

    /** The address of the document that a row with bits belongs to, with its side. */
    long place(long owner) {
        return prints.haveWords() ? words.get((int) owner) : owner;
    }

    private long place(int row) {
        return hasBits(row) ? place(owners.get(row)) : owners.get(row);
    }

    /** Adds a clique for each set of equal digests with different fingerprints. Returns the pairs that this pass owns. */
    long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress) {
        EqualDigests found = new EqualDigests(chunks, cliques);
        try (PartSort sort = new PartSort(folder, account, progress)) {
            sort.sort(found::read, count, withDigests, found::add);
        }
        return found.pairs;
    }

    /** The distinct fingerprints. Called once, after {@link #equalTexts}. Frees the columns that they do not need. */
    Fingerprints fingerprints(LongConsumer progress) {
        free(digests);
        int[] ends = Bins.starts(Arrays.copyOf(counts, knownStrata));
        int size = ends[knownStrata];
        Column values = column(size);
        Column sorted = column(size);
        int[] next = ends.clone();
        for (int row = 0; row < count; row++) {
            if (row % MORE == 0) {
                progress.accept(0);
            }
            if (hasBits(row)) {
                int to = next[stratum(row)]++;
                values.put(to, bits.get(row));
                sorted.put(to, owners.get(row));
            }
        }
        free(bits, owners, strata);
        Distinct distinct = new Distinct(values, sorted, column(Math.addExact(size, 1)));
        List<Slice> slices = new ArrayList<>();
        try (PartSort sort = new PartSort(folder, account, progress)) {
            for (int stratum = 0; stratum < knownStrata; stratum++) {
                if (counts[stratum] > 0) {
                    int start = ends[stratum];
                    int first = distinct.size;
                    sort.sort(
                            (from, end, some, of) -> {
                                values.get(start + from, some, 0, end - from);
                                sorted.get(start + from, of, 0, end - from);
                                return end - from;
                            },
                            counts[stratum],
                            counts[stratum],
                            distinct::add);
                    slices.add(new Slice(first, distinct.size, keys[stratum]));
                }
            }
        }
        distinct.starts.put(distinct.size, size);
        return new Fingerprints(this, slices, values, distinct.starts, sorted, distinct.size);
    }

    @Override
    public void close() {
        try {
            List.copyOf(open).forEach(this::free);
        } finally {
            account.close();
        }
    }

    /** Takes sorted rows, part by part, and writes each value once, in place of those that were read. */
    private static final class Distinct {

        private final Column values;
        private final Column owners;
        private final Column starts;
        private int rows;
        private int size;

        /** @param starts gets the first row of each value */
        Distinct(Column values, Column owners, Column starts) {
            this.values = values;
            this.owners = owners;
            this.starts = starts;
        }

        void add(long[] some, long[] of, int count) {
            for (int i = 0; i < count; i++) {
                if (i == 0 || some[i] != some[i - 1]) {
                    values.put(size, some[i]);
                    starts.put(size++, rows + i);
                }
            }
            owners.put(rows, of, 0, count);
            rows += count;
        }
    }

    /**
     * Finds documents with equal digests that a join of fingerprints misses: those too short for a fingerprint, and those
     * whose fingerprints differ or have different schemes. Digests do not depend on the scheme.
     */
    private final class EqualDigests {

        /** Of a row while its bits are sorted. */
        private static final int BYTES = 2 * (Long.BYTES + Integer.BYTES);

        private final Chunks chunks;
        private final Cliques.Builder cliques;

        /** Of documents, also of near fingerprints, that this pass owns. */
        private long pairs;

        EqualDigests(Chunks chunks, Cliques.Builder cliques) {
            this.chunks = chunks;
            this.cliques = cliques;
        }

        int read(int from, int end, long[] found, long[] rows) {
            int size = 0;
            for (int row = from; row < end; row++) {
                long digest = digests.get(row);
                if (digest != 0) {
                    found[size] = digest;
                    rows[size++] = row;
                }
            }
            return size;
        }

        /** Adds a clique for each set of two or more rows. */
        void add(long[] sorted, long[] rows, int size) {
            for (int start = 0, end; start < size; start = end) {
                end = start + 1;
                while (end < size && sorted[end] == sorted[start]) {
                    end++;
                }
                if (end - start > 1) {
                    splitByGuard(Arrays.copyOfRange(rows, start, end));
                }
            }
        }

        private void splitByGuard(long[] members) {
            for (int i = 0; i < members.length; i++) {
                members[i] |= (long) guards[stratum((int) members[i])] << Integer.SIZE;
            }
            Arrays.sort(members);
            for (int start = 0, end; start < members.length; start = end) {
                end = start + 1;
                while (end < members.length && members[end] >>> Integer.SIZE == members[start] >>> Integer.SIZE) {
                    end++;
                }
                if (end - start > 1) {
                    addUnlessEqual(Arrays.stream(members, start, end)
                            .mapToInt(member -> (int) member)
                            .toArray());
                }
            }
        }

        private void addUnlessEqual(int[] members) {
            int first = members[0];
            boolean equal = true;
            boolean owned = false;
            long[] addresses = new long[members.length];
            for (int i = 0; i < members.length; i++) {
                int row = members[i];
                equal &= hasBits(row) && bits.get(row) == bits.get(first) && strata.get(row) == strata.get(first);
                owned |= chunks.owns(key(first), key(row));
                addresses[i] = place(row) & Long.MAX_VALUE;
            }
            int[] others = ofSide(members, true);
            if (equal || owned == false || (hasSides() && others.length % members.length == 0)) {
                return; // All of one side are no links.
            }
            long[] documents = hasSeveral ? Cliques.distinct(addresses) : addresses;
            if (documents.length > 1) {
                cliques.addEqualTexts(documents);
            }
            pairs += documents.length < members.length && hasSides() == false
                    ? pairs(documents.length)
                    : ownedPairs(members);
            if (hasSides()) {
                pairs -= ownedPairs(others) + ownedPairs(ofSide(members, false));
            }
        }

        private int[] ofSide(int[] members, boolean isOther) {
            return hasSides()
                    ? Arrays.stream(members)
                            .filter(row -> place(row) < 0 == isOther)
                            .toArray()
                    : members;
        }

        /**
         * The owned pairs of members in two chunks, without those of equal fingerprints, which the join counts. Every pass
         * with one of the two chunks sees all members.
         */
        private long ownedPairs(int[] members) {
            long first = key(members[0]);
            long other = first;
            long elsewhere = 0;
            for (int row : members) {
                long key = key(row);
                if (chunks.of(key) != chunks.of(first)) {
                    other = key;
                    elsewhere++;
                }
            }
            long within = members.length - elsewhere;
            return (chunks.owns(first, first) ? pairs(within) : 0)
                    + (chunks.owns(other, other) ? pairs(elsewhere) : 0)
                    + within * elsewhere
                    - equalPairs(members);
        }

        /** Owned pairs with equal fingerprints of one scheme. Takes as much memory as sorting them. */
        private long equalPairs(int[] members) {
            account.take((long) members.length * BYTES);
            long[] found = new long[members.length];
            int[] schemes = new int[members.length];
            int size = 0;
            for (int row : members) {
                if (hasBits(row) && chunks.owns(key(row), key(row))) {
                    found[size] = bits.get(row);
                    schemes[size++] = stratum(row);
                }
            }
            RadixSort.sort(found, schemes, size);
            long equal = 0;
            for (int start = 0, end; start < size; start = end) {
                end = start + 1;
                while (end < size && found[end] == found[start]) {
                    end++;
                }
                Arrays.sort(schemes, start, end);
                for (int i = start, from = start; i < end; i++) {
                    from = schemes[i] == schemes[from] ? from : i;
                    equal += i - from;
                }
            }
            account.give((long) members.length * BYTES);
            return equal;
        }

        private static long pairs(long documents) {
            return documents * (documents - 1) / 2;
        }
    }
}
