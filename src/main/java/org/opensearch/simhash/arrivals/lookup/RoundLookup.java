/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.lookup.IndexLookup.HitPairings;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScope;
import org.opensearch.simhash.arrivals.scope.LookupScope.Search;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.scope.PairFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.simhash.search.query.SimHashQueries;

/**
 * Searches the index for a round's documents, some hundreds at a time. Notes matches or failures in each. No thread
 * waits. The steps run one after the other, each on one thread.
 */
public final class RoundLookup {

    /** The limit bounds the memory of a larger bulk. */
    private static final int LOOKUPS_AT_ONCE = 512;

    /** @param joint whether one search serves all documents */
    private record Work(Search search, List<Arrival> arrivals, boolean joint) {}

    private final NodeLookups lookups;
    private final Criteria criteria;
    private final IndexLookup ofEach;
    private final JointLookup ofAll;
    private final Runnable then;
    private final Consumer<Exception> failed;
    private final Supplier<LookupScopes> scopes;
    private final List<Arrival> searched = new ArrayList<>();
    private final Queue<Work> work = new ArrayDeque<>();
    private boolean inGate;
    private boolean isSecond;

    /** @param then runs when all is noted */
    public RoundLookup(
            NodeLookups lookups,
            Criteria criteria,
            PairFields pairFields,
            Supplier<LookupScopes> scopes,
            Runnable then,
            Consumer<Exception> failed) {
        this.lookups = lookups;
        this.criteria = criteria;
        this.ofEach = new IndexLookup(lookups, criteria, pairFields);
        this.ofAll = new JointLookup(lookups, criteria, pairFields);
        this.scopes = scopes;
        this.then = then;
        this.failed = failed;
    }

    /** Searches in the gate's turn. May be called again after the end. */
    public void start(List<Arrival> searchable) {
        isSecond = false;
        searched.clear();
        searched.addAll(searchable);
        divide(searchable);
        lookups.gate().enter(lookups.threadContext().preserveContext(this::enterGate));
    }

    /** Documents of one request have one scope. */
    private void divide(List<Arrival> searchable) {
        Map<LookupScope, List<Arrival>> byScope = new HashMap<>();
        for (Arrival arrival : searchable) {
            byScope.computeIfAbsent(arrival.scope(), any -> new ArrayList<>()).add(arrival);
        }
        byScope.forEach((scope, same) -> {
            // A joint search finds the nearest matches before an alias' filter applies.
            boolean joint = criteria.passages() == null
                    && (criteria.verification() == null
                            || criteria.verification().field() == null)
                    && scope.filters().isEmpty()
                    && same.stream().noneMatch(RoundLookup::isLong)
                    && JointLookup.maxDocuments(scope) > 1
                    && same.stream().allMatch(Arrival::isLookedUpFirst);
            int atOnce = joint ? Math.min(LOOKUPS_AT_ONCE, JointLookup.maxDocuments(scope)) : LOOKUPS_AT_ONCE;
            for (int from = 0; from < same.size(); from += atOnce) {
                List<Arrival> some = same.subList(from, Math.min(from + atOnce, same.size()));
                scope.searches().forEach(search -> work.add(new Work(search, some, joint && some.size() > 1)));
            }
        });
    }

    /** A joint search is of fingerprints of 64 bits. */
    private static boolean isLong(Arrival arrival) {
        return arrival.print() instanceof ArrivedFingerprint fingerprint && fingerprint.hash() != null;
    }

