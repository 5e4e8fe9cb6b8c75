/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.simhash.search.match.Print.Target;

/** A search that nobody waits for ends while it scans, not only between Lucene leaves. */
public class CancellationTests extends LuceneTestCase {

    private static final int DOCUMENTS = 50_000;

    public void testAScanEndsSoonAfterTheSearchIsCancelled() throws IOException {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(FingerprintedDocument.of(i, random().nextLong(), 4));
        }
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            Query all = new SimHashQuery(
                    FingerprintedDocument.fields("simhash"),
                    new Target(OptionalLong.of(0), null, null),
                    Long.SIZE,
                    effort -> {});
            Query several = new BooleanQuery.Builder()
                    .add(all, Occur.SHOULD)
                    .add(
                            new SimHashQuery(
                                    FingerprintedDocument.fields("simhash"),
                                    new Target(OptionalLong.of(1), null, null),
                                    40,
                                    effort -> {}),
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
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(
                        directory, List.of(FingerprintedDocument.of(0, 0, 4), FingerprintedDocument.of(1, -1, 4)))) {
            List<Query> several = new ArrayList<>();
            for (int i = 0; i < fingerprints; i++) {
                Target target = new Target(OptionalLong.of(i), null, null);
                several.add(new SimHashQuery(FingerprintedDocument.fields("simhash"), target, 3, effort -> {}));
            }
            AtomicInteger asked = new AtomicInteger();
            QueryTimeout never = () -> asked.incrementAndGet() < 0;
            IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(index.reader(), never));
            searcher.setQueryCache(null);
            assertEquals(1, searcher.count(new DisjunctionMaxQuery(several, 0)));
            assertTrue("to open and to plan, asked " + asked, asked.get() >= 2 * fingerprints);
        }
    }

    /** OpenSearch answers with what it has when a leaf is scored for too long, but not when it is opened. */
    public void testAnEndIsToldWhereALeafIsScored() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, List.of(FingerprintedDocument.of(0, 0, 4)))) {
            AtomicBoolean isOver = new AtomicBoolean();
            IndexSearcher searcher = new IndexSearcher(new ExitableDirectoryReader(index.reader(), isOver::get));
            searcher.setQueryCache(null);
            Query query = new SimHashQuery(FingerprintedDocument.fields("simhash"), Target.of(0), 3, effort -> {});
            Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE, 1);
            isOver.set(true);
            ScorerSupplier supplier =
                    weight.scorerSupplier(searcher.getIndexReader().leaves().getFirst());
            assertEquals("nothing was planned", 0, supplier.cost());
            DocIdSetIterator matches = supplier.get(Long.MAX_VALUE).iterator();
            expectThrows(ExitableDirectoryReader.ExitingReaderException.class, matches::nextDoc);
            BulkScorer bulk =
                    weight.bulkScorer(searcher.getIndexReader().leaves().getFirst());
            expectThrows(
                    ExitableDirectoryReader.ExitingReaderException.class,
                    () -> bulk.score(new Collected().getLeafCollector(null), null, 0, 1));
        }
    }

    /** By points where there are some, which OpenSearch's documents have, else by terms. */
    public void testALeafIsAskedByWhatItHas() throws IOException {
        Document points = new Document();
        points.add(new LongPoint("_seq_no", 0));
        Document both = FingerprintedDocument.of(0, 0, 4).toLucene();
        both.add(new LongPoint("_seq_no", 0));
        for (Document document :
                List.of(points, FingerprintedDocument.of(0, 0, 4).toLucene(), both)) {
            AtomicInteger asked = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            Runnable asking = () -> {
                asked.incrementAndGet();
                if (isOver.get()) {
                    throw new TaskCancelledException("over");
                }
            };
            try (Directory directory = FingerprintIndex.newDirectory()) {
                try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                    writer.addDocument(document);
                }
                try (DirectoryReader reader = DirectoryReader.open(directory);
                        ContextIndexSearcher searcher = new ContextIndexSearcher(
                                reader,
                                IndexSearcher.getDefaultSimilarity(),
                                null,
                                IndexSearcher.getDefaultQueryCachingPolicy(),
                                true,
                                null,
                                null)) {
                    searcher.addQueryCancellation(asking);
                    Cancellation cancellation = new Cancellation(
                            searcher.getIndexReader().leaves().getFirst().reader());
                    assertEquals("to be made asks nobody", 0, asked.get());
                    cancellation.check();
                    assertEquals(1, asked.get());
                    assertFalse(cancellation.isDue());
                    isOver.set(true);
                    expectThrows(TaskCancelledException.class, cancellation::check);
                    assertTrue(cancellation.isDue());
                }
            }
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
