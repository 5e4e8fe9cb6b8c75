/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.WindowSearch.WantedPrint;

/** The entries of a document, and its versions by one field. Read-only. One thread at a time. */
record DocumentEntries(WindowEntries entries, WindowFingerprints fingerprints) {

    DocumentEntries(WindowEntries entries) {
        this(entries, entries.fingerprints());
    }

    /** The newest first. */
    List<WindowVersion> versions(DocumentName name, String field) {
        List<WindowVersion> versions = new ArrayList<>();
        for (long number : of(name.id(), number -> isVersion(number, name, field))) {
            versions.add(version(number));
        }
        return versions;
    }

    WindowVersion version(long number) {
        return new WindowVersion(
                number,
                entries.order(number),
                entries.name(number),
                entries.state(number),
                entries.isAnswered(number),
                entries.answer(number),
                entries.version(number),
                List.copyOf(originals(number)),
                entries.membership(number),
                fingerprints.print(number),
                fingerprints.pairing(number));
    }

    /**
     * Entries by any field of earlier writes that may store another document of the arrivals' name: in another open
     * bulk, or in the same bulk with another fingerprint. An entry with the same fingerprint may be the arrival itself,
     * seen by an earlier processor. Linear: a bulk may write one document thousands of times.
     *
     * @param arrivals of one bulk and one name, in order
     * @param preceded gets those with such an entry before them
     */
    Set<Long> onTheirWay(List<Arrival> arrivals, Consumer<Arrival> preceded) {
        Arrival last = arrivals.getLast();
        WantedPrint print = new WantedPrint(last.print());
        List<Long> ofOthers = new ArrayList<>();
        List<Long> ofBulk = new ArrayList<>();
        for (long number : of(last.name().id(), number -> entries.name(number).sameDocument(last.name()))) {
            if (number < last.number()) {
                if (entries.answer(number) != last.answer()) {
                    if (entries.isAnswered(number) == false) {
                        ofOthers.add(number);
                    }
                } else if (fingerprints.isOf(number, print.field)) {
                    ofBulk.add(number);
                }
            }
        }
        Set<Long> numbers = new HashSet<>(ofOthers);
        long different = arrivals.reversed().stream()
                .filter(arrival -> arrival.print().distance(last.print()) != 0
                        || arrival.pairing().differsFrom(last.pairing()))
                .mapToLong(Arrival::number)
                .findFirst()
                .orElse(-1);
        ofBulk.stream()
                .filter(number -> different > number || isLike(number, last) == false)
                .forEach(numbers::add);
        long first = ofBulk.isEmpty() ? Long.MAX_VALUE : ofBulk.getLast();
        long unlikeFirst = ofBulk.stream()
                .filter(number -> fingerprints.areEqual(first, number) == false)
                .reduce(Long.MAX_VALUE, (newer, older) -> older);
        for (Arrival arrival : arrivals) {
            boolean isLikeFirst = ofBulk.isEmpty() || isLike(first, arrival);
            if ((ofOthers.isEmpty() == false && ofOthers.getLast() < arrival.number())
                    || (isLikeFirst ? unlikeFirst : first) < arrival.number()) {
                preceded.accept(arrival);
            }
        }
        return numbers;
    }

    private boolean isLike(long number, Arrival arrival) {
        return fingerprints.distance(number, new WantedPrint(arrival.print())) == 0
                && fingerprints.pairing(number).differsFrom(arrival.pairing()) == false;
    }

    /**
     * The originals of a document by all fields. It may have entries of several processors and fields. If it follows a
     * document by one field, it is no original of that document by another.
     */
    Set<DocumentName> originals(long number) {
        Set<DocumentName> originals = new LinkedHashSet<>(entries.originals(number));
        if (entries.state(number) == EntryState.GONE) {
            return originals;
        }
        DocumentName name = entries.name(number);
        Map<String, Long> newest = new HashMap<>();
        for (long other : ofBulk(name.id(), entries.answer(number))) {
            if (entries.state(other) != EntryState.UNDECIDED
                    && entries.name(other).sameDocument(name)
                    && isOtherVersion(number, other) == false) {
                // A bulk may have several versions. The last one is stored.
                Long last = newest.putIfAbsent(fingerprints.field(other), other);
                if (last == null || fingerprints.areEqual(last, other)) {
                    originals.addAll(entries.originals(other));
                }
            }
        }
        return originals;
    }

    private boolean isOtherVersion(long number, long other) {
        return fingerprints.isOf(other, fingerprints.field(number)) && fingerprints.areEqual(number, other) == false;
    }

    /** Whether a bulk's version of a document names an original, by any field. */
    boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return ofBulk(name.id(), answer).stream().anyMatch(number -> {
            boolean isVersion = entries.name(number).sameDocument(name);
            return isVersion && entries.originals(number).stream().anyMatch(original::sameDocument);
        });
    }

    /** The newest entry of a version in a state, before a number; -1 if none. */
    long newest(DocumentName name, String field, long before, EntryState state) {
        long number = entries.newest(name.id());
        while (number >= 0
                && (number >= before || entries.state(number) != state || isVersion(number, name, field) == false)) {
            number = entries.older(number);
        }
        return number;
    }

    boolean isVersion(long number, DocumentName name, String field) {
        return fingerprints.isOf(number, field) && entries.name(number).sameDocument(name);
    }

    List<Long> ofBulk(String id, BulkAnswer answer) {
        return of(
                id,
                number -> entries.answer(number) == answer
                        && entries.name(number).id().equals(id));
    }

    /** Decided versions that came before an entry, by its field. */
    List<Long> older(long before, DocumentName name) {
        return decided(entries.older(before), name, fingerprints.field(before));
    }

    /** Decided versions, the newest first. */
    List<Long> decided(DocumentName name, String field) {
        return decided(entries.newest(name.id()), name, field);
    }

    private List<Long> decided(long newest, DocumentName name, String field) {
        return from(newest, number -> entries.state(number) != EntryState.UNDECIDED && isVersion(number, name, field));
    }

    private List<Long> of(String id, LongPredicate wanted) {
        return from(entries.newest(id), wanted);
    }

    private List<Long> from(long newest, LongPredicate wanted) {
        List<Long> versions = new ArrayList<>();
        for (long number = newest; number >= 0; number = entries.older(number)) {
            if (wanted.test(number)) {
                versions.add(number);
            }
        }
        return versions;
    }

    /** Whether both entries are one version, seen by two processors. */
    boolean areOne(long number, long older) {
        return entries.answer(number) == entries.answer(older) && fingerprints.areEqual(number, older);
    }

    /** Equal versions need the same alias, too: a filtered alias hides documents from others. */
    boolean isSame(long number, long older) {
        return fingerprints.areEqual(number, older) && Objects.equals(entries.alias(number), entries.alias(older));
    }

    /** Whether the entries have one fingerprint for each field, and so may be one document. */
    boolean areOneDocument(List<Long> numbers) {
        Map<String, Long> byField = new HashMap<>();
        for (long number : numbers) {
            Long same = byField.putIfAbsent(fingerprints.field(number), number);
            if (same != null && fingerprints.areEqual(same, number) == false) {
                return false;
            }
        }
        return true;
    }
}
