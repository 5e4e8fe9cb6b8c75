/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.Print.Target;

/** The lookup of many documents at once against brute force, leaf by leaf. */
public class NearestOfEachQueryTests extends LuceneTestCase {

    private static final String AGE = "age";

    private record Aged(FingerprintedDocument document, long age) {}

    private record Found(Aged aged, int distance) {}

    public void testEqualsBruteForceForUniformFingerprints() throws IOException {
        duel(FingerprintDistribution.UNIFORM, 3, 1000, 200);
    }

    public void testEqualsBruteForceForCrowdedFingerprints() throws IOException {
        duel(FingerprintDistribution.SKEWED, 2, 500, 40);
    }

    public void testEqualsBruteForceForRepeatedFingerprints() throws IOException {
        duel(FingerprintDistribution.REPEATED, 2, 500, 40);
    }

    public void testEqualsBruteForceForFingerprintsAtAllDistances() throws IOException {
        duel(FingerprintDistribution.NEAR, 2, 500, 40);
    }

    private void duel(FingerprintDistribution distribution, int leaves, int documents, int targets) throws IOException {
        long centre = random().nextLong();
        for (int segments : new int[] {2, 3, 4, 5, 8}) {
            List<List<Aged>> all = new ArrayList<>();
            Set<String> deleted = new TreeSet<>();
            for (int leaf = 0; leaf < leaves; leaf++) {
                List<Aged> some = new ArrayList<>();
                for (int i = 0; i < documents; i++) {
                    int id = leaf * documents + i;
                    some.add(new Aged(
                            document(id, distribution.next(random(), centre), segments), random().nextInt(documents)));
                    if (random().nextInt(10) == 0) {
                        deleted.add("" + id);
                    }
                }
                all.add(some);
            }
            List<Target> wanted = new ArrayList<>();
            for (int i = 0; i < targets; i++) {
                List<Aged> some = all.get(random().nextInt(leaves));
                List<Long> bits = some.get(random().nextInt(documents)).document.bits();
                long near = bits.isEmpty() ? random().nextLong() : bits.getFirst();
                wanted.add(target(FingerprintDistribution.flip(random(), near, random().nextInt(6))));
            }
            assertEqualsBruteForce(all, deleted, wanted);
        }
    }

    private static FingerprintedDocument document(int id, long bits, int segments) {
        Random random = random();
        FingerprintedDocument document = FingerprintedDocument.of(id, bits, segments)
                .withDigest("d" + random.nextInt(500))
                .withScheme(random.nextInt(20) == 0 ? "v1-b" : "v1-a");
        return random.nextInt(20) == 0 ? document.withBits() : document;
    }

    private static Target target(long bits) {
        Random random = random();
        return new Target(
                random.nextInt(20) == 0 ? OptionalLong.empty() : OptionalLong.of(bits),
                "d" + random.nextInt(500),
                random.nextInt(20) == 0 ? "v1-b" : random.nextInt(20) == 0 ? null : "v1-a");
    }

    private static void assertEqualsBruteForce(List<List<Aged>> leaves, Set<String> deleted, List<Target> targets)
            throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory()) {
            IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                for (List<Aged> leaf : leaves) {
                    for (Aged aged : leaf) {
                        Document document = new Document();
                        aged.document.toLucene().forEach(document::add);
                        document.add(new NumericDocValuesField(AGE, aged.age));
                        writer.addDocument(document);
                    }
                    writer.flush();
                }
                for (String id : deleted) {
                    writer.deleteDocuments(new Term("id", id));
                }
            }
            try (IndexReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                List<List<Found>> nearest = new ArrayList<>();
                for (List<Aged> leaf : leaves) {
                    for (Target target : targets) {
                        nearest.add(nearest(leaf, deleted, target));
                    }
                }
                for (int distance : new int[] {0, 2, 3, 4, 6, 10, 20, 64}) {
                    NearestOfEachQuery query =
                            new NearestOfEachQuery(FingerprintedDocument.FIELDS, AGE, targets, distance);
                    Set<String> expected = new TreeSet<>();
                    for (List<Found> found : nearest) {
                        found.stream()
                                .filter(near -> near.distance <= distance)
                                .forEach(near -> expected.add(near.aged.document.id()));
                    }
                    Map<String, Float> found = FingerprintIndex.search(searcher, query);
                    assertEquals(query.toString(), expected, new TreeSet<>(found.keySet()));
                }
                QueryUtils.check(new NearestOfEachQuery(FingerprintedDocument.FIELDS, AGE, targets, 3));
            }
        }
    }

    /** The nearest of a leaf, whatever their distance: a bound only takes some from the end. */
    private static List<Found> nearest(List<Aged> leaf, Set<String> deleted, Target target) {
        return leaf.stream()
                .filter(aged -> deleted.contains(aged.document.id()) == false)
                .map(aged -> new Found(aged, aged.document.distance(target)))
                .sorted(Comparator.comparingInt(Found::distance)
                        .thenComparingLong(found -> found.aged.age)
                        .thenComparingInt(found -> Integer.parseInt(found.aged.document.id())))
                .limit(NearestOfEachQuery.KEPT)
                .toList();
    }
}
