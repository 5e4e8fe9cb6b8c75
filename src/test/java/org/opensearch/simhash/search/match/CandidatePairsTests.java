/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import static org.opensearch.simhash.search.match.FingerprintedDocument.FIELDS;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOConsumer;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.Print.Target;

/** Pairs of documents and targets that share a term, whatever the buffer that they are handed on in. */
public class CandidatePairsTests extends LuceneTestCase {

    private static final int DOCUMENTS = 400;
    private static final int TARGETS = 30;
    private static final int[] BUFFERS = {1, 7, 64, 1000, 1 << 17};

    private final List<FingerprintedDocument> documents = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();

    public void testEveryPairIsHandedOn() throws IOException {
        fill();
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            LeafReader reader =
                    index.searcher().getIndexReader().leaves().getFirst().reader();
            LeafFingerprints leaf = LeafFingerprints.of(reader, FIELDS);
            ProbePlan plan = new ProbePlan(new int[] {1, 0, -1, 2});
            long[] bits = targets.stream()
                    .mapToLong(target -> target.bits().getAsLong())
                    .toArray();
            for (int buffer : BUFFERS) {
                Set<String> found = new TreeSet<>();
                pairs(reader, buffer, found).sharingDigests(reader.terms(FIELDS.digest()), targets);
                assertEquals(sharingDigests(), found);

                found.clear();
                assertTrue(pairs(reader, buffer, found).sharingSegments(leaf, plan, bits, Long.MAX_VALUE));
                assertEquals(sharingSegments(leaf.layout(), plan), found);

                // Each target shares a value with the document that it is near to.
                assertFalse(pairs(reader, buffer, found).sharingSegments(leaf, plan, bits, TARGETS - 1));
            }
        }
    }

    private void fill() {
        long centre = random().nextLong();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(FingerprintedDocument.of(i, FingerprintDistribution.SKEWED.next(random(), centre), 4)
                    .withDigest("d" + random().nextInt(5)));
        }
        for (int i = 0; i < TARGETS; i++) {
            long near = documents.get(random().nextInt(DOCUMENTS)).bits().getFirst();
            long bits = FingerprintDistribution.flip(random(), near, random().nextInt(4));
            targets.add(new Target(OptionalLong.of(bits), "d" + random().nextInt(6), null));
        }
    }

    private static CandidatePairs pairs(LeafReader reader, int buffer, Set<String> found) {
        IOConsumer<CandidatePairs> consumer = pairs -> {
            assertTrue(pairs.size() <= buffer);
            for (int i = 0; i < pairs.size(); i++) {
                assertTrue("in the order of the documents", i == 0 || pairs.doc(i - 1) <= pairs.doc(i));
                found.add(pairs.doc(i) + " " + pairs.target(i));
            }
        };
        return new CandidatePairs(consumer, new Cancellation(reader), buffer);
    }

    private Set<String> sharingDigests() {
        Set<String> pairs = new TreeSet<>();
        for (int doc = 0; doc < DOCUMENTS; doc++) {
            for (int target = 0; target < TARGETS; target++) {
                if (Objects.equals(
                        documents.get(doc).digest(), targets.get(target).digest())) {
                    pairs.add(doc + " " + target);
                }
            }
        }
        return pairs;
    }

    private Set<String> sharingSegments(SegmentLayout layout, ProbePlan plan) {
        Set<String> pairs = new TreeSet<>();
        for (int doc = 0; doc < DOCUMENTS; doc++) {
            for (int target = 0; target < TARGETS; target++) {
                long differing = documents.get(doc).bits().getFirst()
                        ^ targets.get(target).bits().getAsLong();
                for (int segment = 0; segment < layout.count(); segment++) {
                    if (Long.bitCount(layout.value(differing, segment)) <= plan.radius(segment)) {
                        pairs.add(doc + " " + target);
                    }
                }
            }
        }
        return pairs;
    }
}
