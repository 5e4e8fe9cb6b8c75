/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.search.match.Print.Target;

/** The nearest of many targets against brute force, and how often a leaf is opened for that. */
public class NearestTargetsTests extends LuceneTestCase {

    private static final IndexedFields FIELDS = FingerprintedDocument.FIELDS;

    public void testEqualsBruteForce() throws IOException {
        long centre = random().nextLong();
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Long[] bits = new Long[random().nextInt(4)];
            for (int j = 0; j < bits.length; j++) {
                bits[j] = FingerprintDistribution.NEAR.next(random(), centre);
            }
            documents.add(FingerprintedDocument.of(i, 0, 4)
                    .withBits(bits)
                    .withScheme(random().nextInt(4) == 0 ? null : "v1-" + random().nextInt(3))
                    .withDigest(random().nextInt(4) == 0 ? null : "d" + random().nextInt(30)));
        }
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            LeafReaderContext leaf = index.reader().leaves().getFirst();
            for (int maxDistance : List.of(0, 3, 10, 64)) {
                List<SimHashQuery> queries = targets(random().nextInt(20) + 1, centre, maxDistance);
                NearestTargets nearest = new NearestTargets(leaf, queries);
                for (int doc = 0; doc < documents.size(); doc += random().nextInt(3)) {
                    int found = nearest.distance(doc, () -> {});
                    FingerprintedDocument document = documents.get(doc);
                    int least = queries.stream()
                            .mapToInt(query -> document.distance(query.target()))
                            .min()
                            .orElseThrow();
                    assertEquals(document.toString(), least <= maxDistance ? least : NearestTargets.NONE, found);
                }
            }
        }
    }

    private static List<SimHashQuery> targets(int count, long centre, int maxDistance) {
        List<SimHashQuery> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            OptionalLong bits = OptionalLong.of(FingerprintDistribution.NEAR.next(random(), centre));
            String digest = "d" + random().nextInt(100);
            String scheme = random().nextInt(4) == 0 ? null : "v1-" + random().nextInt(4);
            Target target = switch (random().nextInt(3)) {
                case 0 -> new Target(OptionalLong.empty(), digest, scheme);
                case 1 -> new Target(bits, null, scheme);
                default -> new Target(bits, digest, scheme);
            };
            queries.add(new SimHashQuery(FIELDS, target, maxDistance, effort -> {}));
        }
        return queries;
    }

    /** A document of thousands of fingerprints asks for as many targets, for each hit. */
    public void testALeafIsOpenedOnceForAllTargetsAndDocuments() throws IOException {
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            documents.add(FingerprintedDocument.of(i, i, 4).withScheme("v1-1").withDigest("d" + i));
        }
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            CountedOpenings leaf =
                    new CountedOpenings(index.reader().leaves().getFirst().reader());
            List<SimHashQuery> queries = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                Target target = new Target(OptionalLong.of(-i), "d" + i, "v1-1");
                queries.add(new SimHashQuery(FIELDS, target, 3, effort -> {}));
            }
            NearestTargets nearest = new NearestTargets(leaf.getContext(), queries);
            for (int doc = 0; doc < leaf.maxDoc(); doc++) {
                assertEquals(0, nearest.distance(doc, () -> {}));
            }
            assertEquals("doc values once, terms of schemes and of digests", 3, leaf.openings);
            assertTrue("" + nearest.bytes(), nearest.bytes() > 0);
        }
    }

    public void testACancelledSearchEndsInTheMiddleOfADocument() throws IOException {
        Long[] bits = new Long[2_000];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = -1L - i;
        }
        List<FingerprintedDocument> documents =
                List.of(FingerprintedDocument.of(0, 0, 0).withBits(bits).withDigest("x"));
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            List<SimHashQuery> queries = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                queries.add(new SimHashQuery(FIELDS, Target.of(i), 3, effort -> {}));
            }
            NearestTargets nearest = new NearestTargets(index.reader().leaves().getFirst(), queries);
            AtomicInteger checks = new AtomicInteger();
            assertThrows(
                    IllegalStateException.class,
                    () -> nearest.distance(0, () -> {
                        if (checks.incrementAndGet() == 3) {
                            throw new IllegalStateException("cancelled");
                        }
                    }));
            assertEquals(3, checks.get());
        }
    }

    private static final class CountedOpenings extends FilterLeafReader {

        private int openings;

        CountedOpenings(LeafReader in) {
            super(in);
        }

        @Override
        public SortedNumericDocValues getSortedNumericDocValues(String field) throws IOException {
            openings++;
            return super.getSortedNumericDocValues(field);
        }

        @Override
        public Terms terms(String field) throws IOException {
            openings++;
            return super.terms(field);
        }

        @Override
        public CacheHelper getCoreCacheHelper() {
            return null;
        }

        @Override
        public CacheHelper getReaderCacheHelper() {
            return null;
        }
    }
}
