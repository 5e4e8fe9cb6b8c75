/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.ByteBlockPool.Allocator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.index.mapper.Uid;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.simhash.core.groups.Ranking;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.groups.DocumentTable.PackedIds.IdOrder;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.SurvivorField;
import org.opensearch.simhash.jobs.scan.IdScan;
import org.opensearch.simhash.jobs.scan.PairScan;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.pair.PairConditions;

/**
 * The linked documents: id, rank in the survivor order and, if the job writes, sequence number. Some 30 bytes each, and
 * 16 more if the job writes. While it ranks, it also has the survivor values.
 *
 * <p>A document has three numbers: its address in the point in time, its position among the addresses, and its rank, by which
 * the others know it: of two linked documents, the one with the lower rank survives. They are numbers, since arrays have millions of
 * them; outside of this class a {@code long} is an address and an {@code int} a rank.
 */
public final class DocumentTable {

    /** Address, rank and position. */
    private static final int BYTES = Long.BYTES + 2 * Integer.BYTES;

    private static final int VERSION_BYTES = 2 * Long.BYTES;
    private static final int ROUTING_BYTES = 120;
    private static final int STATE_BYTES = RamUsageEstimator.NUM_BYTES_OBJECT_REF;

    private final PointInTime pointInTime;
    private final long[] addresses;
    private final PackedIds ids;

    /** Null if the job writes nothing. */
    private final long[] sequenceNumbers;

    private final long[] primaryTerms;
    private final Map<Integer, String> routings = new HashMap<>();

    /** Position in {@link #addresses} by rank, and rank by position. */
    private final int[] positions;

    private final int[] ranks;

    private final PairColumns pairs;

    private long twins;

    /** Positions of documents that nobody changes, because others are compared with them; null if there is only one side. */
    private final FixedBitSet others;

    /** What is known of each fingerprint, by rank; null where nobody has looked yet. Null if the job deletes nothing. */
    private final Freshness.State[] states;

    /** @param addresses ascending and distinct */
    private DocumentTable(JobRun run, long[] addresses, boolean isWritten) {
        boolean isDeleted = run.options().action() == DeduplicateOptions.Action.DELETE;
        run.memory()
                .take((long) addresses.length
                        * (BYTES + (isWritten ? VERSION_BYTES : 0) + (isDeleted ? STATE_BYTES : 0)));
        this.others = run.options().against() == null ? null : new FixedBitSet(addresses.length);
        this.states = isDeleted ? new Freshness.State[addresses.length] : null;
        this.pointInTime = run.pointInTime();
        this.addresses = addresses;
        this.ids = new PackedIds(addresses.length, run.memory());
        this.pairs = new PairColumns(run.fields().onLinks(), addresses.length, run.memory());
        this.sequenceNumbers = isWritten ? new long[addresses.length] : null;
        this.primaryTerms = isWritten ? new long[addresses.length] : null;
        this.positions = new int[addresses.length];
        this.ranks = new int[addresses.length];
    }

    /** Reads and ranks the documents: all ids, then the other values page by page. */
    public static DocumentTable read(JobRun run, PairConditions decided, long[] addresses, LongConsumer progress) {
        DeduplicateOptions options = run.options();
        boolean isWritten = options.action() != DeduplicateOptions.Action.REPORT || options.dest() != null;
        DocumentTable table = new DocumentTable(run, addresses, isWritten);
        try (Account ranking = new Account(run.memory())) {
            table.readIds(run, isWritten, ranking, progress);
            SurvivorValues values = new SurvivorValues(options.survivor(), addresses.length, ranking);
            if (decided.isEmpty() == false) {
                new PairScan(table.pointInTime).read(addresses, table.pairs.conditions(), decided, table.pairs::put);
            }
            if (isWritten || run.fields().survivor().isEmpty() == false) {
                table.readHits(run, values);
            }
            if (run.queries().against() != null) {
                table.findOthers(run);
            }
            table.rank(values, ranking);
            boolean mayHaveTwins =
                    options.sameId() == false && run.fields().indices().size() > 1;
            table.twins = mayHaveTwins ? table.findTwins(ranking) : 0;
        }
        return table;
    }

