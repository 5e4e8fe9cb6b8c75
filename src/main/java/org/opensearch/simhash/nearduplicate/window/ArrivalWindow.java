/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.opensearch.common.Randomness;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.ArrivalOrder;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.arrival.ItemAnswer;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.Outcome.Fate;

/**
 * The fingerprints that this node accepted a short while ago, which a search may not see yet: compared exactly as a search
 * would. Documents are numbered as they come; each is compared only with those before it, so that of two near-duplicates it
 * is always the later one that knows of the other.
 *
 * <p>A document is {@link EntryState#UNDECIDED} until its round knows what becomes of it. One that is dropped leaves the window, so
 * it never becomes an original; one that is kept takes the place of earlier versions of itself.
 *
 * <p>Bounded by time, by number, and by its share of the circuit breaker: when memory is refused, the oldest entries leave
 * early. What is not needed any more is given back.
 * Thread-safe; an entry costs about a microsecond and 200 bytes.
 */
public final class ArrivalWindow {

    /**
     * How much the window holds.
     *
     * @param millis how long an entry stays
     * @param size most entries
     */
    public record Bounds(long millis, int size) {}

    /** So many milliseconds later memory is asked for again, once it was refused. */
    private static final int PATIENCE = 10;

    private final LongSupplier clock;
    private final WindowMemory memory;
    private final Hasher64 idHash;
    private WindowEntries entries;
    private Bounds bounds;
    private long growsAgainAt = Long.MIN_VALUE;
    /** The highest stamp of a round that this node gave, or heard of. */
    private long stamp;

    private long evicted;

    /**
     * @param clock milliseconds that never run backwards
     * @param breaker takes bytes, or refuses them, or takes them back when negative
     * @param share bytes that may be taken, at the moment
     */
    public ArrivalWindow(LongSupplier clock, LongConsumer breaker, LongSupplier share, Bounds bounds) {
        SecureRandom secret = Randomness.createSecure();
        this.clock = clock;
        this.memory = new WindowMemory(breaker, share);
        this.idHash = Hashing.polymurHash2_0(secret.nextLong(), secret.nextLong(), secret.nextLong());
        this.entries = new WindowEntries(0, idHash);
        this.bounds = bounds;
    }

    /** New bounds, for what is there already, too. */
    public synchronized void limit(Bounds newBounds) {
        bounds = newBounds;
        expire();
    }

    /**
     * Enters documents, all at once: no other comes between. Each is told its {@link ArrivalOrder}.
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
                entries.add(arrival, now);
                long number = entries.next() - 1;
                versions().entered(number);
                arrival.ordered(order, entries.came(number));
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

    /** What comes from now on is later than what another node gave a stamp. */
    public synchronized void heard(long stampOfOther) {
        stamp = Math.max(stamp, stampOfOther);
    }

    /** The highest stamp given, or heard of. */
    public synchronized long stamp() {
        return stamp;
    }

    /**
     * As {@link #nearest(Arrival, int, int, long)}, for a document that another node took.
     *
     * @param asked not in this window; gets the number of the first entry that did not come before it
     */
    public synchronized List<Original> nearestTo(Arrival asked, int maxDistance, int count) {
        expire();
        asked.numbered(entries.firstFrom(asked.order()));
        return new WindowSearch(entries, asked, maxDistance, count, WindowSearch.BEFORE_ALL).run();
    }

    /** What is known of entries at this moment, by number; nothing of those that are gone. */
    public synchronized Map<Long, WindowVersion> versions(Collection<Long> numbers) {
        Map<Long, WindowVersion> versions = new HashMap<>();
        for (long number : numbers) {
            if (entries.state(number) != EntryState.GONE) {
                versions.put(number, documents().version(number));
            }
        }
        return versions;
    }

    /**
     * Enters a document that has nothing to be compared by: it may take the place of one that others are near to.
     *
     * @param isCertain whether it will be indexed, unless the index refuses it
     */
    public synchronized void admit(Arrival arrival, boolean isCertain) {
        long number = admit(List.of(arrival));
        Fate fate = isCertain ? Fate.KEPT : Fate.PERHAPS;
        decide(List.of(new Outcome(number, fate, arrival.name(), null)));
    }

