/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.decision.Candidate.Standing;
import org.opensearch.simhash.arrivals.decision.Verdicts.Judged;
import org.opensearch.simhash.arrivals.lookup.GroupCarriers;
import org.opensearch.simhash.arrivals.lookup.NodeLookups;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments;
import org.opensearch.simhash.arrivals.peers.PeerFindings;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.WindowSnapshot;
import org.opensearch.simhash.core.memory.Account;

/** What a round knows about originals, and still has to find out. An error fails one document only. One thread at a time. */
public final class RoundKnowledge {

    /** Originals to read for a document at first; then four times as many. */
    private static final int GOT = 4;

    /** Heap bytes of a candidate while its document is decided, roughly: the match, its versions, its similarity. */
    public static final int BYTES_PER_CANDIDATE = 256;

    private final NodeKnowledge node;
    private final Batch batch;
    private final PeerFindings heard;
    private final BiFunction<Arrival, StoredDocuments, EndingCheck> ending;
    private final StoredDocuments stored;
    private final Account memory;
    private final List<Sought> all = new ArrayList<>();
    private final Set<Long> awaited = new HashSet<>();
    private int got = GOT;
    private Verdicts verdicts;

    public RoundKnowledge(NodeKnowledge node, Batch batch, PeerFindings heard, LongConsumer memory) {
        this(node, batch, heard, memory, (arrival, stored) -> new EndingCheck(node, stored, batch, arrival, memory));
    }

    /** @param ending makes what looks at the texts of a document */
    RoundKnowledge(
            NodeKnowledge node,
            Batch batch,
            PeerFindings heard,
            LongConsumer memory,
            BiFunction<Arrival, StoredDocuments, EndingCheck> ending) {
        this.node = node;
        this.batch = batch;
        this.heard = heard;
        this.ending = ending;
        this.stored = new StoredDocuments(memory);
        this.memory = new Account(memory);
    }

    public void begin() {
        boolean verifies = batch.criteria().verification() != null;
        for (Arrival arrival : batch.arrivals()) {
            EndingCheck check = ending.apply(arrival, stored);
            ArrivedText text = verifies ? new ArrivedText(node, batch, arrival, check) : null;
            all.add(new Sought(arrival, text, batch.rule().mayEnd() ? check : null, heard));
        }
        each(sought -> {
            if (sought.text != null) {
                sought.text.keep();
                sought.arrival.comparedBy(sought.text::text, sought.text::language);
                if (batch.criteria().passages() != null) {
                    sought.arrival.searchedBy(sought.text::target);
                }
            }
        });
        each(sought -> sought.look(node.window(), batch.criteria()));
    }

    /** Takes a snapshot and decides. An unknown durability counts as durable. */
    public void take() {
        verdicts = verdicts(true);
    }

    /** Decides for the last time: only a known durability counts. */
    public void conclude() {
        verdicts = verdicts(false);
    }

    public Verdicts verdicts() {
        return verdicts;
    }

    private Verdicts verdicts(boolean assuming) {
        List<Long> numbers = new ArrayList<>();
        List<DocumentName> names = new ArrayList<>();
        List<Arrival> named = new ArrayList<>();
        for (Sought sought : all) {
            if (batch.rule().givesGroups() && sought.arrival.isNamed()) {
                names.add(sought.arrival.name());
                names.addAll(sought.carriers);
            }
            if (sought.isEmpty() == false) {
                sought.numbers().forEach(numbers::add);
                sought.arrival.inIndex().forEach(hit -> names.add(hit.name()));
                sought.heard().forEach(match -> names.add(match.name()));
                if (sought.arrival.isNamed()) {
                    names.add(sought.arrival.name());
                }
                if (asksForItself(sought.arrival)) {
                    named.add(sought.arrival);
                }
            }
        }
        WindowSnapshot snapshot =
                node.window().snapshot(numbers, names, batch.rule().field(), named);
        return Verdicts.of(new Snapshot(batch, stored, snapshot, new HashMap<>()), all, assuming);
    }

    /** Whether a stored version of the document would change the decision. */
    private boolean asksForItself(Arrival arrival) {
        return batch.rule().mayEnd() && arrival.isNamed();
    }

    /** Entries of earlier rounds that must be decided first: originals, and versions that may replace one. Returns each once. */
    public List<Long> undecided() {
        return verdicts.snapshot().undecided().filter(awaited::add).toList();
    }

