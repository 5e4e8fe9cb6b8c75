/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** The query against brute force over the documents as they were given. */
public class SimHashQueryDuelTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;

    private final Map<String, FingerprintedDocument> live = new TreeMap<>();

    public void testEqualsBruteForceForEveryDistanceNumberOfSegmentsAndDistribution() throws IOException {
        for (FingerprintDistribution distribution : FingerprintDistribution.values()) {
            for (int segments = 2; segments <= 8; segments++) {
                long centre = random().nextLong();
                List<FingerprintedDocument> documents = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    documents.add(FingerprintedDocument.of(i, distribution.next(random(), centre), segments));
                }
                duel(documents, List.of(Target.of(centre), Target.of(random().nextLong())));
            }
        }
    }

    public void testEqualsBruteForceWhereLayoutsAreMixedSegmentsMissingOrValuesSeveral() throws IOException {
        for (int round = 0; round < 10; round++) {
            long centre = random().nextLong();
            List<FingerprintedDocument> documents = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                documents.add(oddDocument(i, centre));
            }
            Target bare = Target.of(centre);
            Target full = new Target(OptionalLong.of(centre), "d1", "v1-a");
            Target shortText = new Target(OptionalLong.empty(), "d2", "v1-a");
            Target unknownScheme = new Target(OptionalLong.of(centre), "d3", "v1-c");
            duel(documents, List.of(bare, full, shortText, unknownScheme));
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
        try (Directory directory = newDirectory()) {
            IndexWriterConfig config = newIndexWriterConfig();
            try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory, config)) {
                live.clear();
                for (FingerprintedDocument document : documents) {
                    writer.addDocument(document.toLucene());
                    live.put(document.id(), document);
                }
                for (int i = TestUtil.nextInt(random(), 0, 10); i > 0; i--) {
                    String deleted = "" + random().nextInt(documents.size());
                    writer.deleteDocuments(new Term("id", deleted));
                    live.remove(deleted);
                }
                if (random().nextBoolean()) {
                    writer.forceMerge(1);
                }
            }
            try (IndexReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = newSearcher(reader);
                for (Target target : targets) {
                    for (int distance = 0; distance <= 64; distance++) {
                        assertEqualsBruteForce(searcher, new SimHashQuery(FIELDS, target, distance));
                    }
                    if (reader.hasDeletions() == false
                            && random().nextInt(8) == 0) { // it takes deleted documents for mistakes of the scorer
                        QueryUtils.check(random(), new SimHashQuery(FIELDS, target, random().nextInt(65)), searcher);
                    }
                }
            }
        }
    }

    private void assertEqualsBruteForce(IndexSearcher searcher, SimHashQuery query) throws IOException {
        Map<String, Float> expected = new TreeMap<>();
        live.forEach((id, document) -> {
            int distance = document.distance(query.target());
            if (distance <= query.maxDistance()) {
                expected.put(id, 1f - distance / 64f);
            }
        });
        TopDocs found = searcher.search(query, Math.max(1, live.size()));
        Map<String, Float> actual = new TreeMap<>();
        for (ScoreDoc hit : found.scoreDocs) {
            actual.put(searcher.storedFields().document(hit.doc).get("id"), hit.score);
        }
        assertEquals(query.toString(), expected, actual);
        assertEquals(query.toString(), expected.size(), searcher.count(query));
    }
}
