/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.Uid;
import org.opensearch.simhash.core.estimate.Estimates;
import org.opensearch.simhash.core.estimate.Interval;
import org.opensearch.simhash.core.estimate.Linked;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.estimate.Suggestion;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.Document;
import org.opensearch.simhash.core.sample.Neighbours;
import org.opensearch.simhash.core.sample.Surroundings;
import org.opensearch.simhash.jobs.groups.ApartDocuments.AddressPair;
import org.opensearch.simhash.jobs.groups.DocumentTable.PackedIds.IdOrder;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.IdScan;

/**
 * How many duplicates a job as suggested finds, by linkage. Follows the links of drawn documents, and of those linked to them: each
 * round is one reading of all fingerprints, and compares the texts of the pairs if the job does. One thread, which blocks.
 *
 * <p>Bounded: what is left out by a bound makes the interval wider. Documents are read at most 30 million times, or three rounds;
 * compared 40 billion times with fingerprints, a sixteenth of that with sketches; 50,000 pairs have their texts compared.
 */
final class ExpectedDuplicates {

    /** Of a document. Nobody looks at the links of one with more. */
    private static final int MOST_LINKS = 1_000;

    private static final long VERIFIED_PAIRS = 50_000;
    private static final long PAIRS = 200_000;

    private static final long READ = 30_000_000;
    private static final int LEAST_ROUNDS = 3;
    private static final int MOST_ROUNDS = 64;

    private static final double COMPARED = 4e10;
    private static final int SKETCH = 16;
    private static final int LEAST_DOCUMENTS = 100;
    private static final int MOST_DOCUMENTS = 20_000;

    private final Readings readings;
    private final Suggestion suggestion;

    /** Compares the texts of pairs around documents; null if the job does not. */
    private final Function<long[], ComparedPairs> comparing;

    private final JobTask task;
    private final Account memory;
    private final int mostDocuments;
    private long room;
    private final Map<Long, Document> documents = new HashMap<>();
    private final Map<Long, String> ids = new HashMap<>();

    /** Whether compared pairs are similar. */
    private final Map<AddressPair, Boolean> similar = new HashMap<>();

    /** The expected numbers by linkage. */
    record ByLinkage(Interval survivor, Interval chain) {

        /** A share of the estimate. A tenth, as of a recall, is reached only if most documents are drawn. */
        private static final double WIDE = 0.5;

        boolean areWide() {
            return isWide(survivor) || isWide(chain);
        }

        private static boolean isWide(Interval number) {
            return number.high() - number.low() > WIDE * number.estimate();
        }
    }

    ExpectedDuplicates(
            Readings readings,
            Scale scale,
            Suggestion suggestion,
            Function<long[], ComparedPairs> comparing,
            JobTask task,
            Account memory) {
        this.readings = readings;
        this.suggestion = suggestion;
        this.comparing = suggestion.verify() ? comparing : null;
        this.task = task;
        this.memory = memory;
        this.room = suggestion.verify() ? VERIFIED_PAIRS : PAIRS;
        double affordable = COMPARED / (scale.steps().areSketches() ? SKETCH : 1) / readings.fingerprinted();
        this.mostDocuments = (int) Math.clamp(affordable, LEAST_DOCUMENTS, MOST_DOCUMENTS);
    }

    ByLinkage estimate(Estimates estimates) {
        List<Document> drawn = readings.draw().documents();
        long[] links = new long[drawn.size()];
        boolean[] chosenFrom = new boolean[drawn.size()];
        for (int i = 0; i < links.length; i++) {
            for (int step = 0; step <= suggestion.step(); step++) {
                links[i] += readings.surroundings().counts()[i][step];
            }
            chosenFrom[i] = links[i] > 0 && links[i] <= MOST_LINKS;
        }
        List<Integer> starts = starts(drawn, links, chosenFrom);
        List<Long> addresses = starts.stream().map(i -> drawn.get(i).address()).toList();
        for (int i : starts) {
            documents.put(drawn.get(i).address(), drawn.get(i));
        }
        Linked linked = new Linked(Comparator.<Long, String>comparing(ids::get, IdOrder::compare)
                .thenComparing(Comparator.naturalOrder()));
        long rounds = Math.clamp(READ / Math.max(1, readings.fingerprinted()), LEAST_ROUNDS, MOST_ROUNDS);
        linked.explore(addresses, this::links, (int) rounds, mostDocuments);
        List<Linked.Part> parts = new ArrayList<>();
        double[] weights = readings.draw().bands().weights();
        int withLinks = 0;
        for (int i = 0; i < links.length; i++) {
            withLinks += chosenFrom[i] ? 1 : 0;
            if (links[i] > MOST_LINKS) {
                double sure = suggestion.verify() ? estimates.near(0).low() : 1;
                parts.add(Linked.Part.ofCrowd(sure, readings.surroundings().counts()[i][0], links[i], 1 / weights[i]));
            }
        }
        double asked = withLinks == 0 ? 1 : Math.max(1, starts.size()) / (double) withLinks;
        parts.addAll(linked.parts(addresses, document -> asked * readings.chance(documents.get(document))));
        double most = Arrays.stream(weights).max().orElse(1) / asked;
        double unseen = most > 1 ? most : 0;
        long all = readings.fingerprinted();
        return new ByLinkage(
                Linked.duplicates(parts, Linked.Part::survivor, unseen, all),
                Linked.duplicates(parts, Linked.Part::chain, unseen, all));
    }

