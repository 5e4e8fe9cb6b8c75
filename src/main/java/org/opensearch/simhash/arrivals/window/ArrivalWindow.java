/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.opensearch.common.Randomness;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivalOrder;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;

/**
 * The fingerprints that this node accepted lately, which a search may not see yet. Compares them exactly as a search would. A document is
 * compared only with earlier ones. So of two near-duplicates the later one knows of the earlier one.
 *
 * <p>An entry is {@link EntryState#UNDECIDED} until its round is decided. A dropped document leaves the window and
 * never becomes an original. A kept one replaces its earlier versions.
 *
 * <p>Bounded by time, by number, and by a share of the circuit breaker. If memory is refused, the oldest entries leave
 * early. Thread-safe. An entry costs about a microsecond and 300 bytes.
 */
public final class ArrivalWindow {

    /** @param millis that an entry stays */
    public record Bounds(long millis, int size) {}

    /** Milliseconds after a refusal of memory before the next request. */
    private static final int PATIENCE = 10;

    private final LongSupplier clock;
    private final WindowMemory memory;
    private final Hasher64 idHash;
    private WindowEntries entries;
    private Bounds bounds;
    private long growsAgainAt = Long.MIN_VALUE;
    /** The highest stamp that this node gave or heard. */
    private long stamp;

    private long evicted;

    /**
     * @param clock monotonic, in milliseconds
     * @param breaker takes bytes, or refuses them, or takes them back if negative
     * @param share most bytes, at the moment
     */
    public ArrivalWindow(LongSupplier clock, LongConsumer breaker, LongSupplier share, Bounds bounds) {
        SecureRandom secret = Randomness.createSecure();
        this.clock = clock;
        this.memory = new WindowMemory(breaker, share);
        this.idHash = Hashing.polymurHash2_0(secret.nextLong(), secret.nextLong(), secret.nextLong());
        this.entries = new WindowEntries(0, idHash);
        this.bounds = bounds;
    }

    /** Also for existing entries. */
    public synchronized void limit(Bounds newBounds) {
        bounds = newBounds;
        expire();
    }

    /**
     * Enters documents, without others between them, and gives each its {@link ArrivalOrder}.
     *
     * @return the number of the first; the others follow
     */
    public synchronized long admit(List<Arrival> arrivals) {
        expire();
        long first = entries.next();
        long now = clock.getAsLong();
        long order = ArrivalOrder.first(stamp + 1);
        for (Arrival arrival : arrivals) {
            arrival.ordered(order, order);
            if (hasRoomFor(arrival)) {
                WindowEntry entry = entries.add(arrival, now);
                versions().entered(entry);
                arrival.ordered(order, entry.firstOrder);
            } else {
                entries.skip(order);
                if (bounds.size() > 0 && bounds.millis() > 0) {
                    evicted++;
                }
            }
            order++;
        }
        stamp = Math.max(stamp, ArrivalOrder.stamp(order - 1));
        return first;
    }

    /** Later rounds of this node get a higher stamp than another node's. */
    public synchronized void heard(long stampOfOther) {
        stamp = Math.max(stamp, stampOfOther);
    }

    public synchronized long stamp() {
        return stamp;
    }

    /**
     * As {@link #nearest(Arrival, int, int, long)}, for a document of another node.
     *
     * @param asked gets the number of the first entry that came after it
     */
    public synchronized List<Original> nearestTo(Arrival asked, int maxDistance, int count) {
        expire();
        asked.numbered(entries.firstFrom(asked.order()));
        return new WindowSearch(entries, asked, maxDistance, count, WindowSearch.BEFORE_ALL).run();
    }

    /** Entries by number, without those that are gone. */
    public synchronized Map<Long, WindowVersion> versions(Collection<Long> numbers) {
        Map<Long, WindowVersion> versions = new HashMap<>();
        for (long number : numbers) {
            WindowEntry entry = entries.get(number);
            if (entry != null) {
                versions.put(number, documents().version(entry));
            }
        }
        return versions;
    }

    /**
     * Enters a document without a fingerprint, which may replace an original.
     *
     * @param isCertain whether it will be stored, unless the index refuses it
     */
    public synchronized void admit(Arrival arrival, boolean isCertain) {
        long number = admit(List.of(arrival));
        Fate fate = isCertain ? Fate.KEPT : Fate.PERHAPS;
        decide(List.of(new ArrivalOutcome(number, fate, arrival.name(), null)));
    }

    /**
     * Earlier documents within a distance: the nearest first, then the oldest. Leaves out versions of the document itself.
     *
     * @param count most matches
     * @param after the {@link WindowSearch#rank} of the last match before, or {@link WindowSearch#BEFORE_ALL}
     */
    synchronized List<Original> nearest(Arrival arrival, int maxDistance, int count, long after) {
        expire();
        return new WindowSearch(entries, arrival, maxDistance, count, after).run();
    }

