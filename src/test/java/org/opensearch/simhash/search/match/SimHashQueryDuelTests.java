/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * The query against brute force over the documents as they were given: with Lucene's random codecs, merges, wrapped readers
 * and checking searchers, every plan wherever it is possible.
 */
public class SimHashQueryDuelTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;
    private static final int DOCUMENTS = 200;

    /** Each distance up to this one is tried, and each time a quarter of the others: few plans differ there. */
    private static final int EACH = 24;

    private final Map<String, FingerprintedDocument> live = new TreeMap<>();

    public void testEqualsBruteForceForEveryDistanceNumberOfSegmentsAndDistribution() throws IOException {
        for (FingerprintDistribution distribution : FingerprintDistribution.values()) {
            for (int segments = 2; segments <= 8; segments++) {
                long centre = random().nextLong();
                List<FingerprintedDocument> documents = new ArrayList<>();
                for (int i = 0; i < DOCUMENTS; i++) {
                    documents.add(FingerprintedDocument.of(i, distribution.next(random(), centre), segments));
                }
                duel(documents, List.of(Target.of(centre)));
            }
        }
    }

    public void testEqualsBruteForceWhereSomeDocumentsHaveNoFingerprint() throws IOException {
        for (int segments = 2; segments <= 8; segments++) {
            long centre = random().nextLong();
            List<FingerprintedDocument> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                long bits = FingerprintDistribution.NEAR.next(random(), centre);
                FingerprintedDocument document = FingerprintedDocument.of(i, bits, segments)
                        .withDigest("d" + random().nextInt(30))
                        .withScheme("v1-a");
                documents.add(random().nextInt(5) == 0 ? document.withBits() : document);
            }
            Target target = new Target(OptionalLong.of(centre), "d1", "v1-a");
            duel(documents, List.of(target, Target.of(centre)));
        }
    }

    /** More of each than are handed out at a time. */
    public void testEqualsBruteForceWhereMostMatchByFingerprintOrByDigest() throws IOException {
        long centre = random().nextLong();
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < 5 * MatchBatch.WINDOW; i++) {
            long bits = FingerprintDistribution.REPEATED.next(random(), centre);
            FingerprintedDocument document =
                    FingerprintedDocument.of(i, bits, 4).withDigest("d" + random().nextInt(2));
            documents.add(random().nextInt(5) == 0 ? document.withBits() : document);
        }
        duel(documents, List.of(new Target(OptionalLong.of(centre), "d1", null)));
    }

    public void testEqualsBruteForceWhereLayoutsAreMixedSegmentsMissingOrValuesSeveral() throws IOException {
        for (int round = 0; round < 6; round++) {
            long centre = random().nextLong();
            List<FingerprintedDocument> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                documents.add(oddDocument(i, centre));
            }
            Target full = new Target(OptionalLong.of(centre), "d1", "v1-a");
            Target shortText = new Target(OptionalLong.empty(), "d2", "v1-a");
            Target unknownScheme = new Target(OptionalLong.of(centre), "d3", "v1-c");
            duel(documents, List.of(full, shortText, unknownScheme));
        }
    }

    private FingerprintedDocument oddDocument(int id, long centre) {
        Random random = random();
        long bits = FingerprintDistribution.NEAR.next(random, centre);
        FingerprintedDocument document = FingerprintedDocument.of(id, bits, random.nextInt(6) + 2)
                .withScheme(random.nextBoolean() ? "v1-a" : random.nextBoolean() ? "v1-b" : null)
                .withDigest(random.nextInt(4) == 0 ? null : "d" + random.nextInt(20));
        return switch (random.nextInt(6)) {
            case 0 -> document.withBits();
            case 1 -> document.withBits(bits, FingerprintDistribution.NEAR.next(random, centre));
            case 2 -> document.without(random.nextInt(2));
            default -> document;
        };
    }

    private void duel(List<FingerprintedDocument> documents, List<Target> targets) throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory()) {
            index(documents, directory);
            try (IndexReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = newSearcher(reader);
                for (Target target : targets) {
                    for (int distance = 0; distance <= 64; distance++) {
                        if (distance <= EACH || distance == 64 || random().nextInt(4) == 0) {
                            assertEqualsBruteForce(searcher, query(target, distance));
                        }
                    }
                }
                // It takes deleted documents for mistakes of the scorer, and longer than all else.
                if (reader.hasDeletions() == false && random().nextInt(12) == 0) {
                    Target target = targets.get(random().nextInt(targets.size()));
                    QueryUtils.check(random(), query(target, random().nextInt(20)), searcher);
                }
            }
        }
    }

    private static SimHashQuery query(Target target, int distance) {
        CostModel costs = switch (random().nextInt(5)) {
            case 0 -> CostModel.MEASURED;
            case 1 -> FingerprintIndex.COUNTING;
            default -> FingerprintIndex.PROBING;
        };
        return new SimHashQuery(FIELDS, target, distance, effort -> {}, costs);
    }

    /** In one leaf or several, with or without deleted documents. */
    private void index(List<FingerprintedDocument> documents, Directory directory) throws IOException {
        live.clear();
        try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory, newIndexWriterConfig())) {
            for (FingerprintedDocument document : documents) {
                writer.addDocument(document.toLucene());
                live.put(document.id(), document);
            }
            for (int i = random().nextBoolean() ? 0 : TestUtil.nextInt(random(), 1, 10); i > 0; i--) {
                String deleted = "" + random().nextInt(documents.size());
                writer.deleteDocuments(new Term("id", deleted));
                live.remove(deleted);
            }
            if (random().nextBoolean()) {
                writer.forceMerge(1);
            }
        }
    }

    private void assertEqualsBruteForce(IndexSearcher searcher, SimHashQuery query) throws IOException {
        Map<String, Float> expected = FingerprintIndex.bruteForce(live.values(), query);
        assertEquals(query.toString(), expected, FingerprintIndex.search(searcher, query));
        if (random().nextInt(4) == 0) {
            assertEquals(query.toString(), expected.size(), searcher.count(query));
        }
    }
}
