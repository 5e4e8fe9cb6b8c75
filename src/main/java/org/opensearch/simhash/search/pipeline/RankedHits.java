/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.pipeline.GreedyCollapse.PairTest;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.simhash.search.query.Threshold;

/** Ranked hits, compared by fingerprints, by sketches, or by passages. */
sealed interface RankedHits {

    record FingerprintedHits(List<HitPrints> hits, int maxDistance) implements RankedHits {

        @Override
        public int[] hiddenBy(PairTest test) {
            return GreedyCollapse.of(hits, maxDistance, test);
        }

        @Override
        public Optional<String> whyIncomparable(String field) {
            if (hits.size() < 2) {
                return Optional.empty();
            }
            if (hits.stream().allMatch(HitPrints::isNone)) {
                return Optional.of("none of " + hits.size() + " hits has a fingerprint in [" + field
                        + "]: nothing is collapsed; GET /_plugins/_simhash/check/{index} says why");
            }
            if (hits.stream().allMatch(hit -> hit.values().isEmpty())) {
                return Optional.of("none of " + hits.size()
                        + " hits has features enough for a fingerprint: only equal texts are collapsed");
            }
            List<String> schemes =
                    hits.stream().flatMap(hit -> hit.schemes().stream()).toList();
            boolean isEachAlone =
                    schemes.size() > 1 && schemes.stream().distinct().count() == schemes.size();
            return isEachAlone
                    ? Optional.of(
                            "the hits have fingerprints of schemes that cannot be compared with each other: nothing is"
                                    + " collapsed; GET /_plugins/_simhash/check/{index} says why")
                    : Optional.empty();
        }
    }

    /**
     * Ranked hits, compared by sketches under the rules of {@link GreedyCollapse}. At most n²/2 comparisons of 128 bytes
     * for n sketches: half a second for 10,000, two seconds for {@value #MOST_SKETCHES}, the most allowed.
     */
    record SketchedHits(List<HitPrints> hits, Threshold.Similarity threshold) implements RankedHits {

        static final int MOST_SKETCHES = 20_000;

        private static final double NONE = -1;

        @Override
        public int[] hiddenBy(PairTest test) {
            GreedyCollapse.requireAtMost(MOST_SKETCHES, "sketches", hits);
            List<Integer> kept = new ArrayList<>();
            return GreedyCollapse.of(
                    hits.size(),
                    rank -> kept,
                    (by, hit) -> similarity(hits.get(by), hits.get(hit)) >= threshold.least() && test.mayHide(by, hit));
        }

        /** 1 for equal digests, else the best similarity of two sketches of one scheme. */
        private double similarity(HitPrints a, HitPrints b) {
            if (Collections.disjoint(a.digests(), b.digests()) == false) {
                return 1;
            }
            boolean isOfOneScheme = (a.schemes().isEmpty() && b.schemes().isEmpty())
                    || Collections.disjoint(a.schemes(), b.schemes()) == false;
            double highest = NONE;
            if (isOfOneScheme) {
                for (Object left : a.values()) {
                    for (Object right : b.values()) {
                        if (((Sketch) left).permutations() == ((Sketch) right).permutations()) {
                            highest = Math.max(highest, similarity((Sketch) left, (Sketch) right));
                        }
                    }
                }
            }
            return highest;
        }

        private double similarity(Sketch left, Sketch right) {
            double jaccard = Sketch.similarity(left.agreeing(right), left.permutations());
            return threshold.containment() ? Sketch.containment(jaccard, left.size(), right.size()) : jaccard;
        }

        @Override
        public Optional<String> whyIncomparable(String field) {
            return hits.size() > 1 && hits.stream().allMatch(HitPrints::isNone)
                    ? Optional.of(
                            "none of " + hits.size() + " hits has a sketch in [" + field + "]: nothing is collapsed")
                    : Optional.empty();
        }
    }

    /**
     * Ranked hits with terms of passages, under the rules of {@link GreedyCollapse}. A term in common makes a pair that is worth a
     * test, which must compare the texts. Costs a look-up for each term, and a step for each hit that stays and has it.
     */
    record PassageHits(List<HitPrints> hits) implements RankedHits {

        /** Some nine million words, and 32 MB here. */
        static final int MOST_TERMS = 2_000_000;

        /** Of a term and a rank in one number. */
        private static final int RANK_BITS = 22;

        @Override
        public int[] hiddenBy(PairTest test) {
            long[] places = places();
            int[] kept = new int[places.length];
            int[] keptOfTerm = new int[places.length];
            int[] hiddenBy = new int[hits.size()];
            for (int rank = 0; rank < hiddenBy.length; rank++) {
                int[] terms = firstPlaces(places, hits.get(rank).terms());
                BitSet near = new BitSet(rank);
                for (int term : terms) {
                    for (int i = 0; i < keptOfTerm[term]; i++) {
                        near.set(kept[term + i]);
                    }
                }
                int by = near.nextSetBit(0);
                while (by >= 0 && test.mayHide(by, rank) == false) {
                    by = near.nextSetBit(by + 1);
                }
                hiddenBy[rank] = by < 0 ? GreedyCollapse.KEPT : by;
                if (by < 0) {
                    for (int term : terms) {
                        kept[term + keptOfTerm[term]++] = rank;
                    }
                }
            }
            return hiddenBy;
        }

