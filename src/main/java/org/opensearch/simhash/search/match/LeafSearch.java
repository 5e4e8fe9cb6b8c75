/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.TermsEnum;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.CountPlanner.CountedProbes;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.StoredFingerprints.LongFingerprints;

/** One query in one leaf: what the leaf has, and the ways to search it. One thread. */
final class LeafSearch {

    private final LeafReader reader;
    final Cancellation cancellation;
    private final SimHashQuery query;
    /** Null if only digests can match. */
    final LeafFingerprints fingerprints;

    /** Opened for inspection and kept for the first reader: opening costs a dozen comparisons. */
    private SortedNumericDocValues bits;

    private final SchemeFilter schemes;
    /** Positioned at the target's digest; null if no document has it. */
    private final TermsEnum digest;

    final LeafEffort effort;
    private final LeafPlanner planner;

    private LeafSearch(LeafReaderContext context, LeafReader reader, SimHashQuery query) throws IOException {
        IndexedFields fields = query.fields();
        Target target = query.target();
        this.reader = reader;
        this.cancellation = new Cancellation(context.reader());
        this.query = query;
        this.effort = new LeafEffort();
        this.digest = target.digest() == null ? null : SchemeFilter.seek(reader, fields.digest(), target.digest());
        SchemeFilter sameScheme = target.isWhole() ? SchemeFilter.open(reader, fields.scheme(), target.scheme()) : null;
        boolean isLong = target.hash() != null;
        this.bits = sameScheme == null || isLong ? null : DocValues.getSortedNumeric(reader, fields.bits());
        this.fingerprints = sameScheme == null
                ? null
                : isLong
                        ? LeafFingerprints.ofWords(reader, fields, target.hash().words())
                        : LeafFingerprints.of(reader, fields, bits);
        this.schemes = fingerprints == null ? SchemeFilter.NONE : sameScheme;
        this.planner = fingerprints == null ? null : new LeafPlanner(fingerprints, target, query.costs());
    }

    /** Null if no document of the leaf can match. */
    static LeafSearch open(LeafReaderContext context, SimHashQuery query) throws IOException {
        LeafSearch leaf = new LeafSearch(context, Cancellation.unchecked(context.reader()), query);
        return leaf.fingerprints == null && leaf.digest == null ? null : leaf;
    }

    /**
     * Prepares a search within {@code bound} in {@code [from, to)}.
     *
     * @param plan for at least these documents
     */
    MatchSource search(ProbePlan plan, int from, int to, int bound) throws IOException {
        if (fingerprints == null) {
            effort.plan(LeafEffort.Plan.DIGEST);
            return new VerifiedProbes.MatchList(new long[0], 0);
        }
        if (plan == null) {
            effort.plan(LeafEffort.Plan.SCAN);
            StoredFingerprints scanned = openFingerprints();
            return (MatchSource.OnDemand) (first, last, limit, batch) -> {
                int end = Math.min(last, first + MatchBatch.WINDOW);
                scanned.scan(first, end, limit, batch);
                effort.scanned += end - first;
                return end;
            };
        }
        effort.plan(LeafEffort.Plan.PROBE);
        return probe(plan, from, to, bound);
    }

    private MatchSource probe(ProbePlan plan, int from, int to, int bound) throws IOException {
        int shared = plan.shared(bound);
        if (shared > 1) {
            effort.candidates += (long) (planner.postings(plan) * (to - from) / maxDoc());
            query.listener().keeps(CountedProbes.bytes(planner.found(plan), shared, to - from));
            return new CountedProbes(openFingerprints(), planner.openAll(plan), shared, from, to, effort);
        }
        VerifiedProbes probes =
                new VerifiedProbes(openFingerprints(), from, to, bound, effort, query.listener(), cancellation);
        planner.open(plan, probes::add);
        return probes.matches();
    }

    /** A plan for {@code bound}; null for a scan, which is cheaper or the only exact way. */
    ProbePlan plan(int from, int to, int bound) throws IOException {
        cancellation.check();
        return fingerprints == null
                ? null
                : planner.plan(bound, (to - from) / (double) maxDoc(), effort).plan();
    }

    /** Number of documents from which comparing takes much longer than opening the plan's postings. Unlimited for sources on demand. */
    int worthOpening(ProbePlan plan, int bound) {
        return plan == null || plan.shared(bound) > 1 ? maxDoc() : (int) (planner.worthOpening(plan) * maxDoc());
    }

    /** Not allowed if only digests can match. */
    StoredFingerprints openFingerprints() throws IOException {
        String field = query.fields().bits();
        if (query.target().hash() != null) {
            return new LongFingerprints(reader, field, query.target().hash());
        }
        long target = query.target().bits().getAsLong();
        SortedNumericDocValues unread = bits;
        bits = null;
        return StoredFingerprints.of(
                unread == null ? DocValues.getSortedNumeric(reader, field) : unread, reader, field, target);
    }

    DigestMatches openDigests() throws IOException {
        return digest == null ? DigestMatches.NONE : new DigestMatches(digest.postings(null, PostingsEnum.NONE));
    }

    SchemeFilter openSchemes() {
        return schemes.again();
    }

    /** The plan for all matches of the leaf; null if it does not use segments. */
    ProbePlan plan() throws IOException {
        return plan(0, maxDoc(), query.maxDistance());
    }

    /** {@link #plan()} in words. */
    String describe(ProbePlan plan) {
        if (fingerprints == null) {
            return "digest only";
        }
        String documents = fingerprints.documents() + " documents";
        if (plan == null) {
            return "scan of " + documents + (canProbe() ? "" : ", which do not share one segment layout");
        }
        int shared = plan.shared(query.maxDistance());
        String counted = shared > 1 ? ", counted until " + shared : "";
        return "probe " + plan.values(fingerprints.layout()) + " segment values, " + plan + counted + ", of "
                + documents;
    }

    /**
     * Expected cost of all matches, by what is known before planning. Zero when the search has ended: a document with
     * thousands of fingerprints asks thousands of times, and the first real search reports the end.
     */
    LeafPlanner.Outlook outlook() throws IOException {
        return fingerprints == null || cancellation.isDue()
                ? LeafPlanner.Outlook.NOTHING
                : planner.outlook(query.maxDistance(), effort);
    }

    int digests() throws IOException {
        return digest == null ? 0 : digest.docFreq();
    }

    boolean canProbe() {
        return fingerprints != null && fingerprints.layout() != null;
    }

    int maxDoc() {
        return reader.maxDoc();
    }
}
