/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.sketch.BandLayout;

/** Explains a match or its absence. */
final class SketchExplanation {

    private final MinHashQuery.Search query;
    private final float boost;
    private final LeafReaderContext context;
    private final int doc;
    private final List<Explanation> details = new ArrayList<>();

    SketchExplanation(MinHashQuery.Search query, float boost, LeafReaderContext context, int doc) {
        this.query = query;
        this.boost = boost;
        this.context = context;
        this.doc = doc;
    }

    Explanation explain() throws IOException {
        LeafSketches leaf = LeafSketches.open(context, query);
        if (leaf == null) {
            return Explanation.noMatch("no sketch to compare, and no equal digest");
        }
        double similarity = leaf.comparison().similarity(doc, SketchComparison.NONE);
        boolean isCandidate = leaf.candidates(Long.MAX_VALUE).advance(doc) == doc;
        explainScheme();
        int shared = explainBands();
        details.add(fact("plan: " + leaf.describe()));
        if (leaf.bands() > 0) {
            double recall = query.target().layout().recall(query.minSimilarity(), leaf.bands());
            details.add(fact(String.format(
                    Locale.ROOT,
                    "recall: %.5f, the probability that a document of similarity %s shares one of these bands",
                    recall,
                    query.minSimilarity())));
        }
        if (similarity < 0) {
            return Explanation.noMatch("no sketch of the scheme to compare, and no equal digest", details);
        }
        String rule = (query.containment() ? "containment " : "similarity ") + similarity + " of at least "
                + query.minSimilarity() + ", estimated";
        if (similarity < query.minSimilarity()) {
            return Explanation.noMatch(rule, details);
        }
        if (isCandidate == false) {
            return Explanation.noMatch(
                    rule + ", but missed: it shares " + shared + " bands, none that is looked up", details);
        }
        return Explanation.match(
                SketchScorer.score(similarity, boost), rule + ", computed as boost * similarity from:", details);
    }

    private void explainScheme() throws IOException {
        String scheme = query.target().scheme();
        if (scheme == null) {
            details.add(fact("scheme of the target unknown: compared with every scheme"));
            return;
        }
        SchemeFilter filter = SchemeFilter.open(context.reader(), query.fields().scheme(), scheme);
        boolean same = filter != null && filter.accepts(doc);
        details.add(fact((same ? "same scheme " : "not of the scheme ") + scheme));
    }

    private int explainBands() throws IOException {
        BandLayout layout = query.target().layout();
        if (layout == null) {
            return 0;
        }
        List<String> shared = new ArrayList<>();
        for (String term : layout.terms(query.target().sketch())) {
            TermsEnum found = ExactTerm.seek(context.reader(), query.fields().bands(), new BytesRef(term));
            if (found != null && found.postings(null, PostingsEnum.NONE).advance(doc) == doc) {
                shared.add(term);
            }
        }
        details.add(fact("equal bands: " + shared.size() + " of " + layout.bands() + " " + shared));
        return shared.size();
    }

    private static Explanation fact(String text) {
        return Explanation.match(1, text);
    }
}
