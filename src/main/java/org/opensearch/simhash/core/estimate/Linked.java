/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What a job makes of the documents linked to drawn ones, directly and by others. Of a whole component both linkages are known. Of a
 * part of a component, some are known: with
 * {@code survivor}, a document is a duplicate as soon as a better ranked one linked to it is known to survive, and survives if none
 * is ("local computation", Nguyen and Onak, "Constant-Time Approximation Algorithms via Local Improvements", 2008).
 *
 * <p>Asks for links in rounds, those of the best ranked documents first. One thread.
 */
public final class Linked {

    /** Documents of a component that a round asks for. */
    private static final int OF_COMPONENT = 64;

    /** A document of a component of this size is a duplicate of a chain but for one in a hundred times. */
    private static final int ENOUGH = 100;

    private final Comparator<Long> ranks;

    /** Asked documents with their links; and those that were asked for in vain. */
    private final Map<Long, long[]> links = new HashMap<>();

    private final Set<Long> unknown = new HashSet<>();

    /** By document. */
    private Map<Long, Component> components = new HashMap<>();

    /**
     * A number of duplicates, at least and at most, as far as links are known.
     *
     * @param likely if nothing tells, a document with {@code n} links is one with the probability {@code n / (n + 1)}
     */
    @SuppressWarnings("AvoidCommonTypeNames") // Nothing here is a java.lang.Number.
    public record Number(double low, double likely, double high) {

        static final Number UNKNOWN = new Number(0, 0.5, 1);

        static Number of(double number) {
            return new Number(number, number, number);
        }

        /**
         * Of a document with so many links that nobody follows them.
         *
         * @param sure the least share of equal documents that are linked: of these only one survives
         */
        static Number ofCrowd(double sure, long equal, long linked) {
            double low = sure * equal / (equal + 1);
            return new Number(low, Math.max(low, (double) linked / (linked + 1)), 1);
        }
    }

    /**
     * Duplicates of a component, or of a drawn document.
     *
     * @param chance that it was drawn, more than 0
     */
    public record Part(Number survivor, Number chain, double chance) {

        /** Of a document with too many links to follow. */
        public static Part ofCrowd(double sure, long equal, long linked, double chance) {
            Number number = Number.ofCrowd(sure, equal, linked);
            return new Part(number, number, chance);
        }
    }

    /**
     * @param documents in the order of their ranks
     * @param open those whose links are not known
     * @param duplicates by document, with {@code survivor}; absent if that is not known
     */
    private record Component(List<Long> documents, List<Long> open, Map<Long, Boolean> duplicates) {

        Number chain() {
            double least = 1 - 1.0 / documents.size();
            return new Number(least, (1 + least) / 2, 1);
        }

        Number survivor(long document, int linked) {
            Boolean isDuplicate = duplicates.get(document);
            return isDuplicate == null
                    ? new Number(0, (double) linked / (linked + 1), 1)
                    : Number.of(isDuplicate ? 1 : 0);
        }

        /** Of all documents, which are known. */
        Part whole(ToDoubleFunction<Long> chances) {
            double missed = 1;
            for (long document : documents) {
                missed *= 1 - chances.applyAsDouble(document);
            }
            long found = duplicates.values().stream().filter(is -> is).count();
            return new Part(Number.of((double) found), Number.of(documents.size() - 1.0), 1 - missed);
        }

        boolean tells(long document) {
            return open.isEmpty() || (duplicates.containsKey(document) && documents.size() >= ENOUGH);
        }
    }

    /** @param ranks in which order documents survive, of all that were linked */
    public Linked(Comparator<Long> ranks) {
        this.ranks = ranks;
    }

    /**
     * @param starts documents to tell of
     * @param source the links of documents; without those that are not known
     * @param rounds the most questions
     * @param most documents to ask for
     */
    public void explore(Collection<Long> starts, Function<List<Long>, Map<Long, long[]>> source, int rounds, int most) {
        List<Long> asked = new ArrayList<>(starts);
        for (int round = 0; round < rounds && asked.isEmpty() == false; round++) {
            if (links.size() + unknown.size() + asked.size() > most) {
                asked = asked.subList(0, Math.max(0, most - links.size() - unknown.size()));
            }
            Map<Long, long[]> found = asked.isEmpty() ? Map.of() : source.apply(asked);
            links.putAll(found);
            asked.stream()
                    .filter(document -> found.containsKey(document) == false)
                    .forEach(unknown::add);
            components = components();
            asked = next(starts);
        }
    }

