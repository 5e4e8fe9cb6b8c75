/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow.State;

/**
 * Which entries of a window are versions of one document, and which of them may be stored. A version that is kept takes the place
 * of those before it, the last of which comes back when the new one is refused. One thread at a time.
 */
final class WindowVersions {

    /** Versions beside the one that is kept, whose bulks are answered: of these, one or none is stored. */
    private static final int MOST_ANSWERED = 8;

    /** Of the last ones of a bulk. */
    private static final int MOST_TOGETHER = 8;

    private final WindowEntries entries;
    private final WindowFingerprints fingerprints;

    WindowVersions(WindowEntries entries) {
        this.entries = entries;
        this.fingerprints = entries.fingerprints();
    }

    /** An entry will be indexed, under this name, in place of its earlier versions. */
    void keep(long number, DocumentName name) {
        if (entries.state(number) == State.UNDECIDED) {
            replace(name, number);
            entries.keep(number, name);
        }
    }

    /**
     * Earlier versions can come back: of each bulk that is not answered the last that was kept and the last that came beside, which may
     * yet be stored, and of the others the last that was kept, and the last that came beside it since. More would make long chains of a document that is written again and again.
     */
    private void replace(DocumentName name, long number) {
        Set<BulkAnswer> openKept = new HashSet<>();
        Set<BulkAnswer> openBeside = new HashSet<>();
        boolean hasKept = false;
        boolean hasBeside = false;
        for (long older : older(number, name)) {
            boolean wasKept = entries.state(older) == State.KEPT || entries.state(older) == State.REPLACED;
            boolean canComeBack;
            if (entries.isAnswered(older) == false) {
                canComeBack = (wasKept ? openKept : openBeside).add(entries.answer(older));
            } else if (wasKept) {
                canComeBack = hasKept == false;
                hasKept = true;
            } else {
                canComeBack = hasKept == false && hasBeside == false;
                hasBeside = true;
            }
            if (areOne(number, older)) {
                follow(number, older);
            }
            if (canComeBack) {
                entries.change(older, wasKept ? State.REPLACED : State.ASIDE);
            } else {
                entries.drop(older);
            }
        }
    }

    /** What a version follows, its like that takes its place follows, too. */
    private void follow(long number, long older) {
        entries.originals(older).forEach(original -> entries.follow(number, original));
    }

    /** Whether two versions are the same one, as two processors of a pipeline see it. */
    private boolean areOne(long number, long older) {
        return entries.answer(number) == entries.answer(older) && fingerprints.areEqual(number, older);
    }

    /**
     * The entry that is, or may be, what a document holds: this one, or that of another processor of its bulk that saw the same, and
     * was kept in its place; -1 when there is none.
     */
    long kept(long number) {
        State state = entries.state(number);
        if (state != State.REPLACED) {
            return state.isKept() ? number : -1;
        }
        long kept = newest(entries.name(number), fingerprints.field(number), Long.MAX_VALUE, State.KEPT);
        return kept >= 0 && areOne(kept, number) ? kept : -1;
    }

    /**
     * An entry may be indexed. Of its like it is enough to know the last, and of those that others took the place of, or of one
     * bulk, some: a document that is updated all the time would have entries by the thousand.
     */
    void keepBeside(long number) {
        if (entries.state(number) != State.UNDECIDED) {
            return;
        }
        entries.keepBeside(number);
        int answered = 0;
        List<Long> together = new ArrayList<>();
        for (long older : older(number, entries.name(number))) {
            if (areOne(number, older)) {
                follow(number, older);
            }
            if (entries.state(older) == State.BESIDE) {
                if (isSame(number, older) || (entries.isAnswered(older) && ++answered > MOST_ANSWERED)) {
                    entries.drop(older);
                } else if (entries.answer(older) == entries.answer(number)) {
                    together.add(older);
                }
            }
        }
        // The first one makes the document, where there is none; the last one is what it is in the end.
        for (int i = MOST_TOGETHER; i < together.size() - 1; i++) {
            entries.drop(together.get(i));
        }
    }

    /** What is hidden by the filter of an alias is shown to those alone that were sent to it. */
    private boolean isSame(long number, long older) {
        return fingerprints.areEqual(number, older) && Objects.equals(entries.alias(number), entries.alias(older));
    }

    /**
     * To be told of each document of a bulk that was not stored. Of several by one id nobody knows which it was, but for those of
     * other indices; unless it is known by no name of its index, which may be another since it came.
     */
    void refused(String index, String id, BulkAnswer answer) {
        List<Long> kept = ofBulk(id, answer);
        kept.removeIf(number -> entries.state(number) != State.KEPT && entries.state(number) != State.REPLACED);
        List<Long> there = kept.stream()
                .filter(number -> entries.name(number).index().equals(index))
                .toList();
        for (long number : there.isEmpty() ? kept : there) {
            if (entries.state(number) == State.KEPT) {
                entries.change(number, State.BESIDE);
                putBack(number);
            } else {
                entries.change(number, State.ASIDE);
            }
        }
    }

