/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.options.SurvivorField;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;

/**
 * The documents that are near to any other: their ids, the sequence numbers they were read with, and their rank by the survivor
 * order. About 200 bytes each, longer ids besides, and while they are ranked the survivor's values.
 */
public final class DocumentTable {

    private static final int PAGE = 5_000;
    private static final int BYTES = 200;
    private static final int ROUTING_BYTES = 120;
    /** Of an id that those are enough for. */
    private static final int SHORT_ID = 40;

    private static final int VALUE_BYTES = 64;
    private static final int LONG_DIGITS = 19;

    private final PointInTime pointInTime;
    private final long[] addresses;
    private final String[] ids;
    private final long[] sequenceNumbers;
    private final long[] primaryTerms;
    private final Map<Integer, String> routings = new HashMap<>();

    /** Position in {@link #addresses} by rank, and rank by position. */
    private final int[] positions;

    private final int[] ranks;

    /** @param addresses ascending, each once */
    private DocumentTable(PointInTime pointInTime, long[] addresses) {
        this.pointInTime = pointInTime;
        this.addresses = addresses;
        this.ids = new String[addresses.length];
        this.sequenceNumbers = new long[addresses.length];
        this.primaryTerms = new long[addresses.length];
        this.positions = new int[addresses.length];
        this.ranks = new int[addresses.length];
    }

    /**
     * Reads the documents in pages, and ranks them.
     *
     * @param progress takes the number of documents of each page
     */
    public static DocumentTable read(JobRun run, IgnoredValues ignored, long[] addresses, LongConsumer progress) {
        List<SurvivorField> survivor = run.options().survivor();
        run.memory().take((long) addresses.length * BYTES);
        DocumentTable table = new DocumentTable(run.pointInTime(), addresses);
        Object[][] values = new Object[addresses.length][];
        try (Account ranking = new Account(run.memory())) {
            for (int from = 0; from < addresses.length; from += PAGE) {
                int to = Math.min(addresses.length, from + PAGE);
                table.readPage(Arrays.copyOfRange(addresses, from, to), run, ignored, values);
                ranking.take(bytes(values, from, to));
                run.memory().take(bytes(table.ids, from, to));
                run.task().ensureNotCancelled();
                progress.accept(to - from);
            }
            table.rank(values, survivor);
        }
        return table;
    }

    private static long bytes(Object[][] values, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to && values[i] != null; i++) {
            for (Object value : values[i]) {
                bytes += VALUE_BYTES + (value instanceof BytesRef text ? text.length : 0);
            }
        }
        return bytes;
    }

    private static long bytes(String[] ids, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += ids[i] == null ? 0 : Character.BYTES * Math.max(0L, ids[i].length() - SHORT_ID);
        }
        return bytes;
    }

    private void readPage(long[] page, JobRun run, IgnoredValues ignored, Object[][] values) {
        SearchSourceBuilder source = new SearchSourceBuilder().seqNoAndPrimaryTerm(true);
        if (ignored.paths().isEmpty()) {
            source.fetchSource(false);
        } else {
            source.fetchSource(ignored.paths().toArray(String[]::new), null);
        }
        run.fields().survivor().forEach(source::sort);
        pointInTime.read(page, source, (address, hit) -> {
            ignored.check(hit);
            int position = Arrays.binarySearch(addresses, address);
            ids[position] = hit.getId();
            sequenceNumbers[position] = hit.getSeqNo();
            primaryTerms[position] = hit.getPrimaryTerm();
            values[position] = sortValues(hit);
            String routing = routing(hit);
            if (routing != null) {
                run.memory().take(ROUTING_BYTES + (long) Character.BYTES * routing.length());
                routings.put(position, routing);
            }
        });
    }

    /** What a document was routed by when not by its id, or null. */
    public static String routing(SearchHit hit) {
        DocumentField routing = hit.field(RoutingFieldMapper.NAME);
        return routing == null ? null : routing.getValue();
    }

    /** Of each survivor field the value; null where the two sorts by it do not agree, because it is missing. */
    private static Object[] sortValues(SearchHit hit) {
        Object[] raw = hit.getRawSortValues();
        Object[] values = new Object[raw.length / 2];
        for (int i = 0; i < values.length; i++) {
            values[i] = Objects.equals(raw[2 * i], raw[2 * i + 1]) ? raw[2 * i] : null;
        }
        return values.length == 0 ? null : values;
    }

    private void rank(Object[][] values, List<SurvivorField> survivor) {
        Integer[] order = new Integer[addresses.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> {
            int value = 0;
            for (SurvivorField field : survivor) {
                int result = field.isId()
                        ? field.ordered(compareIds(ids[a], ids[b]))
                        : field.compare(values[a][value], values[b][value++]);
                if (result != 0) {
                    return result;
                }
            }
            int byIndex = indexAt(a).getName().compareTo(indexAt(b).getName());
            return byIndex != 0 ? byIndex : compareIds(ids[a], ids[b]);
        });
        for (int rank = 0; rank < order.length; rank++) {
            positions[rank] = order[rank];
            ranks[order[rank]] = rank;
        }
    }

    private Index indexAt(int position) {
        return pointInTime
                .shards()
                .get(pointInTime.shardOf(addresses[position]))
                .getIndex();
    }

    /** Numbers compare as numbers, and come before all others. */
    static int compareIds(String a, String b) {
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

    private static boolean isNumber(String id) {
        if (id == null || id.isEmpty()) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    public int size() {
        return addresses.length;
    }

    long[] addresses() {
        return addresses;
    }

    /** By position of the address. */
    int[] ranks() {
        return ranks;
    }

    public long address(int rank) {
        return addresses[positions[rank]];
    }

    /** Rank of the document at an address; negative when it is near to none. */
    public int rank(long address) {
        int position = Arrays.binarySearch(addresses, address);
        return position < 0 ? -1 : ranks[position];
    }

    public String id(int rank) {
        return ids[positions[rank]];
    }

    /**
     * That the document was read from. One that was deleted and made again is another one: its documents may have the ids and
     * sequence numbers of those that were read.
     */
    public Index index(int rank) {
        return indexAt(positions[rank]);
    }

    /** The shard that the document was read from. */
    public ShardId shard(int rank) {
        return pointInTime.shards().get(pointInTime.shardOf(address(rank)));
    }

    public String indexOf(int rank) {
        return index(rank).getName();
    }

    /** Null when a document is routed by its id. */
    public String routing(int rank) {
        return routings.get(positions[rank]);
    }

    public long sequenceNumber(int rank) {
        return sequenceNumbers[positions[rank]];
    }

    public long primaryTerm(int rank) {
        return primaryTerms[positions[rank]];
    }
}