        /** Each term of each hit, with the rank; equal terms beside one another. */
        private long[] places() {
            long count = hits.stream().mapToLong(hit -> hit.terms().length).sum();
            if (count > MOST_TERMS || hits.size() >= 1 << RANK_BITS) {
                throw new GreedyCollapse.TooManyPrintsException(MOST_TERMS + " terms of passages", count);
            }
            long[] places = new long[(int) count];
            int size = 0;
            for (int rank = 0; rank < hits.size(); rank++) {
                for (long term : hits.get(rank).terms()) {
                    places[size++] = term << RANK_BITS | rank;
                }
            }
            Arrays.sort(places);
            return places;
        }

        private static int[] firstPlaces(long[] places, long[] terms) {
            return Arrays.stream(terms)
                    .distinct()
                    .mapToInt(term -> Arrays.binarySearch(places, term << RANK_BITS))
                    .map(place -> place < 0 ? -place - 1 : place)
                    .toArray();
        }

        /** All with a term in common, whatever the conditions: in the worst case, pairs are too many. */
        @Override
        public BitSet near(PairTest conditions) {
            BitSet near = new BitSet();
            long[] places = places();
            for (int i = 1; i < places.length; i++) {
                if (places[i] >>> RANK_BITS == places[i - 1] >>> RANK_BITS) {
                    near.set(rank(places[i - 1]));
                    near.set(rank(places[i]));
                }
            }
            return near;
        }

        private static int rank(long place) {
            return (int) place & ((1 << RANK_BITS) - 1);
        }

        @Override
        public Optional<String> whyIncomparable(String field) {
            if (hits.size() < 2 || hits.stream().anyMatch(hit -> hit.terms().length > 0)) {
                return Optional.empty();
            }
            return Optional.of(
                    "none of " + hits.size() + " hits has terms of passages in [" + field + "]: nothing is collapsed");
        }
    }

    /** Ranked hits, of which those of one group are near. A hit without a group stays. */
    record GroupedHits(List<HitPrints> hits, Stories stories) implements RankedHits {

        @Override
        public int[] hiddenBy(PairTest test) {
            Map<String, List<Integer>> kept = new HashMap<>();
            return GreedyCollapse.of(
                    hits.size(),
                    rank -> stories.group(rank) == null
                            ? new ArrayList<>()
                            : kept.computeIfAbsent(stories.group(rank), any -> new ArrayList<>()),
                    test);
        }

        @Override
        public Optional<String> whyIncomparable(String field) {
            boolean isNone = IntStream.range(0, hits.size()).allMatch(rank -> stories.group(rank) == null);
            return hits.size() > 1 && isNone
                    ? Optional.of("none of " + hits.size() + " hits has a group in [" + field + "."
                            + FingerprintFields.GROUP + "]: nothing is collapsed")
                    : Optional.empty();
        }
    }

    /** @param prints of the hits, from the best hit down */
    static RankedHits of(List<HitPrints> prints, CollapseOptions options, Stories stories) {
        if (options.isByGroup()) {
            return new GroupedHits(prints, stories);
        }
        return switch (options.kind()) {
            case SIMHASH -> new FingerprintedHits(prints, options.maxDistanceOrDefault());
            case MINHASH -> new SketchedHits(prints, options.similarity());
            case PASSAGES -> new PassageHits(prints);
        };
    }

    /** For each hit the rank of the hit that hides it, or {@link GreedyCollapse#KEPT}. */
    int[] hiddenBy(PairTest test);

    /** The ranks of hits that would hide another or be hidden, if all texts were similar. */
    default BitSet near(PairTest conditions) {
        BitSet near = new BitSet();
        hiddenBy((by, hit) -> {
            if (conditions.mayHide(by, hit)) {
                near.set(by);
                near.set(hit);
            }
            return false; // So all pairs are asked about.
        });
        return near;
    }

    /** The nearness of a hidden hit to the hit that hides it, for its entry. */
    default Map<String, Object> nearness(int by, int hidden) {
        return switch (this) {
            case FingerprintedHits ranked ->
                Map.of("distance", GreedyCollapse.distance(ranked.hits.get(by), ranked.hits.get(hidden)));
            case SketchedHits ranked ->
                Map.of("estimate", ranked.similarity(ranked.hits.get(by), ranked.hits.get(hidden)));
            case PassageHits ranked -> Map.of(); // the similarity of the texts is all
            case GroupedHits ranked -> Map.of(FingerprintFields.GROUP, ranked.stories.group(hidden));
        };
    }

    List<HitPrints> hits();

    /** Number of hits with nothing to compare. */
    default int without() {
        return (int) hits().stream().filter(HitPrints::isNone).count();
    }

    /** Why no two hits can be compared; empty if two can. */
    Optional<String> whyIncomparable(String field);
}
