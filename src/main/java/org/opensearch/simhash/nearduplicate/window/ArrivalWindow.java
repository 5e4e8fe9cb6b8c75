/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

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
 * Thread-safe; an entry costs about a microsecond and 180 bytes.
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
    private WindowEntries entries;
    private Bounds bounds;
    private long growsAgainAt = Long.MIN_VALUE;

    /**
     * @param clock milliseconds that never run backwards
     * @param breaker takes bytes, or refuses them, or takes them back when negative
     * @param share bytes that may be taken, at the moment
     */
    public ArrivalWindow(LongSupplier clock, LongConsumer breaker, LongSupplier share, Bounds bounds) {
        this.clock = clock;
        this.memory = new WindowMemory(breaker, share);
        this.entries = new WindowEntries(0);
        this.bounds = bounds;
    }

    /** New bounds, for what is there already, too. */
    public synchronized void limit(Bounds newBounds) {
        bounds = newBounds;
        expire();
    }

    /**
     * Enters documents, all at once: no other comes between.
     *
     * @return the number of the first; the others follow
     */
    public synchronized long admit(List<Arrival> arrivals) {
        expire();
        long first = entries.next();
        long now = clock.getAsLong();
        for (Arrival arrival : arrivals) {
            if (hasRoomFor(arrival)) {
                entries.add(arrival, now);
                versions().entered(entries.next() - 1);
            } else {
                entries.skip();
            }
        }
        return first;
    }

    /**
     * Enters a document that has nothing to be compared by: it may take the place of one that others are near to.
     *
     * @param isCertain whether it will be indexed, unless the index refuses it
     */
    public synchronized void admit(Arrival arrival, boolean isCertain) {
        long number = admit(List.of(arrival));
        if (isCertain) {
            keep(number, arrival.name());
        } else {
            keepBeside(number);
        }
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

    /** What is known of an entry: one that left the window is gone. */
    public synchronized EntryState state(long number) {
        return entries.state(number);
    }

    /** What an entry is called by now; null when it left the window. */
    public synchronized DocumentName name(long number) {
        return entries.state(number) == EntryState.GONE ? null : entries.name(number);
    }

    /** Whether the bulk that an entry came with was answered; false of one that left the window. */
    public synchronized boolean isAnswered(long number) {
        return entries.isAnswered(number);
    }

    /**
     * The numbers of those versions of a document, by another's field, whose bulks were answered: several where updates left it
     * open which is stored. A stream may keep under another name what came before it was there: that is none of them.
     */
    public synchronized List<Long> answeredVersions(DocumentName name, Arrival other) {
        return documents().answered(name, other.fingerprint().field());
    }

    /** The numbers of the versions of a document's field that came before a number and are not decided yet. */
    public synchronized List<Long> undecidedVersions(DocumentName name, String field, long before) {
        return documents().before(before, name, field, true);
    }

    /** The numbers of the versions of a document that came before another, by its field, and may be stored, now or later. */
    public synchronized List<Long> acceptedVersions(DocumentName name, Arrival before) {
        return documents().before(before.number(), name, before.fingerprint().field(), false);
    }

    /** The number of the newest version of a document that is kept and came before another, by its field; negative when there is none. */
    public synchronized long newestVersion(DocumentName name, Arrival before) {
        return documents().newest(name, before.fingerprint().field(), before.number(), EntryState.KEPT);
    }

    /** Bits in which an entry and a document differ; {@link ArrivedFingerprint#INCOMPARABLE} of one that left the window. */
    public synchronized int distance(long number, Arrival arrival) {
        return entries.state(number) == EntryState.GONE
                ? ArrivedFingerprint.INCOMPARABLE
                : entries.fingerprints().distance(number, arrival.fingerprint());
    }

    /** Whether an entry is kept that came with a bulk. */
    public synchronized boolean isSentAlong(long number, BulkAnswer answer) {
        return entries.state(number) == EntryState.KEPT && entries.answer(number) == answer;
    }

    /** The document is tagged as a near-duplicate of another. */
    public synchronized void follow(long number, DocumentName original) {
        entries.follow(number, original);
    }

    /** The documents that an entry's names as its originals, by whatever field: more than one where several processors look at it. */
    public synchronized List<DocumentName> originals(long number) {
        return List.copyOf(documents().originals(number));
    }

    /** An entry that is kept, or the one that took its place because another processor sees it; -1 when there is none. */
    public synchronized long kept(long number) {
        return documents().kept(number);
    }

    /** Whether a version of a document that came with a bulk was told, by any field, to follow an original. */
    public synchronized boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return documents().follows(name, answer, original);
    }

    /** The document will be indexed, under this name, in place of its earlier versions. */
    public synchronized void keep(long number, DocumentName name) {
        versions().keep(number, name);
    }

    /** The document will be indexed unless there is one of its name: that one may stay as it is. */
    public synchronized void keepBeside(long number) {
        versions().keepBeside(number);
    }

    /**
     * A document of a bulk is not stored: the version of it that it took the place of is back, and gets tell which is true.
     *
     * @param index that it was to be written to
     */
    public synchronized void refused(String index, String id, BulkAnswer answer) {
        versions().refused(index, id, answer);
    }

    /** Whether a document that came with a bulk is in the window, and only as one of another index. */
    public synchronized boolean isMoved(String index, String id, BulkAnswer answer) {
        return versions().isMoved(index, id, answer);
    }

    /**
     * A document of which {@link #isMoved} is true has been stored in this index: what it was to take the place of is what it was, and it
     * takes that of its like there.
     */
    public synchronized void moved(String index, String id, BulkAnswer answer) {
        versions().moved(index, id, answer);
    }

    /** The document will not be indexed, whatever was decided of it by other fields. */
    public synchronized void end(long number) {
        versions().end(number);
    }

    /** What is known of the document by this field does not count any more. */
    public synchronized void drop(long number) {
        entries.drop(number);
    }

    /** The document is refused on account of this field, and may be indexed all the same, where its pipeline ignores that. */
    public synchronized void refuse(long number) {
        if (entries.state(number) != EntryState.GONE) {
            versions().doubt(number);
            entries.drop(number);
        }
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

    synchronized int size() {
        expire();
        return entries.size();
    }

    /** Lets go what is too old. */
    public synchronized void expire() {
        long oldest = clock.getAsLong() - bounds.millis();
        while (entries.size() > 0 && (entries.oldestTime() <= oldest || entries.size() > bounds.size())) {
            forgetOldest();
        }
        if (entries.size() == 0 && entries.capacity() > 0) {
            entries = new WindowEntries(entries.next());
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

    private boolean hasRoomFor(Arrival arrival) {
        if (bounds.size() == 0 || bounds.millis() == 0) {
            return false;
        }
        if (entries.size() == bounds.size()) {
            forgetOldest();
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
            forgetOldest();
        }
        while (memory.fits(entries.bytes() + arrival.nameBytes()) == false) {
            if (entries.size() == 0) {
                return false;
            }
            forgetOldest();
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
