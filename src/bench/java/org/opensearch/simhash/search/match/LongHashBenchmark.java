/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.simhash.search.match.Print.Target;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.FingerprintRows;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;

/**
 * Searches of hashes of 256 bits in one Lucene leaf, one thread: by the plan that the query chooses, and by a scan; time of
 * the processor. Half of the
 * targets are near a hash of the index. Then the links of all hashes, as a job joins them on all processors, and among hashes of which
 * half are equal in a word. Arguments: number of hashes, number of searches.
 */
public final class LongHashBenchmark {

    private LongHashBenchmark() {}

    public static void main(String[] args) throws IOException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int searches = args.length > 1 ? Integer.parseInt(args[1]) : 400;
        Path path = Files.createTempDirectory("long-hashes");
        try (FSDirectory directory = FSDirectory.open(path)) {
            Random random = new Random(1);
            LongHash[] hashes = new LongHash[count];
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig().setRAMBufferSizeMB(256))) {
                for (int i = 0; i < count; i++) {
                    hashes[i] = i % 100 == 1 ? flip(hashes[i - 1], random.nextInt(32), random) : random(random);
                    writer.addDocument(document(hashes[i]));
                }
                writer.forceMerge(1);
            }
            long bytes = 0;
            for (String file : directory.listAll()) {
                bytes += directory.fileLength(file);
            }
            System.out.printf(Locale.ROOT, "%d hashes, %.1f bytes each%n", count, bytes / (double) count);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                searcher.setQueryCache(null);
                for (int distance : new int[] {0, 15, 31, 47, 64}) {
                    measure(searcher, hashes, distance, searches, CostModel.LONG);
                    measure(searcher, hashes, distance, Math.max(20, searches / 10), SCAN);
                }
            }
            join(hashes, "random");
            for (int i = 0; i < count; i += 2) {
                hashes[i] = new LongHash(5, hashes[i].word(1), hashes[i].word(2), hashes[i].word(3));
            }
            join(hashes, "half of them equal in a word");
        } finally {
            IOUtils.rm(path);
        }
    }

    private static void join(LongHash[] hashes, String which) {
        int threads = Runtime.getRuntime().availableProcessors();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int distance : new int[] {12, 31, 47}) {
                AtomicLong memory = new AtomicLong();
                AtomicLong most = new AtomicLong();
                LongConsumer account = bytes -> most.accumulateAndGet(memory.addAndGet(bytes), Math::max);
                long start = System.nanoTime();
                try (FingerprintRows rows = new FingerprintRows(hashes.length, Prints.HASHES, null, account)) {
                    rows.stratum(0, 0, 0);
                    long[] words = new long[SketchWords.length(LongHash.MOST_BITS / Byte.SIZE)];
                    for (int i = 0; i < hashes.length; i++) {
                        SketchWords.write(hashes[i].toBytes(), 0, LongHash.MOST_BITS / Byte.SIZE, words, 0);
                        rows.addWords(i, SketchWords.hash(words, 0), 0, 0, words, 0);
                    }
                    NearJoin join = new NearJoin(distance, executor, threads, 1L << 30, pairs -> {});
                    long pairs = join.join(rows, Chunks.WHOLE, Wanted.ALL).pairs();
                    System.out.printf(
                            Locale.ROOT,
                            "job within %2d bits, %s: %.1f s, %d pairs, %.0f bytes a hash%n",
                            distance,
                            which,
                            (System.nanoTime() - start) / 1e9,
                            pairs,
                            most.get() / (double) hashes.length);
                }
            }
        }
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final CostModel SCAN = new CostModel(0, 1e9, 1e9, 1e9, 1e12, 1e9, 1);

    private static void measure(IndexSearcher searcher, LongHash[] hashes, int distance, int searches, CostModel costs)
            throws IOException {
        Random random = new Random(2);
        IndexedFields fields = new IndexedFields("bits_256", "digest", "scheme", "segment_", "");
        long[] nanos = new long[searches];
        long found = 0;
        for (int i = -searches / 4; i < searches; i++) {
            LongHash target = random.nextBoolean()
                    ? flip(hashes[random.nextInt(hashes.length)], random.nextInt(distance + 1), random)
                    : random(random);
            SimHashQuery query =
                    new SimHashQuery(fields, Target.of(target, null), distance, effort -> {}, costs);
            long start = THREADS.getCurrentThreadCpuTime();
            int hits = searcher.search(query, 10).scoreDocs.length;
            if (i >= 0) {
                nanos[i] = THREADS.getCurrentThreadCpuTime() - start;
                found += hits;
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "within %2d bits, %s: p50 %8.0f us, p90 %8.0f us, %d found%n",
                distance,
                costs.equals(SCAN) ? "scan" : "plan",
                nanos[searches / 2] / 1e3,
                nanos[searches * 9 / 10] / 1e3,
                found);
    }

    private static Document document(LongHash hash) throws IOException {
        Document document = new Document();
        byte[] value = new byte[34];
        ByteArrayDataOutput out = new ByteArrayDataOutput(value);
        out.writeVInt(1);
        out.writeVInt(32);
        out.writeBytes(hash.toBytes(), 32);
        document.add(new BinaryDocValuesField("bits_256", new BytesRef(value)));
        String[] terms = new SegmentLayout(16, 4).terms(hash);
        for (int i = 0; i < terms.length; i++) {
            document.add(new StringField("segment_" + i, terms[i], Field.Store.NO));
        }
        return document;
    }

    private static LongHash random(Random random) {
        return new LongHash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    private static LongHash flip(LongHash hash, int count, Random random) {
        byte[] bytes = hash.toBytes();
        for (int i = 0; i < count; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }
}
