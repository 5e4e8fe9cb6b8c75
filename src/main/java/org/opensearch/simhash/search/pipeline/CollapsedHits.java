/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.TotalHits.Relation;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.suggest.Suggest;
import org.opensearch.search.suggest.completion.CompletionSuggestion;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.transport.RemoteClusterAware;

/**
 * The page without near-duplicates. Each hit lists its hidden hits in {@value #FIELD}.
 *
 * @param page the remaining hits; totals, scores and sort values are unchanged
 * @param counts the work
 * @param without number of hits without fingerprint
 * @param warnings what the user must know
 */
record CollapsedHits(SearchHits page, CollapseCounts counts, int without, List<String> warnings) {

    private static final String FIELD = "_near_duplicates";

    /** For a search that returns no hits. */
    static CollapsedHits none(SearchHits found) {
        return new CollapsedHits(found, new CollapseCounts(0, 0, 0, 0, 0, false), 0, List.of());
    }

    /**
     * Collapses the hits of the plan's window.
     *
     * @param test what else a near hit needs to hide another
     * @param similarity of the texts of two hits; empty if they were not compared
     */
    static CollapsedHits of(
            SearchHits found,
            CollapsePlan plan,
            RankedHits ranked,
            Stories stories,
            GreedyCollapse.PairTest test,
            BiFunction<Integer, Integer, OptionalDouble> similarity) {
        SearchHit[] hits = found.getHits();
        BitSet apart = new BitSet();
        int[] hiddenBy = ranked.hiddenBy((by, hit) -> {
            boolean isNear = test.mayHide(by, hit);
            boolean isKeptApart = isNear && stories.areApart(by, hit);
            apart.set(hit, isKeptApart || apart.get(hit));
            return isNear && isKeptApart == false;
        });
        List<Integer> kept = new ArrayList<>();
        List<List<Object>> hidden = new ArrayList<>(hits.length);
        for (int rank = 0; rank < hits.length; rank++) {
            hidden.add(new ArrayList<>());
            int by = hiddenBy[rank];
            if (by == GreedyCollapse.KEPT) {
                kept.add(rank);
            } else {
                hidden.get(by).add(entry(hits[rank], ranked.nearness(by, rank), similarity.apply(by, rank)));
            }
        }
        int end = plan.from() + plan.size();
        List<Integer> page = kept.subList(Math.min(plan.from(), kept.size()), Math.min(end, kept.size()));
        for (int rank : page) {
            if (hidden.get(rank).isEmpty() == false) {
                hits[rank].setDocumentField(FIELD, new DocumentField(FIELD, hidden.get(rank)));
            }
        }
        boolean exhausted = kept.size() < end && hits.length >= plan.window() && hasMore(found);
        return new CollapsedHits(
                select(found, page),
                new CollapseCounts(
                        plan.window(),
                        hits.length,
                        kept.size(),
                        hits.length - kept.size(),
                        (int) kept.stream().filter(apart::get).count(),
                        exhausted),
                ranked.without(),
                warnings(hits, plan, ranked));
    }

    private static List<String> warnings(SearchHit[] hits, CollapsePlan plan, RankedHits ranked) {
        Optional<String> archives = Arrays.stream(hits).anyMatch(plan::isArchived)
                ? Optional.of(Archives.warning(plan.archives()))
                : Optional.empty();
        return Stream.of(archives, ranked.whyIncomparable(plan.options().fieldOrDefault()))
                .flatMap(Optional::stream)
                .toList();
    }

    CollapsedHits with(Optional<String> warning) {
        List<String> all = Stream.concat(warnings.stream(), warning.stream()).toList();
        return new CollapsedHits(page, counts, without, all);
    }

    /** The page without collapsing, when fingerprints cannot be compared. */
    static SearchHits pageAsFound(SearchHits found, CollapsePlan plan) {
        removeFingerprints(found.getHits(), plan);
        int end = Math.min(plan.from() + plan.size(), found.getHits().length);
        return select(
                found, IntStream.range(Math.min(plan.from(), end), end).boxed().toList());
    }