    /**
     * A document will not be indexed: nor will what its bulk brought of it for other processors, unless the bulk brought several of
     * its name, of which nobody knows which it was.
     */
    void end(long number) {
        if (entries.state(number) == State.GONE) {
            return;
        }
        DocumentName name = entries.name(number);
        List<Long> sameName = ofBulk(name.id(), entries.answer(number));
        sameName.removeIf(other -> entries.name(other).sameDocument(name) == false);
        boolean areOne = areOneDocument(sameName);
        entries.drop(number);
        if (areOne) {
            for (long other : sameName) {
                // Others took nobody's place.
                if (entries.state(other) == State.KEPT) {
                    putBack(other);
                }
                entries.drop(other);
            }
        }
    }

    /** Whether entries have one fingerprint by each field: several processors may look at the same one. */
    private boolean areOneDocument(List<Long> numbers) {
        Map<String, Long> byField = new HashMap<>();
        for (long number : numbers) {
            Long same = byField.putIfAbsent(fingerprints.field(number), number);
            if (same != null && fingerprints.areEqual(same, number) == false) {
                return false;
            }
        }
        return true;
    }

    /**
     * A document is refused by one field, and may be indexed all the same: what its bulk brought of it for other processors of the
     * field may not be.
     */
    void doubt(long number) {
        DocumentName name = entries.name(number);
        for (long other : ofBulk(name.id(), entries.answer(number))) {
            if (entries.state(other) == State.KEPT && isVersion(other, name, fingerprints.field(number))) {
                entries.change(other, State.BESIDE);
                putBack(other);
            }
        }
    }

    /** A version is not stored: the one that it took the place of counts again, with what came beside that. */
    private void putBack(long refused) {
        for (long older : older(refused, entries.name(refused))) {
            if (entries.state(older) == State.REPLACED) {
                entries.change(older, State.KEPT);
                return;
            }
            if (entries.state(older) == State.ASIDE) {
                entries.change(older, State.BESIDE);
            }
        }
    }

    /**
     * The documents that another names as its originals: its bulk may have brought several entries of it, for several processors and
     * fields, and what follows by one of them is no original by another.
     */
    Set<DocumentName> originals(long number) {
        Set<DocumentName> originals = new LinkedHashSet<>(entries.originals(number));
        if (entries.state(number) == State.GONE) {
            return originals;
        }
        DocumentName name = entries.name(number);
        Map<String, Long> newest = new HashMap<>();
        for (long other : ofBulk(name.id(), entries.answer(number))) {
            if (entries.state(other) != State.UNDECIDED
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

    /** A document that has just entered may be what an earlier processor of its pipeline saw, unless another version came since. */
    void entered(long number) {
        DocumentName name = entries.name(number);
        String field = fingerprints.field(number);
        long before = entries.older(number);
        while (before >= 0 && (entries.state(before) == State.GONE || isVersion(before, name, field) == false)) {
            before = entries.older(before);
        }
        if (before >= 0 && entries.state(before).isKept() && areOne(number, before)) {
            entries.cameWith(number, before);
        }
    }

    /** Whether a version of a document, by any field, that came with a bulk names an original. */
    boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return ofBulk(name.id(), answer).stream().anyMatch(number -> {
            boolean isVersion = entries.name(number).sameDocument(name);
            return isVersion && entries.originals(number).stream().anyMatch(original::sameDocument);
        });
    }

    /** The newest entry before a number that is a version of a document's field and in a state; -1 when there is none. */
    long newest(DocumentName name, String field, long before, State state) {
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
                        && undecided == (entries.state(number) == State.UNDECIDED)
                        && isVersion(number, name, field));
    }

    /** The versions of a document's field whose bulks are answered. */
    List<Long> answered(DocumentName name, String field) {
        return of(
                name.id(),
                number -> entries.state(number) != State.UNDECIDED
                        && entries.isAnswered(number)
                        && isVersion(number, name, field));
    }

    private boolean isVersion(long number, DocumentName name, String field) {
        return fingerprints.isOf(number, field) && entries.name(number).sameDocument(name);
    }

    private List<Long> ofBulk(String id, BulkAnswer answer) {
        return of(
                id,
                number -> entries.answer(number) == answer
                        && entries.name(number).id().equals(id));
    }

    /** Versions of a document that came before one that is not gone, and are decided. */
    private List<Long> older(long before, DocumentName name) {
        String field = fingerprints.field(before);
        return from(
                entries.older(before),
                number -> entries.state(number) != State.UNDECIDED && isVersion(number, name, field));
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
}
