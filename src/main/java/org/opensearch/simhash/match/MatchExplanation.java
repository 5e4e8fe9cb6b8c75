/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.Explanation;
import org.opensearch.simhash.fingerprint.LongHash;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/** Explains a match or its absence. */
final class MatchExplanation {

    private final SimHashQuery.Search query;
    private final SimHashScorer.Scores scores;
    private final LeafReaderContext context;
    private final int doc;
    private final List<Explanation> details = new ArrayList<>();

    MatchExplanation(SimHashQuery.Search query, SimHashScorer.Scores scores, LeafReaderContext context, int doc) {
        this.query = query;
        this.scores = scores;
        this.context = context;
        this.doc = doc;
    }

    Explanation explain() throws IOException {
        LeafSearch leaf = LeafSearch.open(context, query);
        ProbePlan plan = leaf == null ? null : leaf.plan();
        boolean sameScheme = explainScheme();
        Target nearest = query.target().isWhole() ? nearest() : null;
        int distance = StoredFingerprints.ABSENT;
        if (nearest != null) {
            distance = nearest.distance(query.target());
            explainBits(nearest, leaf, plan);
        }
        if (leaf != null) {
            details.add(fact("plan: " + leaf.describe(plan)));
        }
        if (leaf != null && leaf.openDigests().contains(doc)) {
            return match(0, "equal digest " + query.target().digest());
        }
        if (nearest == null) {
            return Explanation.noMatch("no fingerprint to compare, and no equal digest", details);
        }
        String rule = "distance " + distance + " of at most " + query.maxDistance();
        return sameScheme && distance <= query.maxDistance()
                ? match(distance, rule)
                : Explanation.noMatch(rule + (sameScheme ? "" : ", but of another scheme"), details);
    }

    private Explanation match(int distance, String why) {
        return Explanation.match(
                scores.of(distance),
                why + ", computed as boost * (1 - distance / " + query.target().length() + ") from:",
                details);
    }

    private boolean explainScheme() throws IOException {
        String scheme = query.target().scheme();
        if (scheme == null) {
            details.add(fact("scheme of the target unknown: compared with every scheme"));
            return true;
        }
        SchemeFilter filter = SchemeFilter.open(context.reader(), query.fields().scheme(), scheme);
        boolean same = filter != null && filter.accepts(doc);
        details.add(fact((same ? "same scheme " : "not of the scheme ") + scheme));
        return same;
    }

    private void explainBits(Target found, LeafSearch leaf, ProbePlan plan) {
        details.add(fact("fingerprint " + found.hex()));
        details.add(fact("differing bits, 0 the least significant: " + found.differingBits(query.target())));
        if (leaf != null && leaf.canProbe()) {
            SegmentLayout layout = leaf.fingerprints().layout();
            List<Integer> hits = new ArrayList<>();
            for (int i = 0; i < layout.count(); i++) {
                int word = layout.word(i);
                int radius = plan == null ? 0 : plan.radius(i);
                if (Long.bitCount(layout.value(found.word(word) ^ query.target().word(word), i)) <= radius) {
                    hits.add(i);
                }
            }
            String what = plan == null ? "equal segments: " : "segments that hit: ";
            details.add(fact(what + hits + " of " + layout.count()));
        }
    }

    /** The nearest fingerprint of the document; null if it has none. */
    private Target nearest() throws IOException {
        LeafReader reader = context.reader();
        String field = query.fields().bits();
        if (query.target().hash() != null) {
            LongHash hash = new LongFingerprints(reader, field, query.target().hash()).nearestOf(doc);
            return hash == null ? null : Target.of(hash, null);
        }
        SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field);
        if (values.advanceExact(doc) == false) {
            return null;
        }
        long nearest = values.nextValue();
        for (int i = values.docValueCount(); i > 1; i--) {
            long value = values.nextValue();
            if (query.target().distance(value) < query.target().distance(nearest)) {
                nearest = value;
            }
        }
        return Target.of(nearest);
    }

    private static Explanation fact(String text) {
        return Explanation.match(1, text);
    }
}
