/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.SparseFixedBitSet;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.CommonRuns.Shared;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.search.match.Print.PassageTarget;

/**
 * Matches documents that share runs of words with a source. Terms propose documents ({@link PassagePlan}); the stored text of each is
 * compared. So a document with a run is found unless it shares nothing but blocks, and none without a run. The score is the boost
 * times the words in common. Costs a look-up of each term of the source in each leaf, and the analysis of each proposed text, but
 * of none that can no longer compete.
 *
 * <p>May be bounded: then it compares the documents of the rarest terms, as many as wanted, and of all others as many again, the
 * first ones of each leaf. Documents that other clauses exclude do not count.
 *
 * <p>Immutable; thread-safe.
 */
public final class PassagesQuery extends PrintQuery<PassageTarget> {

    /** The most passages that evidence shows. */
    public static final int MOST_PASSAGES = 20;

    private final PassageRule rule;
    private final int mostCompared;
    private final PassageTexts texts;

    /**
     * @param rule resolved by the layout of the texts
     * @param mostCompared documents of the rarest terms, and of other ones; {@link Integer#MAX_VALUE} for all
     * @param listener not part of the query's identity
     */
    public PassagesQuery(
            IndexedFields fields,
            PassageTarget target,
            PassageRule rule,
            int mostCompared,
            PassageTexts texts,
            PrintQuery.Listener listener) {
        super(fields, target, listener);
        this.mostCompared = mostCompared;
        this.rule = rule;
        this.texts = texts;
    }

    @Override
    List<?> rule() {
        return List.of(rule, mostCompared, texts);
    }

    public record Match(Shared shared, double share, List<Map<String, Object>> passages) {}

    /** Compares documents of a leaf, proposed or not. Null if a document shares too little. One thread. */
    public IOFunction<Integer, Match> matches(LeafReaderContext leaf, Runnable checkWanted) {
        LeafPassages passages = new LeafPassages(leaf, checkWanted, new LeafEffort());
        return doc -> passages.isMatch(doc) ? passages.match() : null;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) throws IOException {
        Words source = texts.source(rule.minWords()).source();
        PassagePlan plan = PassagePlan.of(searcher.getIndexReader(), fields.bits(), source, texts, rule, mostCompared);
        return new PassagesWeight(plan, boost);
    }

    @Override
    public String toString(String anyField) {
        return "passages(" + fields.bits() + " min_words " + rule.minWords() + " min_share " + rule.minShare()
                + printed() + ")";
    }

    /** Compares the documents of a leaf with the source. One thread. */
    private final class LeafPassages {

        private final PassageTexts.Documents documents;
        private final CommonRuns source = texts.source(rule.minWords());
        private final CommonRuns.Comparison comparison = source.new Comparison();
        private final Cancellation cancellation;
        private final Runnable check;
        private final LeafEffort effort;
        private Words words;
        private Shared shared = new Shared(0, 0);

        LeafPassages(LeafReaderContext leaf, Runnable checkWanted, LeafEffort effort) {
            this.cancellation = new Cancellation(leaf.reader());
            this.check = () -> cancellation.check(checkWanted);
            this.effort = effort;
            this.documents = texts.open(leaf, check);
        }

        @SuppressWarnings("ReferenceEquality") // The same object says that the text is the same.
        boolean isMatch(int doc) throws IOException {
            check.run();
            effort.compared++;
            Words now = documents.words(doc);
            if (now == null) {
                words = null;
                return false;
            }
            if (now != words) {
                words = now;
                shared = comparison.compare(
                        words, rule.isOfSource(source.source().size(), words.size()), check);
            }
            boolean isMatch = rule.accepts(shared, source.source().size(), words.size());
            effort.matches += isMatch ? 1 : 0;
            return isMatch;
        }

        double share() {
            return rule.share(shared, source.source().size(), words.size());
        }

        Match match() throws IOException {
            return new Match(shared, share(), documents.places(comparison.passages(words, MOST_PASSAGES, check)));
        }
    }

    private final class PassagesWeight extends Weight {

        private final PassagePlan plan;
        private final float boost;
        /** Documents of common terms that may still be compared, in all leaves. */
        private final AtomicInteger rest = new AtomicInteger(mostCompared);

