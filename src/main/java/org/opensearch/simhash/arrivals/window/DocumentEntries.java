/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/** The entries of a document, and its versions by one field. Read-only. One thread at a time. */
record DocumentEntries(WindowEntries entries) {

    /** The newest first. */
    List<WindowVersion> versions(DocumentName name, String field) {
        return from(entries.newest(name.id()), entry -> entry.isVersion(name, field)).stream()
                .map(this::version)
                .toList();
    }

    WindowVersion version(WindowEntry entry) {
        return new WindowVersion(
                entry.number,
                entry.order,
                entry.name,
                entry.state,
                entry.answer.isGiven(),
                entry.answer,
                entry.version,
                List.copyOf(originals(entry)),
                entry.membership,
                entry.print,
                entry.pairing);
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
        List<WindowEntry> ofOthers = new ArrayList<>();
        List<WindowEntry> ofBulk = new ArrayList<>();
        for (WindowEntry entry :
                from(entries.newest(last.name().id()), entry -> entry.name.sameDocument(last.name()))) {
            if (entry.number < last.number()) {
                if (entry.answer != last.answer()) {
                    if (entry.answer.isGiven() == false) {
                        ofOthers.add(entry);
                    }
                } else if (entry.isOf(last.print().field())) {
                    ofBulk.add(entry);
                }
            }
        }
        Set<Long> numbers = new HashSet<>();
        ofOthers.forEach(entry -> numbers.add(entry.number));
        long different = arrivals.reversed().stream()
                .filter(arrival -> arrival.print().distance(last.print()) != 0
                        || arrival.pairing().differsFrom(last.pairing()))
                .mapToLong(Arrival::number)
                .findFirst()
                .orElse(-1);
        ofBulk.stream()
                .filter(entry -> different > entry.number || entry.isLike(last) == false)
                .forEach(entry -> numbers.add(entry.number));
        WindowEntry first = ofBulk.isEmpty() ? null : ofBulk.getLast();
        long unlikeFirst = ofBulk.stream()
                .filter(entry -> first.isLike(entry) == false)
                .mapToLong(entry -> entry.number)
                .reduce(Long.MAX_VALUE, (newer, older) -> older);
        for (Arrival arrival : arrivals) {
            long unlike = first == null || first.isLike(arrival) ? unlikeFirst : first.number;
            if (unlike < arrival.number()
                    || (ofOthers.isEmpty() == false && ofOthers.getLast().number < arrival.number())) {
                preceded.accept(arrival);
            }
        }
        return numbers;
    }

    /**
     * The originals of a document by all fields. It may have entries of several processors and fields. If it follows a
     * document by one field, it is no original of that document by another.
     */
    Set<DocumentName> originals(WindowEntry entry) {
        Set<DocumentName> originals = new LinkedHashSet<>(entry.originals);
        Map<String, WindowEntry> newest = new HashMap<>();
        for (WindowEntry other : ofBulk(entry.name.id(), entry.answer)) {
            boolean isOtherVersion = other.isOf(entry.print.field()) && entry.isLike(other) == false;
            if (other.isUndecided() == false && other.name.sameDocument(entry.name) && isOtherVersion == false) {
                // A bulk may have several versions. The last one is stored.
                WindowEntry last = newest.putIfAbsent(other.print.field(), other);
                if (last == null || last.isLike(other)) {
                    originals.addAll(other.originals);
                }
            }
        }
        return originals;
    }

    /** Whether a bulk's version of a document names an original, by any field. */
    boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return ofBulk(name.id(), answer).stream()
                .anyMatch(entry -> entry.name.sameDocument(name) && entry.follows(original));
    }

    /** The newest kept entry of a version; null if none. */
    WindowEntry kept(DocumentName name, String field) {
        WindowEntry entry = entries.newest(name.id());
        while (entry != null && (entry.state != EntryState.KEPT || entry.isVersion(name, field) == false)) {
            entry = entries.older(entry);
        }
        return entry;
    }

    List<WindowEntry> ofBulk(String id, BulkAnswer answer) {
        return from(
                entries.newest(id),
                entry -> entry.answer == answer && entry.name.id().equals(id));
    }

    /** Decided versions that came before an entry, by its field. */
    List<WindowEntry> older(WindowEntry before) {
        return decided(entries.older(before), before.name, before.print.field());
    }

    /** Decided versions, the newest first. */
    List<WindowEntry> decided(DocumentName name, String field) {
        return decided(entries.newest(name.id()), name, field);
    }

    private List<WindowEntry> decided(WindowEntry newest, DocumentName name, String field) {
        return from(newest, entry -> entry.isUndecided() == false && entry.isVersion(name, field));
    }

    private List<WindowEntry> from(WindowEntry newest, Predicate<WindowEntry> wanted) {
        List<WindowEntry> versions = new ArrayList<>();
        for (WindowEntry entry = newest; entry != null; entry = entries.older(entry)) {
            if (wanted.test(entry)) {
                versions.add(entry);
            }
        }
        return versions;
    }

    /** Whether the entries have one print for each field, and so may be one document. */
    static boolean areOneDocument(List<WindowEntry> entries) {
        Map<String, WindowEntry> byField = new HashMap<>();
        for (WindowEntry entry : entries) {
            WindowEntry same = byField.putIfAbsent(entry.print.field(), entry);
            if (same != null && same.isLike(entry) == false) {
                return false;
            }
        }
        return true;
    }
}
