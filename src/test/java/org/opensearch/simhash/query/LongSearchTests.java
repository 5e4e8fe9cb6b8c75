/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.match.FingerprintedDocument;
import org.opensearch.simhash.match.IndexedFields;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.match.Target;

public class LongSearchTests extends LuceneTestCase {

    private static final int DOCUMENTS = 5000;

    public void testAScanIsExpectedToTakeAsLongAsThereAreDocuments() throws IOException {
        try (Directory directory = newDirectory();
                DirectoryReader reader = index(directory)) {
            assertFalse("few documents", LongSearch.isPossible(reader));
            assertEquals(DOCUMENTS, LongSearch.nanos(List.of(within(40)), reader), DOCUMENTS / 5.0);
            assertEquals(2 * DOCUMENTS, LongSearch.nanos(List.of(within(40), within(50)), reader), DOCUMENTS / 2.5);
            assertFalse("microseconds", LongSearch.isExpected(List.of(within(40)), reader));
        }
    }

    public void testAFewLookUpsTakeNoTime() throws IOException {
        try (Directory directory = newDirectory();
                DirectoryReader reader = index(directory)) {
            assertTrue(LongSearch.nanos(List.of(within(0)), reader) < DOCUMENTS / 2.0);
        }
    }

    private static SimHashQuery within(int distance) {
        return new SimHashQuery(IndexedFields.below("simhash"), Target.of(random().nextLong()), distance);
    }

    private static DirectoryReader index(Directory directory) throws IOException {
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (int i = 0; i < DOCUMENTS; i++) {
                writer.addDocument(
                        FingerprintedDocument.of(i, random().nextLong(), 4).toLucene());
            }
            writer.forceMerge(1);
        }
        return DirectoryReader.open(directory);
    }
}
