/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** With the codec of production: the statistics that are read here are its promises. */
public class LeafFingerprintsTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;

    public void testReadsTheNumberOfSegmentsFromTheLeaf() throws IOException {
        for (int segments = 2; segments <= 8; segments++) {
            LeafFingerprints leaf = read(documents(50, segments));
            assertEquals(segments, leaf.layout().count());
            assertEquals(segments, leaf.segments().size());
            assertEquals(50, leaf.documents());
        }
    }

    public void testCountsExactlyWhereSomeDocumentsHaveNoFingerprint() throws IOException {
        List<FingerprintedDocument> documents = documents(3000, 4);
        for (int i = 0; i < documents.size(); i += 7) {
            documents.set(i, documents.get(i).withBits());
        }
        LeafFingerprints leaf = read(documents);
        assertEquals(3000 - 429, leaf.documents());
        assertEquals(4, leaf.layout().count());
    }

    public void testDeletedDocumentsCountUntilTheyAreMergedAway() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (FingerprintedDocument document : documents(100, 4)) {
                writer.addDocument(document.toLucene());
            }
            writer.commit();
            writer.deleteDocuments(new Term("id", "17"));
            assertEquals(4, read(writer).layout().count());
            assertEquals(100, read(writer).documents());
            writer.forceMerge(1);
            assertEquals(4, read(writer).layout().count());
            assertEquals(99, read(writer).documents());
        }
    }

    public void testMixedLayoutsAreNotTrusted() throws IOException {
        List<FingerprintedDocument> documents = documents(50, 4);
        documents.addAll(documents(1, 6));
        assertScannedOnly(documents, 51);
    }

    public void testMissingSegmentsAreNotTrusted() throws IOException {
        for (int missing = 0; missing < 4; missing++) {
            List<FingerprintedDocument> documents = documents(50, 4);
            documents.set(20, documents.get(20).without(missing));
            assertScannedOnly(documents, 50);
        }
        List<FingerprintedDocument> documents = documents(50, 4);
        documents.replaceAll(document -> document.without(3));
        assertScannedOnly(documents, 50); // three segments, of the widths of four
        documents.replaceAll(document -> document.without(0));
        assertScannedOnly(documents, 50);
    }

    public void testSeveralFingerprintsInADocumentAreNotTrusted() throws IOException {
        List<FingerprintedDocument> documents = documents(50, 4);
        documents.set(20, documents.get(20).withBits(1L, 2L));
        assertScannedOnly(documents, 50);
    }

    public void testTermsThatAreNoSegmentValuesAreNotTrusted() throws IOException {
        for (String term : List.of("9F2C", "zzzz", "9f2c0", "9f2", "", "9f2c9f2c9f2c9f2c9f2c")) {
            Document document = new Document();
            document.add(new SortedNumericDocValuesField(FIELDS.bits(), 0));
            for (int i = 0; i < 4; i++) {
                document.add(new StringField(FIELDS.segment(i), i == 2 ? term : "0000", Field.Store.NO));
            }
            try (Directory directory = FingerprintIndex.newDirectory();
                    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                writer.addDocument(document);
                assertNull(term, read(writer).layout());
            }
        }
    }

    public void testALeafWithoutFingerprintsHasNone() throws IOException {
        assertNull(read(
                documents(3, 4).stream().map(document -> document.withBits()).toList()));
    }

    private static void assertScannedOnly(List<FingerprintedDocument> documents, int expected) throws IOException {
        LeafFingerprints leaf = read(documents);
        assertNull(leaf.layout());
        assertEquals(expected, leaf.documents());
    }

    private static List<FingerprintedDocument> documents(int count, int segments) {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(FingerprintedDocument.of(i, random().nextLong(), segments));
        }
        return documents;
    }

    private static LeafFingerprints read(List<FingerprintedDocument> documents) throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            return LeafFingerprints.of(index.reader().leaves().get(0).reader(), FIELDS);
        }
    }

    private static LeafFingerprints read(IndexWriter writer) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
            return LeafFingerprints.of(reader.leaves().get(0).reader(), FIELDS);
        }
    }
}