    private void readIds(JobRun run, boolean routed, Account memory, LongConsumer progress) {
        IdScan.Sink sink = (position, bytes, isRouting) -> {
            if (isRouting) {
                run.memory().take(ROUTING_BYTES + (long) bytes.length);
                routings.put(position, bytes.utf8ToString());
            } else {
                ids.put(position, bytes);
            }
        };
        new IdScan(pointInTime).read(addresses, routed, sink, memory, progress);
        for (int position = 0; position < addresses.length; position++) {
            if (ids.has(position) == false) {
                throw new IllegalStateException("no id of a document that was read before, in "
                        + indexAt(position).getName());
            }
        }
    }

    private void readHits(JobRun run, SurvivorValues values) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(false)
                .storedField(StoredFieldsContext._NONE_)
                .seqNoAndPrimaryTerm(sequenceNumbers != null);
        run.fields().survivor().forEach(source::sort);
        pointInTime.read(addresses, source, (address, hit) -> {
            int position = Arrays.binarySearch(addresses, address);
            values.put(position, hit);
            if (sequenceNumbers != null) {
                sequenceNumbers[position] = hit.getSeqNo();
                primaryTerms[position] = hit.getPrimaryTerm();
            }
        });
    }

    /** The routing of a document, or null if its id routes it. */
    public static String routing(SearchHit hit) {
        DocumentField routing = hit.field(RoutingFieldMapper.NAME);
        return routing == null ? null : routing.getValue();
    }

    private void rank(SurvivorValues values, Account memory) {
        IntBinaryOperator order = (a, b) -> {
            int byValues = values.compare(a, b, ids);
            int byIndex = byValues != 0
                    ? byValues
                    : indexAt(a).getName().compareTo(indexAt(b).getName());
            return byIndex != 0 ? byIndex : IdOrder.compare(ids.get(a), ids.get(b));
        };
        Ranking.sort(positions, position -> values.key(position, ids), order, memory);
        if (others != null) {
            // Only they survive.
            memory.take((long) positions.length * Integer.BYTES);
            int[] sorted = positions.clone();
            int[] next = {0, others.cardinality()};
            Arrays.stream(sorted).forEach(position -> positions[next[others.get(position) ? 0 : 1]++] = position);
        }
        for (int rank = 0; rank < positions.length; rank++) {
            ranks[positions[rank]] = rank;
        }
    }

    /** How many linked documents have the id of one in another index. */
    private long findTwins(Account memory) {
        int[] byId = new int[positions.length];
        memory.take((long) byId.length * Integer.BYTES);
        IntBinaryOperator order = (a, b) -> {
            int byName = IdOrder.compare(ids.get(a), ids.get(b));
            return byName != 0 ? byName : Integer.compare(a, b);
        };
        Ranking.sort(byId, position -> IdOrder.key(ids.get(position)), order, memory);
        return IntStream.range(1, byId.length)
                .filter(i -> ids.get(byId[i]).equals(ids.get(byId[i - 1]))
                        && indexAt(byId[i]).equals(indexAt(byId[i - 1])) == false)
                .count();
    }

    private Index indexAt(int position) {
        return pointInTime.shard(addresses[position]).getIndex();
    }

    private void findOthers(JobRun run) {
        LongStream.Builder unsure = LongStream.builder();
        for (int position = 0; position < addresses.length; position++) {
            String index = indexAt(position).getName();
            if (run.queries().isOfOthers(index)) {
                if (run.queries().isOfPath(index)) {
                    unsure.add(addresses[position]);
                } else {
                    others.set(position);
                }
            }
        }
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(false)
                .storedField(StoredFieldsContext._NONE_)
                .postFilter(run.queries().against());
        pointInTime.read(
                unsure.build().toArray(),
                source,
                (address, hit) -> others.set(Arrays.binarySearch(addresses, address)));
    }

    /** Whether a document is of the other side, with which those of the path are compared: it stays as it is. */
    public boolean isOther(int rank) {
        return others != null && others.get(positions[rank]);
    }

    /** The same of a document that people have compared others with. */
    public void setOther(int rank) {
        others.set(positions[rank]);
    }

    /** Whether links join the two sides only, and both documents are of one. */
    boolean areOfOneSide(int a, int b) {
        return others != null && isOther(a) == isOther(b);
    }

    /** How many documents are in another index, too: links must not join these. */
    public long twins() {
        return twins;
    }

    /** Whether two documents, by rank, are one document in two indices. */
    boolean areTwins(int a, int b) {
        return twins > 0 && index(a).equals(index(b)) == false && id(a).equals(id(b));
    }

    /** Whether links must meet conditions that the join does not know. */
    boolean hasConditions() {
        return pairs.isEmpty() == false;
    }

    /** Whether two documents, by rank, meet these conditions. */
    public boolean meet(int a, int b) {
        return pairs.areMet(positions[a], positions[b]);
    }

    /** Documents with equal keys never meet the conditions; 0 if there is no such key. */
    long apartKey(int rank) {
        return others == null ? pairs.apartKey(positions[rank]) : isOther(rank) ? 2 : 1;
    }

    public int size() {
        return addresses.length;
    }

    /** Ascending. */
    public long[] addresses() {
        return addresses;
    }

    /** By position of the address. */
    int[] ranks() {
        return ranks;
    }

    public long address(int rank) {
        return addresses[positions[rank]];
    }

    /** Rank of a document by address; negative if it has no link. */
    public int rank(long address) {
        int position = Arrays.binarySearch(addresses, address);
        return position < 0 ? -1 : ranks[position];
    }

    public String id(int rank) {
        return ids.get(positions[rank]);
    }

    /**
     * The index that the document was read from. An index that was deleted and created again is another one, even with
     * equal ids and sequence numbers.
     */
    public Index index(int rank) {
        return indexAt(positions[rank]);
    }

    public ShardId shard(int rank) {
        return pointInTime.shard(address(rank));
    }

    public String indexOf(int rank) {
        return index(rank).getName();
    }

    /** Null if the id routes the document. */
    public String routing(int rank) {
        return routings.get(positions[rank]);
    }

    /** Whether the fingerprint of a document is that of its text, in the version that was read; null if nobody has looked yet. */
    public Freshness.State state(int rank) {
        return states[rank];
    }

    public void judged(int rank, Freshness.State state) {
        states[rank] = state;
    }

    /** The job has written a document: from now on its version is this one. */
    public void written(int rank, long sequenceNumber, long primaryTerm) {
        sequenceNumbers[positions[rank]] = sequenceNumber;
        primaryTerms[positions[rank]] = primaryTerm;
    }

    public long sequenceNumber(int rank) {
        return sequenceNumbers[positions[rank]];
    }

    public long primaryTerm(int rank) {
        return primaryTerms[positions[rank]];
    }

    /** The survivor values by position; empty if the id alone decides. Not thread-safe. */
    private static final class SurvivorValues {

        private static final int VALUE_BYTES = 64;

        private final List<SurvivorField> fields;
        private final Account memory;

        private final Object[][] values;

        private boolean areWhole = true;

        SurvivorValues(List<SurvivorField> fields, int positions, Account memory) {
            this.fields = fields;
            this.memory = memory;
            boolean isNeeded = fields.stream().anyMatch(field -> field.isId() == false);
            memory.take(isNeeded ? (long) positions * Integer.BYTES : 0);
            this.values = isNeeded ? new Object[positions][] : null;
        }

        /** A missing value makes the two sorts of a field differ, and becomes null. */
        void put(int position, SearchHit hit) {
            if (values == null) {
                return;
            }
            Object[] raw = hit.getRawSortValues();
            Object[] ofHit = new Object[raw.length / 2];
            long bytes = 0;
            for (int i = 0; i < ofHit.length; i++) {
                ofHit[i] = Objects.equals(raw[2 * i], raw[2 * i + 1]) ? raw[2 * i] : null;
                bytes += VALUE_BYTES + (ofHit[i] instanceof BytesRef text ? text.length : 0);
            }
            areWhole &= ofHit.length == 0 || ofHit[0] == null || ofHit[0] instanceof Long;
            memory.take(bytes);
            values[position] = ofHit;
        }

        /** The key by the first field, for {@link Ranking}. */
        long key(int position, PackedIds ids) {
            SurvivorField first = fields.getFirst();
            if (first.isId()) {
                long ascending = IdOrder.key(ids.get(position));
                return first.ordered(1) > 0 ? ascending : ~ascending;
            }
            if (areWhole == false) {
                return 0;
            }
            if (values[position][0] instanceof Long value) {
                return first.ordered(1) > 0 ? value : ~value;
            }
            return Long.MAX_VALUE;
        }

        int compare(int a, int b, PackedIds ids) {
            int value = 0;
            for (SurvivorField field : fields) {
                int result = field.isId()
                        ? field.ordered(IdOrder.compare(ids.get(a), ids.get(b)))
                        : field.compare(values[a][value], values[b][value++]);
                if (result != 0) {
                    return result;
                }
            }
            return 0;
        }
    }

    /**
     * Ids by position, in the encoding of the index, with five bytes of overhead. A number of eight digits takes five
     * bytes, an id generated by OpenSearch 15. Not thread-safe.
     */
    public static final class PackedIds {

        private static final int NONE = -1;

        /** By the last bit of the position: each takes 2 GB. */
        private final BytesRefBlockPool[] ids = new BytesRefBlockPool[2];

        private final int[] starts;

        PackedIds(int positions, LongConsumer memory) {
            memory.accept((long) positions * Integer.BYTES);
            this.starts = new int[positions];
            Arrays.fill(starts, NONE);
            Arrays.setAll(ids, bit -> pool(memory));
        }

        private static BytesRefBlockPool pool(LongConsumer memory) {
            return new BytesRefBlockPool(new ByteBlockPool(new Allocator(ByteBlockPool.BYTE_BLOCK_SIZE) {

                private int left = Integer.MAX_VALUE;

                @Override
                public void recycleByteBlocks(byte[][] blocks, int start, int end) {}

                @Override
                public byte[] getByteBlock() {
                    left -= blockSize;
                    if (left < 0) {
                        throw new IllegalArgumentException("ids of near documents must take at most 4 GB, got: more");
                    }
                    memory.accept(blockSize);
                    return super.getByteBlock();
                }
            }));
        }

        void put(int position, BytesRef id) {
            starts[position] = ids[position & 1].addBytesRef(id);
        }

        boolean has(int position) {
            return starts[position] != NONE;
        }

        String get(int position) {
            BytesRef id = new BytesRef();
            ids[position & 1].fillBytesRef(id, starts[position]);
            return Uid.decodeId(id.bytes, id.offset, id.length);
        }

        /** The order of ids: numbers by value, then all other ids. */
        public static final class IdOrder {

            /** Numbers with fewer digits are longs. */
            private static final int LONG_DIGITS = 19;

            /** From here on numbers have one key. */
            private static final BigInteger LONG_NUMBERS = BigInteger.ONE.shiftLeft(62);

            /** Start of the keys of other ids; nine characters of seven bits follow. */
            private static final long NO_NUMBERS = 1L << 63;

            private static final int CHARACTERS = 9;
            private static final int CHARACTER_BITS = 7;
            private static final int LAST_CHARACTER = (1 << CHARACTER_BITS) - 1;

            private IdOrder() {}

            public static int compare(String a, String b) {
                boolean first = isNumber(a);
                boolean second = isNumber(b);
                if (first && second) {
                    int byValue = a.length() < LONG_DIGITS && b.length() < LONG_DIGITS
                            ? Long.compare(Long.parseLong(a), Long.parseLong(b))
                            : new BigInteger(a).compareTo(new BigInteger(b));
                    return byValue != 0 ? byValue : a.compareTo(b);
                }
                return first == second ? a.compareTo(b) : Boolean.compare(second, first);
            }

            /** A signed key in the order of ids. Different ids may have equal keys. */
            static long key(String id) {
                if (isNumber(id)) {
                    boolean isLong = id.length() < LONG_DIGITS;
                    long value = isLong
                            ? Long.parseLong(id)
                            : new BigInteger(id).min(LONG_NUMBERS).longValue();
                    return value ^ Long.MIN_VALUE;
                }
                long key = NO_NUMBERS;
                for (int i = 0, shift = CHARACTERS * CHARACTER_BITS; i < Math.min(CHARACTERS, id.length()); i++) {
                    shift -= CHARACTER_BITS;
                    int character = Math.min(id.charAt(i), LAST_CHARACTER);
                    key |= (long) character << shift;
                    if (character == LAST_CHARACTER) {
                        break;
                    }
                }
                return key ^ Long.MIN_VALUE;
            }

            private static boolean isNumber(String id) {
                for (int i = 0; i < id.length(); i++) {
                    if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                        return false;
                    }
                }
                return id.isEmpty() == false;
            }
        }
    }
}