    /** The best ranked open documents of components that do not tell enough. */
    private List<Long> next(Collection<Long> starts) {
        Set<Component> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Long> next = new ArrayList<>();
        for (long start : starts) {
            Component component = components.get(start);
            if (component != null && component.tells(start) == false && wanted.add(component)) {
                component.open.stream()
                        .filter(document -> unknown.contains(document) == false)
                        .limit(OF_COMPONENT)
                        .forEach(next::add);
            }
        }
        return next;
    }

    private Map<Long, Component> components() {
        Map<Long, Set<Long>> near = new HashMap<>();
        links.forEach((document, others) -> {
            near.computeIfAbsent(document, key -> new HashSet<>());
            for (long other : others) {
                near.get(document).add(other);
                near.computeIfAbsent(other, key -> new HashSet<>()).add(document);
            }
        });
        Map<Long, Component> found = new HashMap<>();
        for (long document : near.keySet()) {
            if (found.containsKey(document) == false) {
                Component component = component(document, near);
                component.documents.forEach(member -> found.put(member, component));
            }
        }
        return found;
    }

    private Component component(long first, Map<Long, Set<Long>> near) {
        Set<Long> members = new HashSet<>(Set.of(first));
        ArrayDeque<Long> left = new ArrayDeque<>(members);
        while (left.isEmpty() == false) {
            for (long other : near.get(left.poll())) {
                if (members.add(other)) {
                    left.add(other);
                }
            }
        }
        List<Long> ranked = members.stream().sorted(ranks).toList();
        List<Long> open = ranked.stream()
                .filter(member -> links.containsKey(member) == false)
                .toList();
        return new Component(ranked, open, duplicates(ranked, near));
    }

    /** In the order of ranks: those before a document are decided, if anything decides them. */
    private Map<Long, Boolean> duplicates(List<Long> ranked, Map<Long, Set<Long>> near) {
        Map<Long, Boolean> decided = new HashMap<>();
        for (long document : ranked) {
            boolean isDuplicate = false;
            boolean isSure = links.containsKey(document);
            for (long other : near.get(document)) {
                if (ranks.compare(other, document) < 0) {
                    Boolean known = decided.get(other);
                    isSure &= known != null;
                    isDuplicate |= known != null && known == false;
                }
            }
            if (isDuplicate || isSure) {
                decided.put(document, isDuplicate);
            }
        }
        return decided;
    }

    /**
     * What is known of the starts.
     *
     * @param chances of a document to be one of them
     */
    public List<Part> parts(Collection<Long> starts, ToDoubleFunction<Long> chances) {
        List<Part> parts = new ArrayList<>();
        Set<Component> whole = Collections.newSetFromMap(new IdentityHashMap<>());
        for (long start : starts) {
            Component component = components.get(start);
            if (component != null && component.open.isEmpty()) {
                if (whole.add(component)) {
                    parts.add(component.whole(chances));
                }
            } else {
                int linked = links.containsKey(start) ? links.get(start).length : 1;
                parts.add(new Part(
                        component == null ? Number.UNKNOWN : component.survivor(start, linked),
                        component == null ? Number.UNKNOWN : component.chain(),
                        chances.applyAsDouble(start)));
            }
        }
        return parts;
    }

    /**
     * The duplicates of all documents: each part stands for as many as its chance tells (Horvitz and Thompson; of components, Thompson,
     * "Adaptive Cluster Sampling", 1990). The variance is that of independent draws.
     *
     * @param linkage {@link Part#survivor} or {@link Part#chain}
     * @param unseen the most documents that one that was not drawn may stand for; 0 if all were
     */
    public static Interval duplicates(List<Part> parts, Function<Part, Number> linkage, double unseen, long documents) {
        Interval likely = sum(parts, part -> linkage.apply(part).likely, unseen);
        double low = sum(parts, part -> linkage.apply(part).low, unseen).low();
        double high = sum(parts, part -> linkage.apply(part).high, unseen).high();
        return Interval.of(likely.estimate(), low, Math.min(high, (double) documents));
    }

    private static Interval sum(List<Part> parts, ToDoubleFunction<Part> number, double unseen) {
        double total = 0;
        double variance = 0;
        double seen = 0;
        for (Part part : parts) {
            double weight = number.applyAsDouble(part) / part.chance;
            total += weight;
            variance += (1 - part.chance) * weight * weight;
            seen = Math.max(seen, (1 - part.chance) * weight);
        }
        double largest = Math.max(seen, unseen);
        return largest < 1e-9
                ? Interval.exactly(total)
                : Interval.ofCount(total, Math.max(variance, Math.min(total, 1) * largest), seen, largest);
    }
}
