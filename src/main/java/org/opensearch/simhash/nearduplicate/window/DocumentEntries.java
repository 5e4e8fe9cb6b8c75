/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/** Which entries of a window are of one document, and which of these are versions of one field of it. Changes nothing. One thread at a time. */
final class DocumentEntries {

    private final WindowEntries entries;
    private final WindowFingerprints fingerprints;

    DocumentEntries(WindowEntries entries) {
        this.entries = entries;
        this.fingerprints = entries.fingerprints();
    }

    /** The versions of a document by a field, the newest first. */
    List<WindowVersion> versions(DocumentName name, String field) {
        List<WindowVersion> versions = new ArrayList<>();
        for (long number : of(name.id(), number -> isVersion(number, name, field))) {
            versions.add(version(number));
        }
        return versions;
    }

    /** What is known of an entry that is not gone. */
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
                fingerprints.print(number));
    }

    /**
     * Whether a write that came before an arrival may store another document by its name: one of another bulk that is not
     * answered, or one of its own bulk with another fingerprint. Other processors may have seen the arrival itself before.
     */
    boolean isOnItsWay(Arrival arrival) {
        for (long number = entries.newest(arrival.name().id()); number >= 0; number = entries.older(number)) {
            if (number < arrival.number() && entries.name(number).sameDocument(arrival.name())) {
                boolean isOfItsBulk = entries.answer(number) == arrival.answer();
                boolean isOther = isOfItsBulk
                        ? fingerprints.isOf(number, arrival.fingerprint().field())
                                && fingerprints.distance(number, arrival.fingerprint()) != 0
                        : entries.isAnswered(number) == false;
                if (isOther) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The documents that another names as its originals: its bulk may have brought several entries of it, for several processors and
     * fields, and what follows by one of them is no original by another.
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
                // A bulk may bring several versions: the last one is stored.
                Long last = newest.putIfAbsent(fingerprints.field(other), other);
                if (last == null || fingerprints.areEqual(last, other)) {
                    originals.addAll(entries.originals(other));
                }
            }
        }
        return originals;
    }

    /** Whether an entry is of the same field and holds something else. */
    private boolean isOtherVersion(long number, long other) {
        return fingerprints.isOf(other, fingerprints.field(number)) && fingerprints.areEqual(number, other) == false;
    }

    /** Whether a version of a document, by any field, that came with a bulk names an original. */
    boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return ofBulk(name.id(), answer).stream().anyMatch(number -> {
            boolean isVersion = entries.name(number).sameDocument(name);
            return isVersion && entries.originals(number).stream().anyMatch(original::sameDocument);
        });
    }

    /** The newest entry before a number that is a version of a document's field and in a state; -1 when there is none. */
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

    /** Versions of a document that came before one that is not gone, and are decided. */
    List<Long> older(long before, DocumentName name) {
        String field = fingerprints.field(before);
        return from(
                entries.older(before),
                number -> entries.state(number) != EntryState.UNDECIDED && isVersion(number, name, field));
    }

    private List<Long> of(String id, LongPredicate wanted) {
        return from(entries.newest(id), wanted);
    }

    /** The newest first. */
    private List<Long> from(long newest, LongPredicate wanted) {
        List<Long> versions = new ArrayList<>();
        for (long number = newest; number >= 0; number = entries.older(number)) {
            if (wanted.test(number)) {
                versions.add(number);
            }
        }
        return versions;
    }

    /** Whether two versions are the same one, as two processors of a pipeline see it. */
    boolean areOne(long number, long older) {
        return entries.answer(number) == entries.answer(older) && fingerprints.areEqual(number, older);
    }

    /** What is hidden by the filter of an alias is shown to those alone that were sent to it. */
    boolean isSame(long number, long older) {
        return fingerprints.areEqual(number, older) && Objects.equals(entries.alias(number), entries.alias(older));
    }

    /** Whether entries have one fingerprint by each field: several processors may look at the same one. */
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
