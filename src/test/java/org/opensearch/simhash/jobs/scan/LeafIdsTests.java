/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.Uid;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.jobs.scan.IdScan.IdsReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.Rows;

class LeafIdsTests {

    private static final int DOCUMENTS = 1_000;
    private static final ShardId SHARD = new ShardId("docs", "uuid", 0);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @Test
    void testEachDocumentThatIsWantedComesOnce() throws IOException {
        try (Directory directory = new ByteBuffersDirectory()) {
            write(directory);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                assertTrue(reader.leaves().size() > 1);
                // Of few they are read from the stored fields, of many from the terms.
                for (int oneOf : new int[] {1, 3, 400}) {
                    assertRead(reader, oneOf);
                }
            }
        }
    }

    private void assertRead(DirectoryReader reader, int oneOf) throws IOException {
        Map<Integer, String> expected = new HashMap<>();
        Map<Integer, String> expectedRoutings = new HashMap<>();
        FixedBitSet wanted = new FixedBitSet(reader.maxDoc());
        for (int doc = 0; doc < reader.maxDoc(); doc++) {
            if (random.nextInt(oneOf) == 0) {
                wanted.set(doc);
                Document stored = reader.storedFields().document(doc);
                expected.put(doc, decoded(stored.getBinaryValue("_id")));
                if (stored.get("_routing") != null) {
                    expectedRoutings.put(doc, stored.get("_routing"));
                }
            }
        }
        Map<Integer, String> ids = new HashMap<>();
        Map<Integer, String> routings = new HashMap<>();
        read(reader, wanted).forEach(in -> {
            int document = in.readVInt();
            boolean isRouting = in.readBoolean();
            BytesRef bytes = in.readBytesRef();
            assertNull(isRouting ? routings.put(document, bytes.utf8ToString()) : ids.put(document, decoded(bytes)));
        });
        assertEquals(expected, ids);
        assertEquals(expectedRoutings, routings);
    }

    /** As the aggregation does it. */
    private static RowPage read(DirectoryReader reader, FixedBitSet wanted) throws IOException {
        Rows rows = new Rows(bytes -> {});
        IdsReader ids = new IdsReader(true, rows, bytes -> {});
        for (LeafReaderContext leaf : reader.leaves()) {
            PageReader.Documents documents = ids.open(leaf);
            for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
                if (wanted.get(leaf.docBase + doc)) {
                    documents.take(doc);
                }
            }
        }
        return rows.page(SHARD, ids::end);
    }

    private static String decoded(BytesRef id) {
        return Uid.decodeId(id.bytes, id.offset, id.length);
    }

    private void write(Directory directory) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                Document document = new Document();
                String id = random.nextBoolean() ? "" + random.nextInt(1 << 30) : "text-" + random.nextInt(1 << 30);
                document.add(new StringField("_id", Uid.encodeId(id + i), Field.Store.YES));
                if (random.nextInt(5) == 0) {
                    document.add(new StringField("_routing", "user-" + random.nextInt(3), Field.Store.YES));
                }
                writer.addDocument(document);
                if (i == DOCUMENTS / 3) {
                    writer.commit();
                }
            }
        }
    }
}
