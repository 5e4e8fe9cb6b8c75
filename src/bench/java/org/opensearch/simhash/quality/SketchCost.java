/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.opensearch.index.mapper.BinaryFieldMapper;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.SimHashQuery;

/** What both sketches of all texts of the sets cost: bytes in one Lucene index, time to make them, time to search. One thread. */
final class SketchCost {

    private static final int SEARCHES = 500;
    private static final int TIMED = 4_000;
    private static final double BEFORE_VERIFY = 0.69;

    private final Fingerprinter simhash;
    private final Fingerprinter minhash;
    private final List<SourceTexts> texts = new ArrayList<>();
    private final Table table = new Table("", "index bytes a document", "making it, µs a text", "search, median µs");

    private SketchCost(Fingerprinter simhash) {
        this.simhash = simhash;
        this.minhash = simhash.sketching();
    }

    static String table(List<DataSet> sets, NodeProcessors node) throws IOException {
        SketchCost cost = new SketchCost(node.create(Recipes.DEFAULT).fingerprinter());
        sets.forEach(set ->
                set.documents().forEach(document -> cost.texts.add(SourceTexts.of(document.text(), set.language()))));
        return cost.measure();
    }

    private String measure() throws IOException {
        Fingerprint[] fingerprints = new Fingerprint[texts.size()];
        SketchedText[] sketches = new SketchedText[texts.size()];
        Arrays.setAll(fingerprints, i -> simhash.fingerprint(texts.get(i), bytes -> {}));
        Arrays.setAll(sketches, i -> minhash.sketch(texts.get(i), bytes -> {}));
        row(
                "`simhash`, within 11 bits",
                i -> document(fingerprints[i]),
                making(text -> simhash.fingerprint(text, bytes -> {})),
                i -> new SimHashQuery(
                        FingerprintedDocument.fields("simhash"),
                        new Target(fingerprints[i].bits(), fingerprints[i].digest(), fingerprints[i].scheme()),
                        Verified.MAX_DISTANCE,
                        effort -> {}));
        row(
                "`minhash`, from 0.69",
                i -> document(sketches[i]),
                making(text -> minhash.sketch(text, bytes -> {})),
                i -> new MinHashQuery(
                        new IndexedFields("sketch", "digest", "scheme", List.of("bands")),
                        new SketchTarget(
                                sketches[i].sketch().orElse(null),
                                BandLayout.DEFAULT,
                                sketches[i].digest(),
                                sketches[i].scheme()),
                        BEFORE_VERIFY,
                        false,
                        effort -> {}));
        double both = making(text -> {
            simhash.fingerprint(text, bytes -> {});
            minhash.sketch(text, bytes -> {});
        });
        table.row("both in one pipeline", "", micros(both), "");
        return String.format(
                        Locale.ROOT,
                        "%,d texts of all sets in one Lucene index; one thread, on a machine that may have other work:%n%n",
                        texts.size())
                + table
                + "\n";
    }

    private void row(
            String name, Function<Integer, Document> documents, double making, Function<Integer, Query> queries)
            throws IOException {
        try (Directory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int i = 0; i < texts.size(); i++) {
                    writer.addDocument(documents.apply(i));
                }
                writer.forceMerge(1);
            }
            long bytes = 0;
            for (String file : directory.listAll()) {
                bytes += directory.fileLength(file);
            }
            table.row(
                    name,
                    String.format(Locale.ROOT, "%.0f", bytes / (double) texts.size()),
                    micros(making),
                    micros(searching(directory, queries)));
        }
    }

    private double searching(Directory directory, Function<Integer, Query> queries) throws IOException {
        double[] nanos = new double[SEARCHES];
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setQueryCache(null);
            for (int i = -SEARCHES; i < SEARCHES; i++) {
                Query query = queries.apply(Math.floorMod(i * 7_919, texts.size()));
                long start = System.nanoTime();
                searcher.search(query, 10);
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - start;
                }
            }
        }
        Arrays.sort(nanos);
        return nanos[SEARCHES / 2];
    }

    /** Nanoseconds a text. */
    private double making(Consumer<SourceTexts> way) {
        int step = Math.max(1, texts.size() / TIMED);
        long start = 0;
        int made = 0;
        for (int round = 0; round < 3; round++) {
            start = System.nanoTime();
            made = 0;
            for (int i = 0; i < texts.size(); i += step) {
                way.accept(texts.get(i));
                made++;
            }
        }
        return (System.nanoTime() - start) / (double) made;
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.0f", nanos / 1_000);
    }

    private static Document document(Fingerprint fingerprint) {
        Document document = new Document();
        FingerprintFields.of(fingerprint, new SegmentLayout(4)).forEach((part, value) -> {
            String field = "simhash." + part;
            switch (part) {
                case FingerprintFields.BITS -> document.add(new SortedNumericDocValuesField(field, (long) value));
                case FingerprintFields.FEATURES -> {}
                case FingerprintFields.SCHEME -> document.add(new KeywordField(field, (String) value, Field.Store.NO));
                default -> document.add(new StringField(field, (String) value, Field.Store.NO));
            }
        });
        return document;
    }

    private static Document document(SketchedText text) {
        Document document = new Document();
        text.sketch().ifPresent(sketch -> {
            for (String term : BandLayout.DEFAULT.terms(sketch)) {
                document.add(new StringField(FingerprintFields.BANDS, term, Field.Store.NO));
            }
            document.add(new BinaryFieldMapper.CustomBinaryDocValuesField(FingerprintFields.SKETCH, sketch.bytes()));
        });
        document.add(new StringField(FingerprintFields.DIGEST, text.digest(), Field.Store.NO));
        document.add(new KeywordField(FingerprintFields.SCHEME, text.scheme(), Field.Store.NO));
        return document;
    }
}