    public boolean want() {
        for (Judged judged : verdicts.all()) {
            Arrival arrival = judged.sought().arrival;
            if (batch.rule().givesGroups() && arrival.isNamed() && arrival.failure() == null) {
                want(arrival.name());
                judged.sought().carriers.forEach(this::want);
            }
            if (arrival.failure() == null && judged.candidates().isEmpty() == false) {
                want(arrival, judged.candidates());
                if (asksForItself(arrival) || isNamed(arrival, judged.candidates())) {
                    want(arrival.name());
                }
            }
        }
        got = Math.min(4 * got, 1 << 10);
        return stored.wantsNothing() == false;
    }

    /** Whether one is kept apart from the document, if its stored version says so, too. */
    private static boolean isNamed(Arrival arrival, List<Candidate> candidates) {
        String id = arrival.name().id();
        return arrival.isNamed()
                && candidates.stream()
                        .anyMatch(candidate -> candidate.apart().named().contains(id));
    }

    private void want(Arrival arrival, List<Candidate> candidates) {
        int inWindow = 0;
        for (Candidate candidate : candidates) {
            boolean isWanted = candidate.hit() == null
                    ? candidate.isOfRoundAlone() == false && (candidate.isUnclear() || inWindow++ < got)
                    : batch.rule().mayEnd()
                            || batch.rule().givesGroups()
                            || arrival.isNamed()
                            || candidate.isOutdated()
                            || candidate.isUnclear();
            if (isWanted) {
                want(candidate.name());
            }
        }
    }

    private void want(DocumentName name) {
        if (stored.isAsked(name) == false) {
            stored.want(name, verdicts.snapshot().asked(name));
        }
    }

    /** @param then runs in any case; without memory the documents fail */
    public void get(NodeLookups lookups, Runnable then) {
        // An original's fingerprint, tag, and fields for verification.
        Set<String> fields =
                new LinkedHashSet<>(List.of(batch.rule().field(), batch.rule().targetField()));
        fields.addAll(batch.pairFields().paths());
        each(sought -> {
            if (sought.text != null && sought.isEmpty() == false) {
                fields.addAll(sought.text.fields());
            }
            if (sought.ending != null && sought.isEmpty() == false) {
                fields.addAll(sought.ending.fields());
            }
        });
        ActionListener<Void> listener = ActionListener.wrap(nothing -> then.run(), e -> {
            if (ExceptionsHelper.unwrapCause(e) instanceof CircuitBreakingException refused) {
                each(sought -> sought.arrival.failed(refused));
            }
            then.run();
        });
        stored.fetch(lookups, fields.toArray(String[]::new), listener);
    }

    /** The groups of documents that keep one if no other document has it, which is not known yet. */
    public Map<Arrival, String> lone() {
        Map<Arrival, String> lone = new LinkedHashMap<>();
        for (Judged judged : verdicts.all()) {
            Arrival arrival = judged.sought().arrival;
            if (arrival.failure() == null && judged.groups().isAlone() && judged.sought().areCarriersKnown == false) {
                lone.put(arrival, judged.groups().given().group());
            }
        }
        return lone;
    }

    /** Looks for other documents of these groups, in the window and in the index. */
    public void findCarriers(NodeLookups lookups, Map<Arrival, String> lone, Runnable then) {
        Map<String, List<DocumentName>> accepted = node.window().carriers(Set.copyOf(lone.values()));
        GroupCarriers.find(
                lookups,
                batch.scopes(),
                batch.rule().field(),
                lone,
                ActionListener.wrap(
                        found -> {
                            for (Sought sought : all) {
                                List<DocumentName> names = found.get(sought.arrival);
                                if (names != null) {
                                    names.addAll(accepted.getOrDefault(lone.get(sought.arrival), List.of()));
                                    sought.carriedBy(names);
                                }
                            }
                            then.run();
                        },
                        e -> {
                            lone.keySet().forEach(arrival -> arrival.failed(e));
                            then.run();
                        }));
    }

    public void close() {
        all.stream().map(sought -> sought.text).filter(Objects::nonNull).forEach(ArrivedText::close);
        stored.close();
        memory.close();
    }

    /** Continues the search of the window for documents without an original there; returns whether there are any. */
    public boolean lookFurther() {
        List<Long> lost = verdicts.lost();
        if (lost.isEmpty() == false) {
            node.window().decide(lost.stream().map(ArrivalOutcome::forgotten).toList());
        }
        boolean further = false;
        for (Judged judged : verdicts.all()) {
            Sought sought = judged.sought();
            boolean needsMore = needsMore(judged, sought.inWindow.reached());
            if (needsMore && sought.inWindow.isExhausting()) {
                sought.arrival.failed(tooMany(sought.inWindow.found().size()));
            } else if (needsMore && sought.inWindow.hasMore()) {
                further = true;
                tried(sought, this::lookFurther);
            }
        }
        if (further) {
            forgetOthers();
        }
        return further;
    }

