/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.opensearch.index.mapper.BinaryFieldMapper;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.FingerprintRows;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.Print.SketchTarget;

/**
 * Sketches in one Lucene leaf and one thread: bytes of the fields, searches, and the join of a job. Documents of 200 features, one of ten
 * like an earlier one in 180 to 200 of them. Arguments: the number of documents; other bands and rows than those of default.
 */
public final class SketchLucene {

    private static final int FEATURES = 200;
    private static final int SEARCHES = 300;
    private static final String SCHEME = "m2-0a589bd5";

    private static BandLayout layout = BandLayout.DEFAULT;

    private SketchLucene() {}

    public static void main(String[] args) throws IOException {
        int documents = Integer.parseInt(args[0]);
        if (args.length > 1) {
            layout = new BandLayout(BandLayout.DEFAULT_PERMUTATIONS, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        }
        Path folder = Files.createTempDirectory("sketches");
        try (Directory directory = FSDirectory.open(folder)) {
            Sketch[] sketches = new Sketch[documents];
            Arrays.setAll(sketches, SketchLucene::sketch);
            index(sketches, directory);
            long bytes = 0;
            for (String file : directory.listAll()) {
                bytes += directory.fileLength(file);
            }
            System.out.printf(Locale.ROOT, "%,d documents: %.1f bytes each%n", documents, bytes / (double) documents);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                searcher.setQueryCache(null);
                search(searcher, sketches, 0.8, false);
                search(searcher, sketches, 0.5, false);
                search(searcher, sketches, 0.8, true);
            }
            join(sketches);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static Sketch sketch(int i) {
        Random own = new Random(i);
        Random features = i > 10 && i % 10 == 0 ? new Random(i - 7) : own;
        long[] all = features.longs(FEATURES).toArray();
        if (i > 10 && i % 10 == 0) {
            for (int j = own.nextInt(FEATURES / 10); j > 0; j--) {
                all[j] = own.nextLong();
            }
        }
        return Sketch.of(all, FEATURES, BandLayout.DEFAULT_PERMUTATIONS);
    }

    private static void index(Sketch[] sketches, Directory directory) throws IOException {
        Random digests = new Random(1);
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig().setRAMBufferSizeMB(256))) {
            for (Sketch sketch : sketches) {
                Document document = new Document();
                for (String term : layout.terms(sketch)) {
                    document.add(new StringField("bands", term, Field.Store.NO));
                }
                document.add(new BinaryFieldMapper.CustomBinaryDocValuesField("sketch", sketch.bytes()));
                String digest = String.format(Locale.ROOT, "%016x%016x", digests.nextLong(), digests.nextLong());
                document.add(new StringField("digest", digest, Field.Store.NO));
                document.add(new KeywordField("scheme", SCHEME, Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
    }

    private static void search(IndexSearcher searcher, Sketch[] sketches, double minimum, boolean containment)
            throws IOException {
        IndexedFields fields = new IndexedFields("sketch", "digest", "scheme", List.of("bands"));
        double[] millis = new double[SEARCHES];
        long found = 0;
        for (int i = -SEARCHES; i < SEARCHES; i++) {
            Sketch sketch = sketches[Math.floorMod(i * 7919, sketches.length)];
            SketchTarget target = new SketchTarget(sketch, layout, null, SCHEME);
            long start = System.nanoTime();
            long hits = searcher.search(new MinHashQuery(fields, target, minimum, containment, effort -> {}), 10)
                    .totalHits
                    .value();
            if (i >= 0) {
                millis[i] = (System.nanoTime() - start) / 1e6;
                found += hits;
            }
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "%s from %s: p50 %.3f ms, p95 %.3f ms, %.2f hits%n",
                containment ? "containment" : "similarity",
                minimum,
                millis[SEARCHES / 2],
                millis[SEARCHES * 95 / 100],
                found / (double) SEARCHES);
    }

    private static void join(Sketch[] sketches) {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        for (Path folder : Arrays.asList(null, Path.of(System.getProperty("java.io.tmpdir")))) {
            AtomicLong compared = new AtomicLong();
            long start = System.nanoTime();
            NearJoin join = new NearJoin(0, threads, 2, 1L << 32, compared::addAndGet);
            try (FingerprintRows rows = new FingerprintRows(
                    sketches.length, new Prints(BandLayout.DEFAULT_PERMUTATIONS, 0.8), folder, bytes -> {})) {
                rows.stratum(0, 0, 0);
                long[] words = new long[SketchWords.length(BandLayout.DEFAULT_PERMUTATIONS)];
                for (int i = 0; i < sketches.length; i++) {
                    SketchWords.write(sketches[i].bytes(), SketchWords.HEADER, BandLayout.DEFAULT_PERMUTATIONS, words, 0);
                    rows.addWords(i, SketchWords.hash(words, 0), 0, 0, words, 0);
                }
                NearJoin.Joined found = join.join(rows, Chunks.WHOLE, Wanted.ALL);
                System.out.printf(
                        Locale.ROOT,
                        "join at 0.8 %s: %.1f s, %,d pairs, %,d compared%n",
                        folder == null ? "on the heap" : "in a file",
                        (System.nanoTime() - start) / 1e9,
                        found.pairs(),
                        compared.get());
            }
        }
        threads.shutdown();
    }
}