    /** Runs on the thread that left the gate, so errors must not escape. */
    private void enterGate() {
        inGate = true;
        try {
            lookUp();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    /** Leaves the gate. Must be called in any case. */
    public void end() {
        if (inGate) {
            inGate = false;
            lookups.gate().leave();
        }
    }

    private void lookUp() {
        Work next = work.poll();
        if (next == null && isSecond == false && searched.stream().anyMatch(arrival -> arrival.failure() != null)) {
            lookUpAgain();
        } else if (next == null) {
            end();
            then.run();
        } else if (next.joint()) {
            this.<SearchResponse>send(
                    next, listener -> ofAll.send(next.search(), next.arrivals(), listener), answer -> {
                        if (ofAll.note(next.arrivals(), answer) == false) {
                            work.add(new Work(next.search(), next.arrivals(), false));
                        }
                    });
        } else {
            this.<MultiSearchResponse>send(
                    next,
                    listener -> ofEach.send(next.search(), next.arrivals(), listener),
                    answer -> ofEach.note(next.search(), next.arrivals(), answer));
        }
    }

    /** A rollover may have added shards that are not started. Searches again where the scope changed. */
    private void lookUpAgain() {
        isSecond = true;
        LookupScopes now = scopes.get();
        List<Arrival> changed = new ArrayList<>();
        for (Arrival arrival : searched) {
            LookupScope scope = arrival.failure() == null
                    ? arrival.scope()
                    : now.renewed(arrival.scope(), arrival.name().index());
            if (scope.searches().equals(arrival.scope().searches()) == false) {
                arrival.lookUpAgain(scope);
                changed.add(arrival);
            }
        }
        divide(changed);
        lookUp();
    }

    /** Sends a request, handles its answer or failure on a write thread, and continues. */
    private <A> void send(Work sent, Consumer<ActionListener<A>> request, Consumer<A> onAnswer) {
        ActionListener<A> listener = ActionListener.wrap(
                answer -> lookups.fork(
                        () -> {
                            onAnswer.accept(answer);
                            lookUp();
                        },
                        failed),
                e -> lookups.fork(
                        () -> {
                            sent.arrivals().forEach(arrival -> IndexLookup.noteFailure(sent.search(), arrival, e));
                            lookUp();
                        },
                        failed));
        lookups.send(listener, request);
    }

    /**
     * One search for many documents. It returns the nearest matches of each, with fingerprints that tell which document
     * they match. Costs a fraction of single searches, with the same result.
     */
    record JointLookup(NodeLookups lookups, Criteria criteria, PairFields pairFields) {

        /** Matches to ask for: for each document, and added once. */
        private static final int MATCHES_OF_EACH = 2 * Arrival.MATCHES;

        private static final int MORE_MATCHES = 64;

        /** Sends one search for documents of one scope. Verifies no texts. */
        void send(Search search, List<Arrival> arrivals, ActionListener<SearchResponse> listener) {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(query(arrivals))
                    .size(mostMatches(arrivals))
                    .fetchSource(pairFields.wanted())
                    .docValueField(carrier())
                    .trackTotalHits(false)
                    .seqNoAndPrimaryTerm(true)
                    .sort(FieldSortBuilder.DOC_FIELD_NAME);
            lookups.client().search(IndexLookup.request(lookups, search, source), listener);
        }

        private QueryBuilder query(List<Arrival> arrivals) {
            SimHashQueries queries = lookups.queries();
            Set<Target> fingerprints = new LinkedHashSet<>();
            Set<SketchTarget> sketches = new LinkedHashSet<>();
            for (Arrival arrival : arrivals) {
                switch (arrival.print()) {
                    case ArrivedFingerprint fingerprint -> fingerprints.add(fingerprint.target());
                    case ArrivedSketch sketch -> sketches.add(sketch.target());
                    case ArrivedPassages passages ->
                        throw new IllegalArgumentException("passages have no joint search");
                }
            }
            return criteria.kind() == SketchKind.MINHASH
                    ? queries.near(criteria.field(), List.copyOf(sketches), criteria.threshold())
                    : queries.nearestOfEach(criteria.field(), List.copyOf(fingerprints), criteria.maxDistance());
        }

        /** The field of hits that carries what is compared. */
        private String carrier() {
            return HitPrints.fieldFor(criteria.kind(), criteria.field());
        }

        private static int mostMatches(List<Arrival> arrivals) {
            return MORE_MATCHES + MATCHES_OF_EACH * arrivals.size();
        }

        /** The largest number of documents for one search, within the limit of the indices; may be 0 or less. */
        static int maxDocuments(LookupScope scope) {
            return (scope.maxHits() - MORE_MATCHES) / MATCHES_OF_EACH;
        }

        /**
         * Notes in each document its matches.
         *
         * @return false, with nothing noted, if there are more matches, or if one has no readable fingerprint
         */
        boolean note(List<Arrival> arrivals, SearchResponse response) {
            SearchHit[] hits = response.getHits().getHits();
            if (hits.length == mostMatches(arrivals)) {
                return false;
            }
            List<ComparedHit> prints = new ArrayList<>();
            for (SearchHit hit : hits) {
                ComparedHit of = ComparedHit.of(HitPrints.of(hit, carrier()), criteria.field());
                // For example mapped without doc values.
                if (HitPrints.whyUnreadable(hit, carrier()) != null || of.isTelling(arrivals) == false) {
                    return false;
                }
                prints.add(of);
            }
            HitPairings pairings = new HitPairings(pairFields, hits);
            ComparedHits compared = new ComparedHits(prints);
            for (Arrival arrival : arrivals) {
                int maxDistance = arrival.print().maxDistance(criteria);
                int[] distances = compared.distances(arrival.print());
                List<Original> originals = new ArrayList<>();
                Set<DocumentName> others = new HashSet<>(0);
                for (int i = 0; i < hits.length; i++) {
                    if (distances[i] <= maxDistance) {
                        originals.add(IndexLookup.original(hits[i], distances[i], Double.NaN));
                        if (pairings.areMet(arrival, i) == false) {
                            others.add(originals.getLast().name());
                        }
                    }
                }
                arrival.foundInIndex(originals, others);
            }
            return true;
        }

        /** What a hit is compared by: values without digest and scheme. */
        private record ComparedHit(List<ArrivedPrint> values, List<String> digests, List<String> schemes) {

            static ComparedHit of(HitPrints found, String field) {
                List<ArrivedPrint> values = new ArrayList<>();
                for (Object value : found.values()) {
                    if (value instanceof Long bits) {
                        values.add(new ArrivedFingerprint(field, true, bits, null, null, null));
                    } else if (value instanceof Sketch sketch) {
                        values.add(new ArrivedSketch(field, sketch, null, null, null));
                    }
                }
                return new ComparedHit(values, found.digests(), found.schemes());
            }

            /**
             * Whether the distance is certain. A hit may lack its digest. With the same scheme that is no loss, because equal
             * texts have equal fingerprints and sketches.
             */
            boolean isTelling(List<Arrival> arrivals) {
                return digests.isEmpty() == false
                        || arrivals.stream()
                                .map(Arrival::print)
                                .allMatch(print -> print.hasDigest() == false || schemes.contains(print.scheme()));
            }

            int distance(ArrivedPrint print) {
                int nearest = ArrivedPrint.INCOMPARABLE;
                for (ArrivedPrint value : values) {
                    nearest = Math.min(nearest, value.distance(print));
                }
                return nearest;
            }
        }

        /** Hits by scheme and digest: each document is compared with all hits, and nearly all have one scheme. */
        private static final class ComparedHits {

            private final List<ComparedHit> hits;
            private final Map<String, BitSet> byScheme = new HashMap<>();
            private final Map<String, List<Integer>> byDigest = new HashMap<>();

            ComparedHits(List<ComparedHit> hits) {
                this.hits = hits;
                for (int i = 0; i < hits.size(); i++) {
                    for (String digest : hits.get(i).digests()) {
                        byDigest.computeIfAbsent(digest, any -> new ArrayList<>())
                                .add(i);
                    }
                }
            }

            int[] distances(ArrivedPrint print) {
                int[] distances = new int[hits.size()];
                Arrays.fill(distances, ArrivedPrint.INCOMPARABLE);
                BitSet comparable = byScheme.computeIfAbsent(print.scheme(), this::comparable);
                for (int i = comparable.nextSetBit(0); i >= 0; i = comparable.nextSetBit(i + 1)) {
                    distances[i] = hits.get(i).distance(print);
                }
                if (print.hasDigest()) {
                    byDigest.getOrDefault(print.digest().toString(), List.of()).forEach(i -> distances[i] = 0);
                }
                return distances;
            }

            /** @param scheme null if unknown: then all are */
            private BitSet comparable(String scheme) {
                BitSet comparable = new BitSet();
                for (int i = 0; i < hits.size(); i++) {
                    comparable.set(i, scheme == null || hits.get(i).schemes().contains(scheme));
                }
                return comparable;
            }
        }
    }
}
