/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** One query in one Lucene leaf: what the leaf has for it, and the ways to search it. One thread. */
final class LeafSearch {

    private final LeafReader reader;
    private final Cancellation cancellation;
    private final SimHashQuery query;
    /** Null when fingerprints cannot match here, only digests. */
    private final LeafFingerprints fingerprints;

    private final int digests;
    private final LeafEffort effort;
    private final LeafPlanner planner;

    private LeafSearch(LeafReaderContext context, SimHashQuery query, LeafFingerprints fingerprints, int digests) {
        this.reader = UncheckedReader.of(context.reader());
        this.cancellation = new Cancellation(context.reader());
        this.query = query;
        this.fingerprints = fingerprints;
        this.digests = digests;
        this.effort = new LeafEffort(context.ord);
        this.planner = fingerprints == null
                ? null
                : new LeafPlanner(fingerprints, query.target().bits().getAsLong(), query.costs());
    }

    /** Null when no document of the leaf can match. */
    static LeafSearch open(LeafReaderContext context, SimHashQuery query) throws IOException {
        LeafReader reader = UncheckedReader.of(context.reader());
        IndexedFields fields = query.fields();
        Target target = query.target();
        boolean comparable =
                target.bits().isPresent() && SchemeFilter.open(reader, fields.scheme(), target.scheme()) != null;
        LeafFingerprints fingerprints = comparable ? LeafFingerprints.of(reader, fields) : null;
        TermsEnum digest = target.digest() == null
                ? null
                : TermPostings.seek(reader, fields.digest(), new BytesRef(target.digest()));
        int digests = digest == null ? 0 : digest.docFreq();
        return fingerprints == null && digests == 0 ? null : new LeafSearch(context, query, fingerprints, digests);
    }

    /** Chooses a way to find what is within {@code bound} in {@code [from, to)}, and prepares it. */
    MatchSource search(int from, int to, int bound) throws IOException {
        if (fingerprints == null) {
            effort.plan(LeafEffort.Plan.DIGEST);
            return MatchSource.EMPTY;
        }
        ProbePlan plan = plan(from, to, bound);
        if (plan == null) {
            effort.plan(LeafEffort.Plan.SCAN);
            return new FingerprintScan(openFingerprints(), effort);
        }
        effort.plan(LeafEffort.Plan.PROBE);
        return probe(plan, from, to, bound);
    }

    private MatchSource probe(ProbePlan plan, int from, int to, int bound) throws IOException {
        int shared = plan.shared(bound);
        if (shared > 1) {
            effort.candidates += (long) (planner.postings(plan) * (to - from) / maxDoc());
            return new CountedProbes(openFingerprints(), planner.openAll(plan), shared, from, to, effort);
        }
        VerifiedProbes probes = new VerifiedProbes(openFingerprints(), from, to, bound, effort, cancellation);
        planner.open(plan, probes::add);
        return probes.matches();
    }

    /** Null when a scan is cheaper, or nothing else is exact. */
    ProbePlan plan(int from, int to, int bound) throws IOException {
        return planner.plan(bound, (to - from) / (double) maxDoc(), effort).plan();
    }

    /** Must not be called when only digests can match. */
    StoredFingerprints openFingerprints() throws IOException {
        return StoredFingerprints.open(
                reader, query.fields().bits(), query.target().bits().getAsLong());
    }

    DigestMatches openDigests() throws IOException {
        return new DigestMatches(TermPostings.open(
                reader, query.fields().digest(), query.target().digest()));
    }

    Cancellation cancellation() {
        return cancellation;
    }

    SchemeFilter openSchemes() throws IOException {
        String scheme = fingerprints == null ? null : query.target().scheme();
        return SchemeFilter.open(reader, query.fields().scheme(), scheme);
    }

    /** How all matches of the leaf would be found, in words. */
    String describePlan() throws IOException {
        if (fingerprints == null) {
            return "digest only";
        }
        ProbePlan plan = plan(0, maxDoc(), query.maxDistance());
        String documents = fingerprints.documents() + " documents";
        if (plan == null) {
            return "scan of " + documents + (canProbe() ? "" : ", which do not share one segment layout");
        }
        int shared = plan.shared(query.maxDistance());
        String counted = shared > 1 ? ", counted until " + shared : "";
        return "probe " + plan.values(fingerprints.layout()) + " segment values, " + plan + counted + ", of "
                + documents;
    }

    /** What finding all matches is expected to cost, by the little that is known before planning. */
    LeafPlanner.Outlook outlook() throws IOException {
        return fingerprints == null ? LeafPlanner.Outlook.NOTHING : planner.outlook(query.maxDistance(), effort);
    }

    /** How long it is expected to take to find all matches. */
    double expectedNanos() throws IOException {
        return fingerprints == null
                ? 0
                : planner.plan(query.maxDistance(), 1, effort).nanos();
    }

    /** Documents with the target's digest, deleted ones included. */
    int digests() {
        return digests;
    }

    /** The layout of the segments, and their statistics; null when fingerprints cannot match here. */
    LeafFingerprints fingerprints() {
        return fingerprints;
    }

    boolean hasFingerprints() {
        return fingerprints != null;
    }

    boolean canProbe() {
        return fingerprints != null && fingerprints.layout() != null;
    }

    int maxDoc() {
        return reader.maxDoc();
    }

    LeafEffort effort() {
        return effort;
    }
}
