/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;

/** The query on hashes of 256 bits against brute force, with every plan and both ways to store them. */
public class LongHashQueryTests extends LuceneTestCase {

    private static final int DOCUMENTS = 150;

    private enum Distribution {
        UNIFORM,
        NEAR,
        /** All differences in one word: others share all their segments. */
        ONE_WORD,
        /** As many differences in each word as can escape the plan. */
        SPREAD,
        REPEATED
    }

    /** @param hashes none, one or several */
    private record Stored(String id, List<LongHash> hashes, int segments, boolean hasSegments, String scheme) {

        int distance(Target target) {
            boolean isOfScheme = target.scheme() == null || target.scheme().equals(scheme);
            return isOfScheme
                    ? hashes.stream().mapToInt(target.hash()::distance).min().orElse(1000)
                    : 1000;
        }
    }

    private final Map<String, Stored> live = new TreeMap<>();
    private boolean isText;
    private int checks;

    public void testEqualsBruteForceForEveryDistanceLengthAndDistribution() throws IOException {
        for (Distribution distribution : Distribution.values()) {
            for (int round = 0; round < Rounds.of(1, 4); round++) {
                List<Integer> counts = List.of(8, 12, 16);
                int segments = counts.get(random().nextInt(counts.size()));
                LongHash centre = random(4);
                List<Stored> documents = new ArrayList<>();
                for (int i = 0; i < DOCUMENTS; i++) {
                    List<LongHash> one = List.of(next(distribution, centre));
                    documents.add(new Stored("" + i, one, segments, true, "s"));
                }
                duel(
                        documents,
                        List.of(
                                Target.of(centre, null),
                                Target.of(next(distribution, centre), null),
                                Target.of(flip(centre, random().nextInt(32), 0, centre.length()), null),
                                Target.of(documents.getFirst().hashes().getFirst(), "s")));
            }
        }
        assertTrue("" + checks, checks >= 1_000);
    }