    /**
     * The nearest, and of these the earliest, documents that came before a given one and are within a distance of it, at
     * most {@code count}; those in other indices and earlier versions of the document itself left out.
     *
     * @param after the {@link WindowSearch#rank} of the last one that was found already, or {@link WindowSearch#BEFORE_ALL}
     */
    synchronized List<Original> nearest(Arrival arrival, int maxDistance, int count, long after) {
        expire();
        return new WindowSearch(entries, arrival, maxDistance, count, after).run();
    }

    /**
     * What is known of some documents at this moment.
     *
     * @param numbers of entries whose names are wanted, and the versions by these names
     * @param names of other documents
     * @param field by which versions are wanted
     * @param arrivals of which it is wanted whether another document by their name is on its way
     */
    public synchronized WindowSnapshot snapshot(
            Collection<Long> numbers, Collection<DocumentName> names, String field, Collection<Arrival> arrivals) {
        Map<Long, DocumentName> current = new HashMap<>();
        Set<DocumentName> wanted = new LinkedHashSet<>();
        names.forEach(name -> wanted.add(name.unrouted()));
        for (long number : numbers) {
            if (entries.state(number) != EntryState.GONE) {
                DocumentName name = entries.name(number);
                current.put(number, name);
                wanted.add(name.unrouted());
            }
        }
        Map<DocumentName, List<WindowVersion>> versions = new HashMap<>();
        for (DocumentName name : wanted) {
            List<WindowVersion> all = documents().versions(name, field);
            if (all.isEmpty() == false) {
                versions.put(name, all);
            }
        }
        Set<Arrival> preceded =
                arrivals.stream().filter(documents()::isOnItsWay).collect(Collectors.toSet());
        return new WindowSnapshot(current, versions, preceded);
    }

    /** What becomes of the documents of a round, all at once, in the order in which they came. */
    public synchronized void decide(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            long number = outcome.number();
            if (outcome.original() != null) {
                entries.follow(number, outcome.original());
            }
            switch (outcome.fate()) {
                case KEPT -> versions().keep(number, outcome.name());
                case PERHAPS -> versions().keepBeside(number);
                case ENDED -> versions().end(number);
                case REFUSED -> versions().refuse(number);
                case FORGOTTEN -> entries.drop(number);
            }
        }
    }

    /** A bulk is answered: the versions that it wrote are known, and those that the refused ones took the place of are back. */
    public synchronized void answered(BulkAnswer answer, List<ItemAnswer> items) {
        versions().answered(answer, items);
    }

    /** Whether a version of a document that came with a bulk was told, by any field, to follow an original. */
    public synchronized boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return documents().follows(name, answer, original);
    }

    /** Indices were deleted, and what was accepted for them: others of the same names are other indices. All in one pass. */
    synchronized void forget(Set<String> indices) {
        for (long number = entries.first(); number < entries.next(); number++) {
            if (entries.state(number) != EntryState.GONE
                    && indices.contains(entries.name(number).index())) {
                entries.drop(number);
            }
        }
    }

    /** What there is at this moment. */
    public synchronized WindowState state() {
        expire();
        long age = entries.size() == 0 ? 0 : clock.getAsLong() - entries.oldestTime();
        return new WindowState(entries.size(), age, evicted);
    }

    synchronized int size() {
        expire();
        return entries.size();
    }

    /** Lets go what is too old. */
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

    /** Before its time. */
    private void evictOldest() {
        if (entries.state(entries.first()) != EntryState.GONE) {
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
            if (memory.fits(entries.bytesWhenGrown() + arrival.nameBytes())) {
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
        while (memory.fits(entries.bytes() + arrival.nameBytes()) == false) {
            if (entries.size() == 0) {
                return false;
            }
            evictOldest();
        }
        return true;
    }

    /** Bytes held of the breaker. */
    synchronized long bytes() {
        return memory.reserved();
    }

    /** The number of the oldest entry. */
    public synchronized long first() {
        return entries.first();
    }

    /** Entries in the order in which they came, for tests. */
    synchronized List<DocumentName> names() {
        List<DocumentName> names = new ArrayList<>();
        for (long number = entries.first(); number < entries.next(); number++) {
            if (entries.state(number) != EntryState.GONE) {
                names.add(entries.name(number));
            }
        }
        return names;
    }
}
