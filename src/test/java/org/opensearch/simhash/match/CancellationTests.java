/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** A search that nobody waits for ends while it scans, not only between Lucene leaves. */
public class CancellationTests extends LuceneTestCase {

    private static final int DOCUMENTS = 50_000;

    public void testAScanEndsSoonAfterTheSearchIsCancelled() throws IOException {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(FingerprintedDocument.of(i, random().nextLong(), 4));
        }
        try (Directory directory = newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            Query all = new SimHashQuery(
                    IndexedFields.below("simhash"), new Target(OptionalLong.of(0), null, null), Long.SIZE);
            Query several = new BooleanQuery.Builder()
                    .add(all, Occur.SHOULD)
                    .add(
                            new SimHashQuery(
                                    IndexedFields.below("simhash"), new Target(OptionalLong.of(1), null, null), 40),
                            Occur.SHOULD)
                    .build();
            for (Query query : List.of(all, several)) {
                Collected collected = new Collected();
                IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(index.reader(), collected));
                searcher.setQueryCache(null);
                expectThrows(
                        ExitableDirectoryReader.ExitingReaderException.class,
                        () -> searcher.search(query, new Only(collected)));
                assertTrue("" + collected.count, collected.count > DOCUMENTS / 5);
                assertTrue("" + collected.count, collected.count < DOCUMENTS / 2);
            }
        }
    }

    /** Each of thousands of fingerprints takes long enough to plan for that nobody should wait for all of them. */
    public void testASearchForManyFingerprintsAsksForEach() throws IOException {
        int fingerprints = 1000;
        try (Directory directory = newDirectory();
                FingerprintIndex index = FingerprintIndex.of(
                        directory, List.of(FingerprintedDocument.of(0, 0, 4), FingerprintedDocument.of(1, -1, 4)))) {
            List<Query> several = new ArrayList<>();
            for (int i = 0; i < fingerprints; i++) {
                Target target = new Target(OptionalLong.of(i), null, null);
                several.add(new SimHashQuery(IndexedFields.below("simhash"), target, 3));
            }
            AtomicInteger asked = new AtomicInteger();
            QueryTimeout never = () -> asked.incrementAndGet() < 0;
            IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(index.reader(), never));
            searcher.setQueryCache(null);
            assertEquals(1, searcher.count(new DisjunctionMaxQuery(several, 0)));
            assertTrue("to open and to plan, asked " + asked, asked.get() >= 2 * fingerprints);
        }
    }

    private record Only(Collected collector) implements CollectorManager<Collected, Integer> {

        @Override
        public Collected newCollector() {
            return collector;
        }

        @Override
        public Integer reduce(Collection<Collected> collectors) {
            return collector.count;
        }
    }

    /** Cancels the search when a fifth of the documents was collected. */
    private static final class Collected extends SimpleCollector implements QueryTimeout {

        private int count;

        @Override
        public void collect(int doc) {
            count++;
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }

        @Override
        public boolean shouldExit() {
            return count > DOCUMENTS / 5;
        }
    }
}
