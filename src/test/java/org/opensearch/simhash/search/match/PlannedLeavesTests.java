/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.search.match.SimHashQuery.PlannedLeaves;

/** A leaf that was planned to time a search is searched by that plan, once. */
public class PlannedLeavesTests extends LuceneTestCase {

    private static final double ALL = Double.POSITIVE_INFINITY;

    private final List<LeafEffort> efforts = new ArrayList<>();

    public void testEachIsTakenOnceByTheThreadThatPlannedIt() throws Exception {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents(0), documents(50));
                DirectoryReader other = DirectoryReader.open(directory)) {
            List<LeafReaderContext> contexts = index.reader().leaves();
            PlannedLeaves leaves = query().plan(index.reader(), ALL);
            assertNull("another reader's", leaves.take(other.leaves().get(1)));
            Thread thread = new Thread(() -> assertNull(leaves.take(contexts.get(1))));
            thread.start();
            thread.join();
            assertNotNull(leaves.take(contexts.get(1)));
            assertNull(leaves.take(contexts.get(1)));
            assertNotNull(leaves.take(contexts.get(0)));
        }
    }

    public void testOfALongSearchOnlyTheFirstArePlanned() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents(0), documents(50))) {
            PlannedLeaves leaves = query().plan(index.reader(), 0);
            assertTrue(leaves.nanos() > 0);
            assertNotNull(leaves.take(index.reader().leaves().get(0)));
            assertNull(leaves.take(index.reader().leaves().get(1)));
        }
    }

    public void testTheNextSearchNeedNotPlan() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents(0), documents(50))) {
            List<FingerprintedDocument> documents = new ArrayList<>(documents(0));
            documents.addAll(documents(50));
            SimHashQuery query = query();
            query = query.with(query.plan(index.reader(), ALL));
            IndexSearcher searcher = index.searcher();
            for (int i = 0; i < 3; i++) {
                efforts.clear();
                assertEquals(FingerprintIndex.bruteForce(documents, query), FingerprintIndex.search(searcher, query));
                assertEquals(2, efforts.size());
                for (LeafEffort effort : efforts) {
                    assertEquals("counted where it was planned, or planned again", 4, effort.probes());
                }
            }
        }
    }

    private SimHashQuery query() {
        return new SimHashQuery(FingerprintedDocument.FIELDS, Target.of(0), 3, efforts::add, FingerprintIndex.PROBING);
    }

    private static List<FingerprintedDocument> documents(int first) {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = first; i < first + 50; i++) {
            documents.add(FingerprintedDocument.of(i, i, 4));
        }
        return documents;
    }
}