        PassagesWeight(PassagePlan plan, float boost) {
            super(PassagesQuery.this);
            this.plan = plan;
            this.boost = boost;
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
            // A timeout ends the search when the first document is compared, and would be a failure here.
            LeafReader reader = Cancellation.unchecked(leaf.reader());
            long proposed = proposed(reader);
            if (proposed == 0) {
                return null;
            }
            return new ScorerSupplier() {
                @Override
                public Scorer get(long leadCost) throws IOException {
                    LeafEffort effort = new LeafEffort();
                    effort.plan(LeafEffort.Plan.PROBE);
                    effort.probes += plan.terms().length;
                    effort.candidates += proposed;
                    listener().started(effort);
                    BitSet rare = plan.isRare() != null ? new SparseFixedBitSet(reader.maxDoc()) : null;
                    LeafPassages passages = new LeafPassages(leaf, () -> {}, effort);
                    return new ComparedScorer(
                            candidates(reader, proposed, rare, passages.cancellation),
                            boost * passages.source.source().size(),
                            ComparedScorer.TEXT_COST,
                            (doc, least) -> {
                                boolean mayCompare = rare == null || rare.get(doc) || rest.getAndDecrement() > 0;
                                return mayCompare && passages.isMatch(doc)
                                        ? boost * passages.shared.words()
                                        : ComparedScorer.NO_MATCH;
                            });
                }

                @Override
                public long cost() {
                    return Math.min(proposed, reader.maxDoc());
                }
            };
        }

        private long proposed(LeafReader reader) throws IOException {
            long proposed = 0;
            Terms indexed = reader.terms(fields.bits());
            if (indexed != null) {
                TermsEnum terms = indexed.iterator();
                for (BytesRef term : plan.terms()) {
                    proposed += terms.seekExact(term) ? terms.docFreq() : 0;
                }
            }
            return proposed;
        }

        /** @param rare gets those of the rarest terms; null if they are not wanted */
        private DocIdSetIterator candidates(LeafReader reader, long proposed, BitSet rare, Cancellation cancellation)
                throws IOException {
            DocIdSetBuilder found = new DocIdSetBuilder(reader.maxDoc());
            listener().keeps(Math.min(Integer.BYTES * proposed, reader.maxDoc() / Byte.SIZE));
            TermsEnum terms = reader.terms(fields.bits()).iterator();
            PostingsEnum reuse = null;
            for (int i = 0; i < plan.terms().length; i++) {
                if (terms.seekExact(plan.terms()[i])) {
                    reuse = terms.postings(reuse, PostingsEnum.NONE);
                    found.add(reuse);
                    if (rare != null && plan.isRare()[i]) {
                        rare.or(terms.postings(null, PostingsEnum.NONE));
                    }
                    if (cancellation.isDue()) {
                        break; // and no failure: the comparison of the first document ends the search
                    }
                }
            }
            return found.build().iterator();
        }

        @Override
        public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
            long proposed = proposed(leaf.reader());
            String left = plan.left() == 0
                    ? ""
                    : "; " + plan.left() + " terms of more than " + plan.mostDocuments()
                            + " documents each are blocks and propose none";
            String looked = "proposed by one of " + plan.terms().length + " terms" + left;
            LeafPassages passages = new LeafPassages(leaf, () -> {}, new LeafEffort());
            boolean isProposed = proposed > 0
                    && candidates(leaf.reader(), proposed, null, passages.cancellation)
                                    .advance(doc)
                            == doc;
            if (isProposed == false) {
                return Explanation.noMatch("not " + looked);
            }
            boolean isMatch = passages.isMatch(doc);
            if (passages.words == null) {
                return Explanation.noMatch("no text; " + looked);
            }
            String what = passages.shared.words() + " words in common in runs of at least " + rule.minWords()
                    + ", a share of " + passages.share() + "; " + looked;
            return isMatch
                    ? Explanation.match(boost * passages.shared.words(), what)
                    : Explanation.noMatch(what + "; [min_share] is " + rule.minShare());
        }

        /** A match depends on a pipeline outside of the index. A cache would also read the texts of all candidates. */
        @Override
        public boolean isCacheable(LeafReaderContext leaf) {
            return false;
        }
    }
}
