/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;

/**
 * The bands to look up in a leaf: just enough, the rarest first. A shared footer or template is in some bands of many
 * documents; these are left out. One thread.
 *
 * @param bands number of bands looked up
 * @param probes the bands that documents have
 * @param postings their postings; a document with several bands counts for each
 */
record BandProbes(TermsEnum terms, int bands, List<BandTerm> probes, long postings) {

    /** A term that documents have. */
    private record BandTerm(BytesRef term, TermState state, int documents) {}

    /** Null if the leaf has no bands, or the target's are unknown. */
    static BandProbes of(LeafReader reader, SketchSearch query) throws IOException {
        SketchTarget target = query.target();
        Terms indexed =
                target.layout() == null ? null : reader.terms(query.fields().bands());
        if (indexed == null) {
            return null;
        }
        TermsEnum terms = indexed.iterator();
        String[] wanted = target.layout().terms(target.sketch());
        List<BandTerm> found = new ArrayList<>();
        for (String band : wanted) {
            BytesRef term = new BytesRef(band);
            if (terms.seekExact(term)) {
                found.add(new BandTerm(term, terms.termState(), terms.docFreq()));
            }
        }
        found.sort(Comparator.comparingInt(BandTerm::documents));
        int needed = target.layout().sufficient(query.minSimilarity(), SketchSearch.MISSING);
        List<BandTerm> probes = found.subList(0, Math.clamp(needed - (wanted.length - found.size()), 0, found.size()));
        return new BandProbes(
                terms,
                needed,
                probes,
                probes.stream().mapToLong(BandTerm::documents).sum());
    }

    void addTo(DocIdSetBuilder candidates) throws IOException {
        PostingsEnum reuse = null;
        for (BandTerm probe : probes) {
            terms.seekExact(probe.term(), probe.state());
            reuse = terms.postings(reuse, PostingsEnum.NONE);
            candidates.add(reuse);
        }
    }
}
