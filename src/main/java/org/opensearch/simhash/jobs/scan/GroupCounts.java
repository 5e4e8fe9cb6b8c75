/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.CollectionTerminatedException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.fielddata.LeafNumericFieldData;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;

/**
 * How many documents each group has, of those that a query selects: 32 bytes for each group and leaf. Shards take some 20 ns for a
 * document and 0.2 µs for a group. Groups are told apart by hashes of 64 bits. Immutable.
 */
public final class GroupCounts {

    private static final int BYTES = 4 * Long.BYTES;

    /** Documents with a group, in one search. Each of them may be a group of its own. */
    private static final int MOST = 1 << 22;

    /** Ascending and distinct. */
    private final long[] hashes;

    private final int[] counts;
    /** Addresses of one document each. */
    private final long[] documents;
    /** Negative if there is none. */
    private final double[] sizes;

    private GroupCounts(int rows) {
        this.hashes = new long[rows];
        this.counts = new int[rows];
        this.documents = new long[rows];
        this.sizes = new double[rows];
    }

    /**
     * The groups that a document has left, or was deleted from, as far as counts tell: those without a survivor, those of one document
     * that is to be in none, and those of another size than their survivor says.
     */
    public static long[] stale(
            PointInTime pointInTime,
            QueryBuilder grouped,
            QueryBuilder survivors,
            String field,
            String size,
            boolean mayBeAlone,
            LongConsumer memory) {
        long documents = pointInTime.count(grouped);
        QueryBuilder both = new BoolQueryBuilder().filter(grouped).filter(survivors);
        LongStream.Builder stale = LongStream.builder();
        int slices = (int) (documents / MOST) + 1;
        for (int slice = 0; slice < slices; slice++) {
            try (Account counted = new Account(memory)) {
                counted.take(2 * (documents / slices) * BYTES);
                GroupCounts all = read(pointInTime, grouped, field, null, slice, slices);
                GroupCounts ofSurvivors = read(pointInTime, both, field, size, slice, slices);
                for (int group = 0; group < all.hashes.length; group++) {
                    int survivor = ofSurvivors.indexOf(all.hashes[group]);
                    boolean isAlone = all.counts[group] == 1;
                    boolean isWrong = survivor >= 0
                            && size != null
                            && (isAlone
                                    ? ofSurvivors.sizes[survivor] >= 0
                                    : ofSurvivors.sizes[survivor] != all.counts[group]);
                    if (survivor < 0 || (isAlone && mayBeAlone == false) || isWrong) {
                        stale.add(all.documents[group]);
                    }
                }
            }
        }
        return stale.build().sorted().toArray();
    }

    private static GroupCounts read(
            PointInTime pointInTime, QueryBuilder query, String field, String size, int slice, int slices) {
        List<RowPage> shards =
                pointInTime.pages(query, GroupsReader.KIND, new GroupsReader.Page(field, size, slice, slices));
        LongStream.Builder found = LongStream.builder();
        shards.forEach(shard -> Row.forEach(shard, row -> found.add(row.hash)));
        long[] hashes = found.build().sorted().distinct().toArray();
        GroupCounts all = new GroupCounts(hashes.length);
        System.arraycopy(hashes, 0, all.hashes, 0, hashes.length);
        Arrays.fill(all.sizes, -1);
        shards.forEach(shard -> Row.forEach(shard, row -> {
            int group = all.indexOf(row.hash);
            all.counts[group] += row.count;
            all.documents[group] = pointInTime.address(shard.shard(), row.document);
            all.sizes[group] = Math.max(all.sizes[group], row.size);
        }));
        return all;
    }

    /** Negative if no document is of such a group. */
    private int indexOf(long hash) {
        return Arrays.binarySearch(hashes, hash);
    }

    /**
     * A group in a leaf of a shard.
     *
     * @param document one of them, by number in the shard's reader
     * @param size the largest; negative if there is none
     */
    private record Row(long hash, int count, int document, double size) {

        void write(StreamOutput out) throws IOException {
            out.writeLong(hash);
            out.writeVInt(count);
            out.writeVInt(document);
            out.writeDouble(size);
        }

        static void forEach(RowPage page, Consumer<Row> taker) {
            page.forEach(in -> taker.accept(new Row(in.readLong(), in.readVInt(), in.readVInt(), in.readDouble())));
        }
    }

