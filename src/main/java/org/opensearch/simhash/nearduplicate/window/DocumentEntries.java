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

    /**
     * The entry that is, or may be, what a document holds: this one, or that of another processor of its bulk that saw the same, and
     * was kept in its place; -1 when there is none.
     */
    long kept(long number) {
        EntryState state = entries.state(number);
        if (state != EntryState.REPLACED) {
            return state.isKept() ? number : -1;
        }
        long kept = newest(entries.name(number), fingerprints.field(number), Long.MAX_VALUE, EntryState.KEPT);
        return kept >= 0 && areOne(kept, number) ? kept : -1;
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

    /** The versions of a document's field that came before a number and are undecided, or else all that are decided. */
    List<Long> before(long before, DocumentName name, String field, boolean undecided) {
        return of(
                name.id(),
                number -> number < before
                        && undecided == (entries.state(number) == EntryState.UNDECIDED)
                        && isVersion(number, name, field));
    }

    /** The versions of a document's field whose bulks are answered. */
    List<Long> answered(DocumentName name, String field) {
        return of(
                name.id(),
                number -> entries.state(number) != EntryState.UNDECIDED
                        && entries.isAnswered(number)
                        && isVersion(number, name, field));
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
