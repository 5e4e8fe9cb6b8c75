/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** Finds the documents of one Lucene leaf that are near any of many targets. One thread, one use. */
final class LeafNeighbours {

    /** To compare with one more target during a scan, against comparing with the first: no doc value is read for it. */
    private static final double FURTHER_TARGET = 0.5;

    /** Larger rings are never looked up: the values of all targets are in memory at once. */
    private static final int LARGEST_RING = 1 << 11;

    private final LeafReader reader;
    private final IndexedFields fields;
    private final int maxDistance;
    private final FixedBitSet found;

    LeafNeighbours(LeafReader reader, IndexedFields fields, int maxDistance) {
        this.reader = reader;
        this.fields = fields;
        this.maxDistance = maxDistance;
        this.found = new FixedBitSet(reader.maxDoc());
    }

    DocIdSetIterator of(List<Target> targets) throws IOException {
        addDigests(targets);
        LeafFingerprints leaf = LeafFingerprints.of(reader, fields);
        if (leaf != null) {
            for (Map.Entry<String, List<Target>> sameScheme : byScheme(targets).entrySet()) {
                SchemeFilter schemes = SchemeFilter.open(reader, fields.scheme(), sameScheme.getKey());
                if (schemes != null) {
                    long[] bits = sameScheme.getValue().stream()
                            .mapToLong(target -> target.bits().getAsLong())
                            .distinct()
                            .toArray();
                    addNear(leaf, bits, schemes);
                }
            }
        }
        return new BitSetIterator(found, found.approximateCardinality());
    }

    private static Map<String, List<Target>> byScheme(List<Target> targets) {
        Map<String, List<Target>> byScheme = new HashMap<>();
        for (Target target : targets) {
            if (target.bits().isPresent()) {
                byScheme.computeIfAbsent(target.scheme(), any -> new ArrayList<>())
                        .add(target);
            }
        }
        return byScheme;
    }

    private void addDigests(List<Target> targets) throws IOException {
        Terms terms = reader.terms(fields.digest());
        if (terms == null) {
            return;
        }
        List<String> digests = targets.stream()
                .map(Target::digest)
                .filter(digest -> digest != null)
                .sorted()
                .distinct()
                .toList();
        TermsEnum termsEnum = terms.iterator();
        PostingsEnum postings = null;
        for (String digest : digests) {
            if (termsEnum.seekExact(new BytesRef(digest))) {
                postings = termsEnum.postings(postings, PostingsEnum.NONE);
                found.or(postings);
            }
        }
    }

    private void addNear(LeafFingerprints leaf, long[] targets, SchemeFilter schemes) throws IOException {
        double scan = leaf.documents()
                * (CostModel.MEASURED.scan() + (targets.length - 1) * FURTHER_TARGET * CostModel.MEASURED.scan());
        ProbePlan plan = leaf.layout() == null ? null : plan(leaf, scan / targets.length);
        JointProbes candidates = plan == null
                ? null
                : JointProbes.read(leaf, plan, targets, (long) (scan / CostModel.MEASURED.candidate()));
        if (candidates == null) {
            scan(targets, schemes);
        } else {
            verify(candidates, targets, schemes);
        }
    }

    /** By what values cost on average: that they are crowded turns out when they are read. */
    private ProbePlan plan(LeafFingerprints leaf, double limit) {
        CostModel model = CostModel.MEASURED;
        return ProbePlan.cheapest(
                leaf.layout(),
                maxDistance,
                (segment, radius) -> {
                    if (radius > ProbePlan.NONE
                            && ProbePlan.choose(leaf.layout().width(segment), radius) > LARGEST_RING) {
                        return Double.POSITIVE_INFINITY;
                    }
                    double values = 0;
                    for (int ring = 0; ring <= radius; ring++) {
                        values += ProbePlan.choose(leaf.layout().width(segment), ring);
                    }
                    double postings =
                            values * leaf.documents() / (1L << leaf.layout().width(segment));
                    return values * model.seek() + postings * model.candidate();
                },
                limit * CostModel.WORTHWHILE);
    }

    private void verify(JointProbes candidates, long[] targets, SchemeFilter schemes) throws IOException {
        NumericDocValues values = DocValues.unwrapSingleton(DocValues.getSortedNumeric(reader, fields.bits()));
        int current = -1;
        long bits = 0;
        for (int i = 0; i < candidates.size(); i++) {
            int doc = candidates.doc(i);
            if (found.get(doc)) {
                continue;
            }
            if (doc != current) {
                current = doc;
                bits = values.advanceExact(doc) ? values.longValue() : ~targets[candidates.target(i)];
            }
            if (Long.bitCount(bits ^ targets[candidates.target(i)]) <= maxDistance && schemes.accepts(doc)) {
                found.set(doc);
            }
        }
    }

    private void scan(long[] targets, SchemeFilter schemes) throws IOException {
        SortedNumericDocValues values = DocValues.getSortedNumeric(reader, fields.bits());
        for (int doc = values.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = values.nextDoc()) {
            for (int i = values.docValueCount(); i > 0; i--) {
                if (nearest(targets, values.nextValue()) <= maxDistance && schemes.accepts(doc)) {
                    found.set(doc);
                }
            }
        }
    }

    private static int nearest(long[] targets, long bits) {
        int nearest = Long.SIZE;
        for (long target : targets) {
            nearest = Math.min(nearest, Long.bitCount(target ^ bits));
        }
        return nearest;
    }
}