    /** Drawn documents with links, in random order, for half of the room. */
    private List<Integer> starts(List<Document> drawn, long[] links, boolean[] chosenFrom) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < links.length; i++) {
            if (chosenFrom[i]) {
                order.add(i);
            }
        }
        order.sort(Comparator.comparingLong(i -> Document.hash(~0L, drawn.get(i).address())));
        long pairs = 0;
        int count = 0;
        while (count < Math.min(order.size(), mostDocuments / 2) && pairs + links[order.get(count)] <= room / 2) {
            pairs += links[order.get(count++)];
        }
        return order.subList(0, count);
    }

    /** Returns what is linked to documents, without those that have too many links. */
    private Map<Long, long[]> links(List<Long> asked) {
        List<Document> around = asked.stream().map(documents::get).toList();
        Neighbours near = readings.neighbours(around, suggestion.step(), MOST_LINKS, room);
        documents.putAll(near.found());
        List<Surroundings.FoundPair> pairs = near.pairs();
        room -= pairs.size();
        compare(around, pairs);
        Map<Long, List<Long>> found = new HashMap<>();
        for (int i = 0; i < around.size(); i++) {
            if (near.isComplete(i)) {
                found.put(around.get(i).address(), new ArrayList<>());
            }
        }
        TreeSet<Long> linked = new TreeSet<>(asked);
        for (Surroundings.FoundPair pair : pairs) {
            long first = around.get(pair.first()).address();
            if (comparing == null || similar.get(unordered(first, pair.other()))) {
                found.get(first).add(pair.other());
                linked.add(pair.other());
            }
        }
        linked.removeAll(ids.keySet());
        readIds(linked.stream().mapToLong(Long::longValue).toArray());
        Map<Long, long[]> links = new HashMap<>();
        found.forEach((document, others) ->
                links.put(document, others.stream().mapToLong(Long::longValue).toArray()));
        return links;
    }

    private static AddressPair unordered(long a, long b) {
        return new AddressPair(Math.min(a, b), Math.max(a, b));
    }

    /** Compares the texts of pairs that were not compared before. */
    private void compare(List<Document> around, List<Surroundings.FoundPair> pairs) {
        if (comparing == null) {
            return;
        }
        List<Surroundings.FoundPair> unknown = pairs.stream()
                .filter(pair ->
                        similar.putIfAbsent(unordered(around.get(pair.first()).address(), pair.other()), false) == null)
                .toList();
        task.enter(Phase.READ, unknown.size());
        long[] addresses = around.stream().mapToLong(Document::address).toArray();
        ComparedPairs compared = comparing.apply(addresses);
        compared.compare(unknown);
        for (Sample.Pair pair : compared.seen()) {
            similar.put(unordered(addresses[pair.first()], pair.other()), pair.isNear());
        }
    }

    private void readIds(long[] addresses) {
        IdScan.Sink sink = new IdScan.Sink() {
            @Override
            public void id(int position, BytesRef id) {
                ids.put(addresses[position], Uid.decodeId(id.bytes, id.offset, id.length));
            }

            @Override
            public void routing(int position, BytesRef routing) {}
        };
        if (addresses.length > 0) {
            new IdScan(readings.pointInTime()).read(addresses, false, sink, memory, count -> task.ensureNotCancelled());
        }
    }
}
