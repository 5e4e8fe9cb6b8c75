/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.opensearch.simhash.benchmark.Spread;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * An index of one Lucene leaf, built once and kept below {@code target}: fingerprints and their segments, one scheme, and a
 * filter that a thousand documents pass. Ten million documents take a minute or two to index.
 */
final class BenchmarkIndex {

    static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;
    static final Query FILTER = new TermQuery(new Term("filter", "thousand"));
    static final String SCHEME = "v1-0badcafe";
    private static final long SEED = 42;

    private final Spread distribution;
    private final int documents;
    private final SegmentLayout layout;

    BenchmarkIndex(Spread distribution, int documents, int segments) {
        this.distribution = distribution;
        this.documents = documents;
        this.layout = new SegmentLayout(segments);
    }

    /** Opens the index, building it first when there is none. */
    DirectoryReader open() throws IOException {
        String name = distribution + "-" + documents + "-of" + layout.count();
        Path path = Path.of(System.getProperty("benchmark.indexes", "target/benchmark-indexes"), name);
        Files.createDirectories(path);
        Directory directory = new MMapDirectory(path);
        if (DirectoryReader.indexExists(directory) == false) {
            build(directory);
        }
        return DirectoryReader.open(directory);
    }

    /** Fingerprints of indexed documents with up to {@code flips} bits changed: what near-duplicates look like. */
    long[] targets(int count, int flips) {
        LongSupplier source = distribution.fingerprints(SEED);
        SplittableRandom random = new SplittableRandom(7);
        long[] targets = new long[count];
        for (int i = 0; i < count; i++) {
            for (int skip = random.nextInt(1000); skip >= 0; skip--) {
                targets[i] = source.getAsLong();
            }
            for (int flip = random.nextInt(flips + 1); flip > 0; flip--) {
                targets[i] ^= 1L << random.nextInt(Long.SIZE);
            }
        }
        return targets;
    }

    private void build(Directory directory) throws IOException {
        long start = System.nanoTime();
        IndexWriterConfig config = new IndexWriterConfig().setRAMBufferSizeMB(1024).setUseCompoundFile(false);
        LongSupplier source = distribution.fingerprints(SEED);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            Document document = new Document();
            SortedNumericDocValuesField bits = new SortedNumericDocValuesField(FIELDS.bits(), 0);
            document.add(bits);
            document.add(new StringField(FIELDS.scheme(), SCHEME, Field.Store.NO));
            StringField filter = new StringField("filter", "", Field.Store.NO);
            document.add(filter);
            List<StringField> segments = new ArrayList<>();
            for (int i = 0; i < layout.count(); i++) {
                segments.add(new StringField(FIELDS.segment(i), "", Field.Store.NO));
            }
            segments.forEach(document::add);
            for (int doc = 0; doc < documents; doc++) {
                long fingerprint = source.getAsLong();
                bits.setLongValue(fingerprint);
                filter.setStringValue(doc % (documents / 1000) == 0 ? "thousand" : "rest");
                String[] terms = layout.terms(fingerprint);
                for (int i = 0; i < terms.length; i++) {
                    segments.get(i).setStringValue(terms[i]);
                }
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        System.out.printf(
                Locale.ROOT,
                "built %s-%d-of%d in %d s%n",
                distribution,
                documents,
                layout.count(),
                (System.nanoTime() - start) / 1_000_000_000);
    }
}
