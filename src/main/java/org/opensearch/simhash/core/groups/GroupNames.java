/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.apache.lucene.util.Counter;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.join.Linkage.Group;

/**
 * The ids of groups. A group keeps the id that most of its members carry, ties go to the member with the lowest sequence number. So
 * a group that falls apart keeps its id for its largest part, and of two that grow together the larger one keeps its own. No two
 * groups have one id. A document outside of groups may keep the id that no group takes.
 *
 * <p>First tell what documents carry, then {@link #assign}. Two ints per document, some 60 bytes per id. Not thread-safe.
 */
public final class GroupNames {

    private static final int NONE = -1;

    private static final int CLAIM_BYTES = 48;

    /** The members of a group that carry one id. */
    private record Claim(int survivor, int name, int carriers, long oldest, int first) {

        /** Equal ones cannot be: the first carrier, by rank, is in one group only. */
        static final Comparator<Claim> ORDER = Comparator.comparingInt(Claim::carriers)
                .reversed()
                .thenComparingLong(Claim::oldest)
                .thenComparingInt(Claim::first);

        Claim and(Claim other) {
            long oldestOfBoth = Math.min(oldest, other.oldest);
            int firstOfBoth = Math.min(first, other.first);
            return new Claim(survivor, name, carriers + other.carriers, oldestOfBoth, firstOfBoth);
        }
    }

    private final LongConsumer memory;
    private final NamePool names;

    /** Numbers of ids, by rank of the document. */
    private final int[] carried;

    /** By rank of the survivor. */
    private final int[] given;

    /** By number of the id: the document outside of groups that may keep it, and its sequence number. */
    private long[] alone = new long[0];

    private long[] sequences = new long[0];

    private FixedBitSet taken = new FixedBitSet(64);

    /** The ids that documents carry have lower numbers, those that are new do not. */
    private int known;

    /** @param documents the number of ranks */
    public GroupNames(int documents, LongConsumer memory) {
        memory.accept(2L * Integer.BYTES * documents);
        this.memory = memory;
        this.names = new NamePool(memory);
        this.carried = new int[documents];
        this.given = new int[documents];
        Arrays.fill(carried, NONE);
        Arrays.fill(given, NONE);
    }

    /** A member of a group carries an id. */
    public void carry(int rank, String name) {
        carried[rank] = names.add(name);
    }

    /** A survivor that nobody changes carries an id: so does its group, and perhaps another one. */
    public void keep(int rank, String name) {
        carry(rank, name);
        given[rank] = carried[rank];
        takenElsewhere(carried[rank]);
    }

    /** A document carries an id that it cannot keep. Returns its number. */
    public int lose(String name) {
        return names.add(name);
    }

    /** A document outside of groups carries an id. Returns the address of who cannot keep it, as an older one has it; else negative. */
    public long carryAlone(long address, String name, long sequence) {
        int number = names.add(name);
        if (number >= alone.length) {
            int before = alone.length;
            alone = ArrayUtil.grow(alone, number + 1);
            sequences = ArrayUtil.growExact(sequences, alone.length);
            memory.accept(2L * Long.BYTES * (alone.length - before));
            Arrays.fill(alone, before, alone.length, NONE);
        }
        long other = alone[number];
        boolean isFirst =
                other < 0 || sequence < sequences[number] || (sequence == sequences[number] && address < other);
        if (isFirst) {
            alone[number] = address;
            sequences[number] = sequence;
            return other;
        }
        return address;
    }

    /** The ids that documents carry, by number. */
    public int size() {
        return names.size();
    }

    public String get(int number) {
        return names.get(number);
    }

    /** A group that is not looked at, or a document that nobody can write, has this id. */
    public void takenElsewhere(int number) {
        taken = FixedBitSet.ensureCapacity(taken, number + 1);
        taken.set(number);
    }