    private static boolean needsMore(Judged judged, int reached) {
        return judged.sought().arrival.failure() == null
                && judged.originals().stream()
                        .noneMatch(standing -> standing.original().distance() <= reached);
    }

    /** @throws CircuitBreakingException without memory */
    private void lookFurther(Sought sought) {
        int before = sought.inWindow.found().size();
        sought.look(node.window(), batch.criteria());
        memory.take((long) BYTES_PER_CANDIDATE * (sought.inWindow.found().size() - before));
    }

    /** Documents without an original in other nodes' answers, if these nodes may know more. */
    public List<Arrival> unheard() {
        List<Arrival> unheard = new ArrayList<>();
        for (Judged judged : verdicts.all()) {
            Arrival arrival = judged.sought().arrival;
            if (needsMore(judged, heard.reached(arrival)) && judged.sought().hasMoreToHear()) {
                if (heard.wantMore(arrival)) {
                    unheard.add(arrival);
                } else {
                    arrival.failed(tooMany(PeerFindings.MOST_WANTED));
                }
            }
        }
        return unheard;
    }

    private static Exception tooMany(int count) {
        return new OpenSearchStatusException(
                "the nearest [" + count
                        + "] documents are deleted, or follow it: others cannot be told before a refresh",
                RestStatus.TOO_MANY_REQUESTS);
    }

    private void forgetOthers() {
        stored.keepOnly(Stream.of(
                        batch.arrivals().stream().map(Arrival::name),
                        all.stream().flatMap(sought -> sought.carriers.stream()),
                        verdicts.all().stream()
                                .flatMap(judged -> judged.candidates().stream())
                                .map(Candidate::name))
                .flatMap(names -> names));
    }

    /** Documents without an original in the index, if it may have more matches. */
    public List<Arrival> usedUp() {
        List<Arrival> usedUp = new ArrayList<>();
        for (Judged judged : verdicts.all()) {
            Arrival arrival = judged.sought().arrival;
            if (arrival.failure() == null && arrival.mayHaveMore() && isUsedUp(arrival, judged.originals())) {
                if (arrival.lookUpFurther()) {
                    usedUp.add(arrival);
                } else {
                    arrival.failed(tooMany(Arrival.MOST_MATCHES));
                }
            }
        }
        return usedUp;
    }

    /** An original of the same round does not count: a match of the next search may end it. */
    private static boolean isUsedUp(Arrival arrival, List<Standing> originals) {
        int reached =
                arrival.inIndex().stream().mapToInt(Original::distance).max().orElse(-1);
        return originals.stream()
                .filter(standing -> standing.isOfRound() == false)
                .noneMatch(standing -> standing.original().distance() < reached
                        || (standing.original().distance() == reached
                                && standing.candidate().hit() != null));
    }

    /** Originals whose durability decides whether a document ends, and ids that must not be stored for that. */
    public List<DocumentName> unproven() {
        return verdicts.all().stream()
                .filter(judged -> judged.verdict().needsProof())
                .flatMap(judged -> {
                    Arrival arrival = judged.sought().arrival;
                    DocumentName original =
                            judged.verdict().standing().candidate().name();
                    return arrival.isNamed() ? Stream.of(original, arrival.name()) : Stream.of(original);
                })
                .collect(Collectors.toMap(DocumentName::unrouted, name -> name, (one, other) -> one))
                .values()
                .stream()
                .toList();
    }

    /** Asks whether the versions read are current and durable. This is the last step before the decision. */
    public void prove(NodeLookups lookups, List<DocumentName> names, Runnable then) {
        stored.askWhetherDurable(lookups, batch.scopes(), names, ActionListener.wrap(then));
    }

    /** Forgets originals that changed; returns whether there are any. */
    public boolean forgetChanged() {
        List<DocumentName> changed = stored.changed();
        changed.forEach(stored::forgetChanged);
        return changed.isEmpty() == false;
    }

    private void each(Consumer<Sought> step) {
        all.forEach(sought -> tried(sought, step));
    }

    private static void tried(Sought sought, Consumer<Sought> step) {
        if (sought.arrival.failure() == null) {
            try {
                step.accept(sought);
            } catch (Exception e) {
                sought.arrival.failed(e);
            }
        }
    }
}
