/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What clients asked for and were told, and when. Safe for use by several threads. */
final class History {

    private static final int PRINTED = 80;

    private final long start = System.nanoTime();
    private final AtomicLong requests = new AtomicLong();
    private final List<Operation> operations = new ArrayList<>();
    private final List<JobRun> jobs = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final List<Decision> decisions = new ArrayList<>();
    private long answered;
    private long removals;
    private long swaps;
    private long lateness = 2_000_000;

    /** Longer than a node that has more to do than it can is late with an answer, in microseconds. */
    synchronized long lateness() {
        return lateness;
    }

    /** Nodes stood still for so long: so much later are answers. */
    synchronized void paused(long micros) {
        lateness = Math.max(lateness, 2_000_000 + micros);
    }

    /** Microseconds since the start. */
    long now() {
        return (System.nanoTime() - start) / 1_000;
    }

    long nextRequest() {
        return requests.incrementAndGet();
    }

    synchronized void add(List<Operation> all) {
        operations.addAll(all);
        answered++;
        removals += all.stream().filter(Operation::isLeftOut).count();
    }

    /** @param removed documents that it says to have deleted */
    synchronized void add(JobRun job, long removed) {
        jobs.add(job);
        answered++;
        removals += removed;
    }

    synchronized void add(Note note) {
        notes.add(note);
    }

    /**
     * Documents of a corpus were there.
     *
     * @param sent when somebody asked for them
     */
    void see(Corpus corpus, Map<String, Text> texts, long sent) {
        texts.forEach((id, text) -> {
            String document = corpus.index() + "/" + id;
            add(new Note(sent, now(), document, text, "seen " + document + " " + text));
        });
    }

    synchronized void add(Decision decision) {
        decisions.add(decision);
    }

    /** An alias has another index now. */
    synchronized void swapped(Note note) {
        notes.add(note);
        swaps++;
    }

    synchronized long swaps() {
        return swaps;
    }

    /** Requests of clients that were answered, or failed, so far. */
    synchronized long answered() {
        return answered;
    }

    /** Documents that were left out or deleted for a near-duplicate, so far. */
    synchronized long removals() {
        return removals;
    }

    /** Nothing that was not answered can happen any more. */
    synchronized void settle() {
        long time = now();
        operations.replaceAll(operation -> operation.isOpen() ? operation.endedBy(time) : operation);
        jobs.replaceAll(job -> job.isOpen() ? job.endedBy(time) : job);
    }

    synchronized List<Operation> operations() {
        return operations.stream()
                .sorted(Comparator.comparingLong(Operation::sent))
                .toList();
    }

    /** What clients were told, and how often. */
    synchronized Map<Outcome, Long> answers() {
        return operations.stream()
                .collect(Collectors.groupingBy(
                        Operation::outcome, () -> new EnumMap<>(Outcome.class), Collectors.counting()));
    }

    synchronized List<JobRun> jobs() {
        return List.copyOf(jobs);
    }

    synchronized List<Note> notes() {
        return List.copyOf(notes);
    }

    synchronized List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /** All that happened to the documents which ever had a text of this kin, for people. */
    synchronized String of(String index, String kin, boolean verified) {
        Set<String> documents = operations.stream()
                .filter(operation -> operation.index().startsWith(index) && operation.isOf(kin, verified))
                .map(Operation::document)
                .collect(Collectors.toCollection(TreeSet::new));
        List<Operation> about = operations.stream()
                .filter(operation -> documents.contains(operation.document()))
                .toList();
        long first = about.stream().mapToLong(Operation::sent).min().orElse(0);
        Stream<JobRun> meanwhile = jobs.stream().filter(job -> job.index().equals(index) && job.answered() >= first);
        Stream<Note> seen = notes.stream()
                .filter(note ->
                        note.document() == null ? note.answered() >= first : documents.contains(note.document()));
        Stream<Decision> decided = decisions.stream()
                .filter(decision -> documents.contains(decision.document()) || documents.contains(decision.other()));
        List<String> lines = Stream.of(about.stream(), meanwhile, seen, decided)
                .flatMap(events -> events)
                .sorted(Comparator.comparingLong(Event::sent))
                .map(History::line)
                .toList();
        int hidden = Math.max(0, lines.size() - PRINTED);
        String before = hidden == 0 ? "" : "  (" + hidden + " earlier lines)\n";
        return before + String.join("\n", lines.subList(hidden, lines.size()));
    }

    private static String line(Event event) {
        return String.format(Locale.ROOT, "  %,12d to %,12d us  %s", event.sent(), event.answered(), event);
    }
}