    /** Gives each group its id, by sequence numbers of ranks; {@code fresh} makes new ones. */
    public void assign(List<Group> groups, IntToLongFunction sequences, Supplier<String> fresh) {
        known = names.size();
        taken = FixedBitSet.ensureCapacity(taken, known + 1);
        List<Claim> claims = new ArrayList<>();
        for (Group group : groups) {
            Map<Integer, Claim> ofGroup = new HashMap<>();
            group.ranks().filter(rank -> carried[rank] != NONE).forEach(rank -> {
                Claim claim = new Claim(group.survivor(), carried[rank], 1, sequences.applyAsLong(rank), rank);
                ofGroup.merge(claim.name, claim, Claim::and);
            });
            memory.accept((long) CLAIM_BYTES * ofGroup.size());
            claims.addAll(ofGroup.values());
        }
        claims.sort(Claim.ORDER);
        for (Claim claim : claims) {
            if (given[claim.survivor] == NONE && taken.get(claim.name) == false) {
                given[claim.survivor] = claim.name;
                taken.set(claim.name);
            }
        }
        for (Group group : groups) {
            if (given[group.survivor()] == NONE) {
                given[group.survivor()] = names.add(fresh.get());
            }
        }
        memory.accept((long) -CLAIM_BYTES * claims.size());
    }

    /** The id of a group, by the rank of its survivor. */
    public String of(int survivor) {
        return names.get(given[survivor]);
    }

    /** Whether a member carries the id of its group already. */
    public boolean isKept(int rank, int survivor) {
        return carried[rank] == given[survivor];
    }

    /** Addresses of documents outside of groups whose id was taken. */
    public long[] displaced() {
        return IntStream.range(0, Math.min(known, alone.length))
                .filter(number -> alone[number] >= 0 && taken.get(number))
                .mapToLong(number -> alone[number])
                .toArray();
    }

    /** The other ids that members of a group carry, if it keeps one: it has grown together with theirs. */
    public List<String> mergedFrom(Group group) {
        return isOld(group) ? others(group) : List.of();
    }

    /** The ids that members of a group carry, if others have kept them. */
    public List<String> splitFrom(Group group) {
        return isOld(group) ? List.of() : others(group);
    }

    /** Whether its id is one that a member carries. */
    public boolean isOld(Group group) {
        return given[group.survivor()] < known;
    }

    private List<String> others(Group group) {
        return group.ranks()
                .map(rank -> carried[rank])
                .filter(number -> number != NONE && number != given[group.survivor()])
                .distinct()
                .mapToObj(names::get)
                .sorted()
                .toList();
    }

    /** How many ids were carried that no document has any more. */
    public long gone() {
        return IntStream.range(0, known)
                .filter(number -> taken.get(number) == false && (number >= alone.length || alone[number] < 0))
                .count();
    }

    /** Ids of groups, each stored once and numbered from 0: some 40 bytes each. Not thread-safe. */
    public static final class NamePool {

        private final BytesRefHash names;

        public NamePool(LongConsumer memory) {
            Counter counter = new Counter() {
                private long taken;

                @Override
                public long addAndGet(long delta) {
                    memory.accept(delta);
                    taken += delta;
                    return taken;
                }

                @Override
                public long get() {
                    return taken;
                }
            };
            this.names = new BytesRefHash(
                    new ByteBlockPool(new ByteBlockPool.DirectTrackingAllocator(counter)),
                    BytesRefHash.DEFAULT_CAPACITY,
                    new BytesRefHash.DirectBytesStartArray(BytesRefHash.DEFAULT_CAPACITY, counter));
        }

        /** The number of a name, which is stored if it is new. */
        public int add(String name) {
            int number = names.add(new BytesRef(name));
            return number < 0 ? -number - 1 : number;
        }

        public boolean has(String name) {
            return names.find(new BytesRef(name)) >= 0;
        }

        public String get(int number) {
            return names.get(number, new BytesRef()).utf8ToString();
        }

        public int size() {
            return names.size();
        }
    }
}