    /** Counts the matching documents by the value of a keyword: a row for each value in each leaf. */
    static final class GroupsReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_groups", Page::new, GroupsReader::new);

        /** @param size a number, of which the largest of each group is wanted; null for none */
        record Page(String field, String size, int slice, int slices) implements Writeable {

            Page(StreamInput in) throws IOException {
                this(in.readString(), in.readOptionalString(), in.readVInt(), in.readVInt());
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeString(field);
                out.writeOptionalString(size);
                out.writeVInt(slice);
                out.writeVInt(slices);
            }
        }

        private static final int BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

        private final Page page;
        private final PageShard shard;
        private final boolean isMapped;
        private final MappedFieldType sizeType;

        /** The leaf that is being read; null before the first. */
        private Leaf leaf;

        private GroupsReader(Page page, PageShard shard) {
            this.page = page;
            this.shard = shard;
            MapperService mapper = shard.context().getMapperService();
            this.isMapped = mapper.fieldType(page.field) != null;
            this.sizeType = page.size == null ? null : mapper.fieldType(page.size);
        }

        @Override
        public Documents open(LeafReaderContext next) throws IOException {
            endLeaf();
            SortedSetDocValues groups =
                    isMapped ? DocValues.getSortedSet(next.reader(), page.field) : DocValues.emptySortedSet();
            if (groups.getValueCount() == 0) {
                throw new CollectionTerminatedException();
            }
            leaf = new Leaf(next, groups, sizes(next));
            return leaf;
        }

        private SortedNumericDoubleValues sizes(LeafReaderContext next) {
            return sizeType != null
                            && sizeType.isAggregatable()
                            && shard.context().getForField(sizeType).load(next) instanceof LeafNumericFieldData numbers
                    ? numbers.getDoubleValues()
                    : null;
        }

        private final class Leaf implements Documents {

            private final int docBase;
            private final SortedSetDocValues groups;
            /** Null if they are not wanted, or not there. */
            private final SortedNumericDoubleValues sizeOf;

            private final int[] count;
            private final int[] any;
            private final double[] largest;
            private final long bytes;

            Leaf(LeafReaderContext leaf, SortedSetDocValues groups, SortedNumericDoubleValues sizeOf) {
                this.docBase = leaf.docBase;
                this.groups = groups;
                this.sizeOf = sizeOf;
                int values = Math.toIntExact(groups.getValueCount());
                this.bytes = (long) values * BYTES;
                shard.memory().accept(bytes);
                this.count = new int[values];
                this.any = new int[values];
                this.largest = sizeOf == null ? null : new double[values];
                if (largest != null) {
                    Arrays.fill(largest, -1);
                }
            }

            @Override
            public void take(int doc) throws IOException {
                if (groups.advanceExact(doc) == false) {
                    return;
                }
                double size = -1;
                if (sizeOf != null && sizeOf.advanceExact(doc)) {
                    for (int i = sizeOf.docValueCount(); i > 0; i--) {
                        size = Math.max(size, sizeOf.nextValue());
                    }
                }
                for (int i = groups.docValueCount(); i > 0; i--) {
                    int ordinal = (int) groups.nextOrd();
                    count[ordinal]++;
                    any[ordinal] = docBase + doc;
                    if (largest != null) {
                        largest[ordinal] = Math.max(largest[ordinal], size);
                    }
                }
            }

            /** In the order of the ordinals, so that each block of terms is decoded once. */
            void end() throws IOException {
                for (int ordinal = 0; ordinal < count.length; ordinal++) {
                    if (count[ordinal] > 0) {
                        long hash = LeafColumns.hash(groups.lookupOrd(ordinal));
                        if (Math.floorMod(hash, page.slices) == page.slice) {
                            new Row(hash, count[ordinal], any[ordinal], largest == null ? -1 : largest[ordinal])
                                    .write(shard.rows().next());
                        }
                    }
                }
                shard.memory().accept(-bytes);
            }
        }

        private void endLeaf() throws IOException {
            if (leaf != null) {
                leaf.end();
                leaf = null;
            }
        }

        @Override
        public void end(StreamOutput head) throws IOException {
            endLeaf();
        }
    }
}