    /**
     * @param numbers of entries: includes their names, and all versions by these names
     * @param names of other documents to include
     * @param arrivals of one bulk, in order, to check for another document of the same name under way
     */
    public synchronized WindowSnapshot snapshot(
            Collection<Long> numbers, Collection<DocumentName> names, String field, Collection<Arrival> arrivals) {
        Map<Long, DocumentName> current = new HashMap<>();
        Set<DocumentName> wanted = new LinkedHashSet<>();
        names.forEach(name -> wanted.add(name.unrouted()));
        for (long number : numbers) {
            WindowEntry entry = entries.get(number);
            if (entry != null) {
                current.put(number, entry.name);
                wanted.add(entry.name.unrouted());
            }
        }
        Map<DocumentName, List<WindowVersion>> versions = new HashMap<>();
        for (DocumentName name : wanted) {
            List<WindowVersion> all = documents().versions(name, field);
            if (all.isEmpty() == false) {
                versions.put(name, all);
            }
        }
        Map<DocumentName, List<Arrival>> byName = new LinkedHashMap<>();
        for (Arrival arrival : arrivals) {
            byName.computeIfAbsent(arrival.name().unrouted(), any -> new ArrayList<>(1))
                    .add(arrival);
        }
        Set<Arrival> preceded = new HashSet<>();
        Map<DocumentName, Set<Long>> onTheirWay = new HashMap<>();
        byName.forEach((name, ofName) -> {
            Set<Long> earlier = documents().onTheirWay(ofName, preceded::add);
            if (earlier.isEmpty() == false) {
                onTheirWay.put(name, earlier);
            }
        });
        return new WindowSnapshot(current, versions, preceded, onTheirWay);
    }

    /** Applies the outcomes of a round, in order. */
    public synchronized void decide(List<ArrivalOutcome> outcomes) {
        for (ArrivalOutcome outcome : outcomes) {
            WindowEntry entry = entries.get(outcome.number());
            if (entry == null) {
                continue;
            }
            entries.change(entry, changed -> {
                changed.membership = outcome.membership();
                if (outcome.original() != null) {
                    changed.follow(outcome.original());
                }
            });
            switch (outcome.fate()) {
                case KEPT -> versions().keep(entry);
                case PERHAPS -> versions().keepBeside(entry);
                case ENDED -> versions().end(entry);
                case REFUSED -> versions().refuse(entry);
                case FORGOTTEN -> entries.drop(entry);
            }
        }
    }

    /** Notes stored versions, and puts back those that refused ones had replaced. */
    public synchronized void answered(BulkAnswer answer, List<ItemAnswer> items) {
        versions().answered(answer, items);
    }

    /** Whether a bulk's version of a document follows an original, by any field. */
    public synchronized boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return documents().follows(name, answer, original);
    }

    /** The documents of some groups, in one pass. */
    public synchronized Map<String, List<DocumentName>> carriers(Set<String> groups) {
        Map<String, List<DocumentName>> carriers = new HashMap<>();
        entries.forEach(entry -> {
            String group = entry.membership == null ? null : entry.membership.group();
            if (group != null && groups.contains(group)) {
                carriers.computeIfAbsent(group, any -> new ArrayList<>()).add(entry.name);
            }
        });
        return carriers;
    }

    /** Forgets deleted indices in one pass: new ones of the same names are others. */
    public synchronized void forget(Set<String> indices) {
        entries.forEach(entry -> {
            if (indices.contains(entry.name.index())) {
                entries.drop(entry);
            }
        });
    }

    public synchronized WindowState state() {
        expire();
        long age = entries.size() == 0 ? 0 : clock.getAsLong() - entries.oldestTime();
        return new WindowState(entries.size(), age, evicted);
    }

    public synchronized void expire() {
        long oldest = clock.getAsLong() - bounds.millis();
        while (entries.size() > 0 && entries.oldestTime() <= oldest) {
            forgetOldest();
        }
        while (entries.size() > bounds.size()) {
            evictOldest();
        }
        if (entries.size() == 0 && entries.capacity() > 0) {
            entries = new WindowEntries(entries.next(), idHash);
        }
        memory.shrinkTo(entries.bytes());
    }

    private WindowVersions versions() {
        return new WindowVersions(entries);
    }

    private DocumentEntries documents() {
        return new DocumentEntries(entries);
    }

    private void forgetOldest() {
        entries.forgetOldest();
        entries.shrink();
    }

    private void evictOldest() {
        if (entries.get(entries.first()) != null) {
            evicted++;
        }
        forgetOldest();
    }

    private boolean hasRoomFor(Arrival arrival) {
        if (bounds.size() == 0 || bounds.millis() == 0) {
            return false;
        }
        if (entries.size() == bounds.size()) {
            evictOldest();
        }
        if (entries.isFull() && clock.getAsLong() >= growsAgainAt) {
            if (memory.fits(entries.bytesWhenGrown(arrival))) {
                entries.grow();
            } else {
                growsAgainAt = clock.getAsLong() + PATIENCE;
            }
        }
        if (entries.capacity() == 0) {
            return false;
        }
        if (entries.isFull()) {
            evictOldest();
        }
        while (memory.fits(entries.bytesWith(arrival)) == false) {
            if (entries.size() == 0) {
                return false;
            }
            evictOldest();
        }
        return true;
    }

    synchronized long bytes() {
        return memory.reserved();
    }

    public synchronized long first() {
        return entries.first();
    }

    /** In order of arrival, for tests. */
    synchronized List<DocumentName> names() {
        List<DocumentName> names = new ArrayList<>();
        entries.forEach(entry -> names.add(entry.name));
        return names;
    }

    /**
     * The window's figures at one moment.
     *
     * @param oldest age of the oldest entry in milliseconds, or 0
     * @param evicted entries that left early, or never entered, for lack of room
     */
    public record WindowState(int entries, long oldest, long evicted) {}
}