    public void testEqualsBruteForceWhereHashesAreMissingSeveralOrOfMixedLayouts() throws IOException {
        for (int round = 0; round < 4; round++) {
            LongHash centre = random(4);
            List<Stored> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                List<LongHash> hashes = new ArrayList<>();
                for (int j = random().nextInt(round + 1) == 0 ? 1 : random().nextInt(3); j > 0; j--) {
                    hashes.add(next(Distribution.NEAR, centre));
                }
                boolean hasSegments = round < 2 || random().nextInt(20) > 0;
                int segments = round == 3 && random().nextBoolean() ? 8 : 16;
                documents.add(new Stored("" + i, hashes, segments, hasSegments, random().nextBoolean() ? "a" : "b"));
            }
            duel(documents, List.of(Target.of(centre, "a"), Target.of(centre, null), Target.of(centre, "c")));
        }
    }

    /** 31 of 256 bits: radius 1 in 16 segments, 272 values. */
    public void testThirtyOneOf256BitsTake272Values() {
        SegmentLayout layout = new SegmentLayout(16, 4);
        ProbePlan plan = ProbePlan.cheapest(
                layout,
                31,
                (segment, radius) -> {
                    double values = 0;
                    for (int ring = 0; ring <= radius; ring++) {
                        values += ProbePlan.choose(16, ring);
                    }
                    return values;
                },
                Double.POSITIVE_INFINITY);
        assertEquals(272, plan.values(layout));
        for (int i = 0; i < 16; i++) {
            assertEquals(1, plan.radius(i));
        }
    }

    public void testExplainsLengthDistanceAndBits() throws IOException {
        LongHash hash = new LongHash(1, 2, 3, 4);
        LongHash target = new LongHash(1, 2, 3, 4 ^ 1L << 63);
        try (Directory directory = FingerprintIndex.newDirectory()) {
            index(List.of(new Stored("0", List.of(hash), 16, true, "s")), directory);
            try (IndexReader reader = DirectoryReader.open(directory)) {
                Explanation explanation = new IndexSearcher(reader).explain(query(Target.of(target, "s"), 1), 0);
                String text = explanation.toString();
                assertTrue(text, text.contains("distance 1 of at most 1"));
                assertTrue(text, text.contains("boost * (1 - distance / 256)"));
                assertTrue(text, text.contains("differing bits, 0 the least significant: [63]"));
                assertTrue(text, text.contains("fingerprint " + hash.toHex()));
                assertEquals(1 - 1 / 256f, explanation.getValue().floatValue(), 0);
            }
        }
    }

    public void testTheDistanceIsBoundedByTheLength() {
        Target target = Target.of(new LongHash(1, 2, 3, 4), null);
        query(target, 256);
        IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> query(target, 257));
        assertEquals("[max_distance] must be between 0 and 256, got: 257", e.getMessage());
    }

    private void duel(List<Stored> documents, List<Target> targets) throws IOException {
        isText = random().nextInt(3) == 0;
        try (Directory directory = FingerprintIndex.newDirectory()) {
            index(documents, directory);
            try (IndexReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = newSearcher(reader);
                for (Target target : targets) {
                    for (int distance = 0; distance <= target.length(); distance++) {
                        if (distance <= 64 || distance == target.length() || random().nextInt(16) == 0) {
                            assertEqualsBruteForce(searcher, query(target, distance));
                        }
                    }
                }
                // It takes deleted documents for mistakes of the scorer, and longer than all else.
                if (reader.hasDeletions() == false && random().nextInt(4) == 0) {
                    QueryUtils.check(random(), query(targets.getFirst(), random().nextInt(64)), searcher);
                }
            }
        }
    }

    private void assertEqualsBruteForce(IndexSearcher searcher, SimHashQuery query) throws IOException {
        Map<String, Float> expected = new TreeMap<>();
        for (Stored document : live.values()) {
            int distance = document.distance(query.target());
            if (distance <= query.maxDistance()) {
                expected.put(
                        document.id(), 1f - distance / (float) query.target().length());
            }
        }
        assertEquals(query.toString(), expected, FingerprintIndex.search(searcher, query));
        TopDocs few = searcher.search(query, 3);
        List<Float> best = expected.values().stream()
                .sorted((a, b) -> Float.compare(b, a))
                .limit(3)
                .toList();
        List<Float> found = new ArrayList<>();
        for (ScoreDoc hit : few.scoreDocs) {
            found.add(hit.score);
        }
        assertEquals(query.toString(), best, found);
        checks++;
    }

    private SimHashQuery query(Target target, int distance) {
        IndexedFields fields = FingerprintedDocument.FIELDS.withBits("simhash.bits_" + target.length());
        CostModel costs = switch (random().nextInt(6)) {
            case 0 -> CostModel.of(target.length());
            case 1 -> FingerprintIndex.COUNTING;
            case 2 -> FingerprintIndex.SCANNING;
            default -> FingerprintIndex.PROBING;
        };
        return new SimHashQuery(fields, target, distance, effort -> {}, costs);
    }

    private void index(List<Stored> documents, Directory directory) throws IOException {
        live.clear();
        try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory, newIndexWriterConfig())) {
            for (Stored document : documents) {
                writer.addDocument(lucene(document));
                live.put(document.id(), document);
            }
            for (int i = random().nextBoolean() ? 0 : TestUtil.nextInt(random(), 1, 10); i > 0; i--) {
                String deleted = "" + random().nextInt(documents.size());
                if (documents.size() > 1) {
                    writer.deleteDocuments(new Term("id", deleted));
                    live.remove(deleted);
                }
            }
            if (random().nextBoolean()) {
                writer.forceMerge(1);
            }
        }
    }

    private Document lucene(Stored stored) throws IOException {
        Document document = new Document();
        document.add(new StringField("id", stored.id(), Field.Store.YES));
        document.add(new StringField("simhash.scheme", stored.scheme(), Field.Store.NO));
        byte[] values = new byte[1 + 33 * stored.hashes().size()];
        ByteArrayDataOutput out = new ByteArrayDataOutput(values);
        out.writeVInt(stored.hashes().size());
        String field = null;
        for (LongHash hash : stored.hashes()) {
            field = "simhash.bits_" + hash.length();
            out.writeVInt(hash.length() / 8);
            out.writeBytes(hash.toBytes(), hash.length() / 8);
            if (isText) {
                document.add(new SortedSetDocValuesField(field, new BytesRef(hash.toBase64())));
            }
            if (stored.hasSegments()) {
                String[] terms = new SegmentLayout(stored.segments(), hash.words()).terms(hash);
                for (int i = 0; i < terms.length; i++) {
                    document.add(new StringField("simhash.segment_" + i, terms[i], Field.Store.NO));
                }
            }
        }
        if (field != null && isText == false) {
            document.add(new BinaryDocValuesField(field, new BytesRef(values, 0, out.getPosition())));
        }
        return document;
    }

    private static LongHash random(int words) {
        long[] bits = new long[words];
        for (int i = 0; i < words; i++) {
            bits[i] = random().nextLong();
        }
        return new LongHash(bits);
    }

    private static LongHash next(Distribution distribution, LongHash centre) {
        Random random = random();
        return switch (distribution) {
            case UNIFORM -> random(centre.words());
            case NEAR -> flip(centre, random.nextInt(80), 0, centre.length());
            case ONE_WORD -> flip(centre, random.nextInt(65), Long.SIZE, 2 * Long.SIZE);
            case SPREAD -> {
                LongHash hash = centre;
                int each = random.nextInt(8);
                for (int start = 0; start < centre.length(); start += 16) {
                    hash = flip(hash, each, start, start + 16);
                }
                yield flip(hash, random.nextInt(3), 0, centre.length());
            }
            case REPEATED -> flip(centre, random.nextInt(2), 0, 3);
        };
    }

    /** Flips different bits of {@code [from, to)}. */
    private static LongHash flip(LongHash hash, int count, int from, int to) {
        byte[] bytes = hash.toBytes();
        List<Integer> bits = new ArrayList<>();
        for (int bit = from; bit < to; bit++) {
            bits.add(bit);
        }
        Collections.shuffle(bits, random());
        for (int bit : bits.subList(0, count)) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }
}
