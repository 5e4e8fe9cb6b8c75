/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.StoredFingerprints.LongFingerprints;

/**
 * The distance of each document in one leaf to the nearest of many targets, for callers in ascending document order.
 * Costs one xor per target, and the postings of each digest in the leaf. One thread.
 */
public final class NearestTargets {

    /** No match. */
    public static final int NONE = -1;

    /** Some tenths of a millisecond. */
    private static final int COMPARISONS_PER_CHECK = 1 << 18;

    private static final int DIGESTS_PER_CHECK = 1 << 10;

    /** A term and the position of its postings. */
    private static final int BYTES_PER_DIGEST = 320;

    private final int maxDistance;
    /** Null if no target has 64 bits. */
    private final SortedNumericDocValues fingerprints;

    private final List<LongTarget> longTargets = new ArrayList<>();
    private final List<SchemeTargets> schemes = new ArrayList<>();
    private final List<Digest> digests = new ArrayList<>();
    /** Null if the leaf has none of the digests. */
    private TermsEnum terms;

    private PostingsEnum postings;

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record SchemeTargets(SchemeFilter documents, long[] bits) {}

    private record LongTarget(SchemeFilter documents, LongFingerprints hashes) {}

    private record Digest(BytesRef term, TermState state) {}

    /** @param queries of the same fingerprint object and distance */
    public NearestTargets(LeafReaderContext context, List<SimHashQuery> queries) throws IOException {
        IndexedFields fields = queries.getFirst().fields();
        LeafReader reader = Cancellation.unchecked(context.reader());
        this.maxDistance = queries.getFirst().maxDistance();
        SimHashQuery ofOneWord = queries.stream()
                .filter(query -> query.target().bits().isPresent())
                .findFirst()
                .orElse(null);
        this.fingerprints = ofOneWord == null
                ? null
                : DocValues.getSortedNumeric(reader, ofOneWord.fields().bits());
        openSchemes(reader, fields, queries);
        openLongTargets(reader, queries);
        seekDigests(reader, fields, queries);
    }

    private void openLongTargets(LeafReader reader, List<SimHashQuery> queries) throws IOException {
        for (SimHashQuery query : queries) {
            Target target = query.target();
            SchemeFilter documents = target.hash() == null
                    ? null
                    : SchemeFilter.open(reader, query.fields().scheme(), target.scheme());
            if (documents != null) {
                String field = query.fields().bits();
                longTargets.add(new LongTarget(documents, new LongFingerprints(reader, field, target.hash())));
            }
        }
    }

    private void openSchemes(LeafReader reader, IndexedFields fields, List<SimHashQuery> queries) throws IOException {
        Map<String, List<Long>> byScheme = new LinkedHashMap<>();
        for (SimHashQuery query : queries) {
            query.target()
                    .bits()
                    .ifPresent(bits -> byScheme.computeIfAbsent(query.target().scheme(), any -> new ArrayList<>())
                            .add(bits));
        }
        for (Map.Entry<String, List<Long>> entry : byScheme.entrySet()) {
            SchemeFilter documents = SchemeFilter.open(reader, fields.scheme(), entry.getKey());
            if (documents != null) {
                long[] bits =
                        entry.getValue().stream().mapToLong(Long::longValue).toArray();
                schemes.add(new SchemeTargets(documents, bits));
            }
        }
    }

    /** In term order: neighbours share a block. */
    private void seekDigests(LeafReader reader, IndexedFields fields, List<SimHashQuery> queries) throws IOException {
        TreeSet<BytesRef> wanted = new TreeSet<>();
        for (SimHashQuery query : queries) {
            if (query.target().digest() != null) {
                wanted.add(new BytesRef(query.target().digest()));
            }
        }
        Terms all = wanted.isEmpty() ? null : reader.terms(fields.digest());
        terms = all == null ? null : all.iterator();
        if (terms != null) {
            for (BytesRef term : wanted) {
                if (terms.seekExact(term)) {
                    digests.add(new Digest(term, terms.termState()));
                }
            }
        }
    }

    public long bytes() {
        return (long) BYTES_PER_DIGEST * digests.size();
    }

    /**
     * The distance of a document, or {@link #NONE}.
     *
     * @param doc not before the previous one
     */
    public int distance(int doc, Runnable checkCancelled) throws IOException {
        int nearest = nearest(doc, checkCancelled);
        if (nearest > 0 && hasDigest(doc, checkCancelled)) {
            return 0;
        }
        return nearest <= maxDistance ? nearest : NONE;
    }

    private int nearest(int doc, Runnable checkCancelled) throws IOException {
        int nearest = StoredFingerprints.ABSENT;
        for (LongTarget target : longTargets) {
            if (target.documents.accepts(doc)) {
                nearest = Math.min(nearest, target.hashes.distance(doc));
            }
            checkCancelled.run();
        }
        if (fingerprints == null || fingerprints.advanceExact(doc) == false) {
            return nearest;
        }
        long[] own = new long[fingerprints.docValueCount()];
        for (int i = 0; i < own.length; i++) {
            own[i] = fingerprints.nextValue();
        }
        long compared = 0;
        for (SchemeTargets scheme : schemes) {
            if (scheme.documents.accepts(doc)) {
                for (long bits : own) {
                    nearest = Math.min(nearest, nearest(bits, scheme.bits));
                    compared += scheme.bits.length;
                    if (compared > COMPARISONS_PER_CHECK) {
                        checkCancelled.run();
                        compared = 0;
                    }
                }
            }
        }
        return nearest;
    }

    /** The fewest bits in which one of the targets differs. Vectorised: most documents are far from all of them. */
    static int nearest(long bits, long[] targets) {
        int nearest = StoredFingerprints.ABSENT;
        for (long target : targets) {
            nearest = Math.min(nearest, Long.bitCount(bits ^ target));
        }
        return nearest;
    }

    private boolean hasDigest(int doc, Runnable checkCancelled) throws IOException {
        for (int i = 0; i < digests.size(); i++) {
            if (i % DIGESTS_PER_CHECK == DIGESTS_PER_CHECK - 1) {
                checkCancelled.run();
            }
            Digest digest = digests.get(i);
            terms.seekExact(digest.term, digest.state);
            postings = terms.postings(postings, PostingsEnum.NONE);
            if (postings.advance(doc) == doc) {
                return true;
            }
        }
        return false;
    }
}