    /** Completion suggestions are fetched like hits, with fingerprints. */
    static void removeFingerprints(Suggest suggest, CollapsePlan plan) {
        if (suggest == null) {
            return;
        }
        SearchHit[] completions = suggest.filter(CompletionSuggestion.class).stream()
                .flatMap(suggestion -> suggestion.getOptions().stream())
                .map(CompletionSuggestion.Entry.Option::getHit)
                .filter(Objects::nonNull)
                .toArray(SearchHit[]::new);
        removeFingerprints(completions, plan);
    }

    static RankedHits ranked(SearchHit[] hits, CollapsePlan plan, CollapseOptions options, Stories stories) {
        String field = plan.options().carrier();
        List<HitPrints> prints = new ArrayList<>();
        for (SearchHit hit : hits) {
            boolean isCopy = plan.isArchived(hit);
            String reason = HitPrints.whyUnreadable(hit, field);
            if (reason != null && isCopy == false) {
                throw CollapseOptions.refusal(reason);
            }
            prints.add(isCopy ? HitPrints.NONE : HitPrints.of(hit, field));
        }
        removeFingerprints(hits, plan);
        return RankedHits.of(prints, options, stories);
    }

    private static void removeFingerprints(SearchHit[] hits, CollapsePlan plan) {
        if (plan.fingerprintsWanted() == false) {
            String field = plan.options().carrier();
            for (SearchHit hit : hits) {
                hit.removeDocumentField(field);
            }
        }
    }

    /** Whether two hits meet the conditions, whose values are taken from the hits with the prints. */
    static GreedyCollapse.PairTest conditions(SearchHit[] hits, CollapsePlan plan) {
        PairConditions conditions = plan.options().conditionsOrNone();
        if (conditions.isEmpty()) {
            return GreedyCollapse.PairTest.ANY;
        }
        List<PairValues> values = Arrays.stream(hits)
                .map(hit -> HitPrints.pairValues(hit, plan.options().carrier()))
                .toList();
        // A shard of a cluster with an older plugin tells no values.
        return (by, hit) ->
                values.get(by) != null && values.get(hit) != null && conditions.areMet(values.get(by), values.get(hit));
    }

    /** A sorted hit has no score; it is null, as elsewhere in the response. */
    private static Map<String, Object> entry(SearchHit hit, Map<String, Object> nearness, OptionalDouble similarity) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("_index", RemoteClusterAware.buildRemoteIndexName(hit.getClusterAlias(), hit.getIndex()));
        if (hit.getId() != null) { // else the search asks for no stored fields
            entry.put("_id", hit.getId());
        }
        entry.putAll(nearness);
        similarity.ifPresent(found -> entry.put("similarity", found));
        entry.put("score", Float.isNaN(hit.getScore()) ? null : hit.getScore());
        return entry;
    }

    /** Whether hits beyond the window may exist. True if the total is not exact. */
    private static boolean hasMore(SearchHits found) {
        TotalHits total = found.getTotalHits();
        return total == null || total.relation() != Relation.EQUAL_TO || total.value() > found.getHits().length;
    }

    private static SearchHits select(SearchHits found, List<Integer> ranks) {
        SearchHit[] hits = new SearchHit[ranks.size()];
        Object[] collapseValues = found.getCollapseValues() == null ? null : new Object[hits.length];
        for (int i = 0; i < hits.length; i++) {
            hits[i] = found.getHits()[ranks.get(i)];
            if (collapseValues != null) {
                collapseValues[i] = found.getCollapseValues()[ranks.get(i)];
            }
        }
        return new SearchHits(
                hits,
                found.getTotalHits(),
                found.getMaxScore(),
                found.getSortFields(),
                found.getCollapseField(),
                collapseValues);
    }
}
