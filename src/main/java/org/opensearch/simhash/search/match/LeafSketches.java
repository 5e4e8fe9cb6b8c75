/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.SketchComparison.SharedBands;

/** One query in one leaf: what the leaf has, and the documents to compare. One thread. */
final class LeafSketches {

    /** Costs in nanoseconds on one machine; only the ratios matter. */
    private static final double SCAN = 15;

    private static final double PROBE = 350;
    private static final double CANDIDATE = 50;

    /** A plan is taken below this part of the scan's cost, since estimates are rough. */
    private static final double WORTHWHILE = 0.7;

    private final LeafReader reader;
    private final MinHashQuery query;
    private final Cancellation cancellation;
    private final SchemeFilter schemes;
    /** Positioned at the target's digest; null if no document has it. */
    private final TermsEnum digest;

    private final long documents;
    /** Null if all are compared. */
    private final BandProbes probes;

    final LeafEffort effort;

    private LeafSketches(LeafReaderContext context, MinHashQuery query) throws IOException {
        SketchTarget target = query.target();
        this.query = query;
        this.reader = Cancellation.unchecked(context.reader());
        this.cancellation = new Cancellation(context.reader());
        this.effort = new LeafEffort();
        this.digest = target.digest() == null
                ? null
                : SchemeFilter.seek(reader, query.fields().digest(), target.digest());
        SchemeFilter sameScheme = target.sketch() == null
                ? null
                : SchemeFilter.open(reader, query.fields().scheme(), target.scheme());
        BinaryDocValues sketches = sameScheme == null
                ? null
                : reader.getBinaryDocValues(query.fields().bits());
        this.schemes = sameScheme == null ? SchemeFilter.NONE : sameScheme;
        // Exact in Lucene: the leaf's size, or the number of documents with a value.
        this.documents = sketches == null ? 0 : Math.min(reader.maxDoc(), sketches.cost());
        this.probes = documents == 0 ? null : probes();
    }

    /** Null if no document of the leaf can match. */
    static LeafSketches open(LeafReaderContext context, MinHashQuery query) throws IOException {
        LeafSketches leaf = new LeafSketches(context, query);
        return leaf.documents == 0 && leaf.digest == null ? null : leaf;
    }

    /** Null for a scan, which is cheaper or the only exact way. */
    private BandProbes probes() throws IOException {
        Terms bands = query.isContainment() ? null : reader.terms(query.fields().segment(0));
        // Updates without the pipeline, or a mapping without bands, leave documents that only their sketch finds.
        if (bands == null || bands.getDocCount() < documents || query.minSimilarity() == 0) {
            return null;
        }
        BandProbes found = BandProbes.of(reader, query);
        if (found != null) {
            effort.probes += found.bands();
        }
        return found != null && nanos(found) < WORTHWHILE * documents * SCAN ? found : null;
    }

    private static double nanos(BandProbes probes) {
        return probes.probes().size() * PROBE + probes.postings() * CANDIDATE;
    }

    long cost() {
        try {
            long digests = digest == null ? 0 : digest.docFreq();
            return Math.min(reader.maxDoc(), digests + (probes == null ? documents : probes.postings()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The documents to compare.
     *
     * @param leadCost documents that other clauses propose
     */
    DocIdSetIterator candidates(long leadCost) throws IOException {
        boolean isLed = leadCost < cost();
        if (isLed || (documents > 0 && probes == null)) {
            effort.plan(isLed ? LeafEffort.Plan.LEAD : LeafEffort.Plan.SCAN);
            return DocIdSetIterator.all(reader.maxDoc());
        }
        effort.plan(documents == 0 ? LeafEffort.Plan.DIGEST : LeafEffort.Plan.PROBE);
        DocIdSetBuilder found = new DocIdSetBuilder(reader.maxDoc());
        query.listener().keeps(Math.min(Integer.BYTES * cost(), reader.maxDoc() / Byte.SIZE));
        if (probes != null) {
            probes.addTo(found);
            effort.candidates += probes.postings();
        }
        if (digest != null) {
            found.add(digest.postings(null, PostingsEnum.NONE));
        }
        return found.build().iterator();
    }

    /** Compares any document of the leaf, whether the plan leads to it or not. */
    SketchComparison comparison() throws IOException {
        return comparison(SharedBands.ANY);
    }

    /**
     * Compares {@link #candidates}. Every plan matches the same documents: those that share a band that is looked up,
     * also where another clause proposes them.
     *
     * @param leadCost documents that other clauses propose
     */
    SketchComparison comparison(long leadCost) throws IOException {
        return comparison(probes != null && leadCost < cost() ? new SharedBands(probes::open) : SharedBands.ANY);
    }

    private SketchComparison comparison(SharedBands bands) throws IOException {
        BinaryDocValues sketches =
                documents == 0 ? null : reader.getBinaryDocValues(query.fields().bits());
        DigestMatches digests =
                digest == null ? DigestMatches.NONE : new DigestMatches(digest.postings(null, PostingsEnum.NONE));
        return new SketchComparison(query, sketches, bands, digests, schemes.again(), cancellation, effort);
    }

    String describe() {
        if (documents == 0) {
            return "digest only";
        }
        return probes == null
                ? "scan of " + documents + " sketches" + (query.isContainment() ? ": containment has no bands" : "")
                : "probe " + probes.bands() + " of " + query.target().layout().bands() + " bands, which lead to "
                        + probes.postings() + " of " + documents + " documents";
    }

    /** Bands looked up; 0 if all documents are compared. */
    int bands() {
        return probes == null ? 0 : probes.bands();
    }

    /**
     * The bands to look up in a leaf: just enough, the rarest first. A shared footer or template is in some bands of many
     * documents; these are left out. One thread.
     *
     * @param postings their postings; a document with several bands counts for each
     */
    private record BandProbes(TermsEnum terms, int bands, List<BandTerm> probes, long postings) {

        private record BandTerm(BytesRef term, TermState state, int documents) {}

        /** Null if the leaf has no bands, or the target's are unknown. */
        static BandProbes of(LeafReader reader, MinHashQuery query) throws IOException {
            SketchTarget target = query.target();
            Terms indexed =
                    target.layout() == null ? null : reader.terms(query.fields().segment(0));
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
            int needed = target.layout().sufficient(query.minSimilarity(), MinHashQuery.MISSING);
            List<BandTerm> probes =
                    found.subList(0, Math.clamp(needed - (wanted.length - found.size()), 0, found.size()));
            long documents = probes.stream().mapToLong(BandTerm::documents).sum();
            return new BandProbes(terms, needed, probes, documents);
        }

        List<PostingsEnum> open() throws IOException {
            List<PostingsEnum> postings = new ArrayList<>();
            for (BandTerm probe : probes) {
                terms.seekExact(probe.term(), probe.state());
                postings.add(terms.postings(null, PostingsEnum.NONE));
            }
            return postings;
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
}
