/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
            forget(name, number, State.BESIDE);
            entries.keep(number, name);
        }
    }

    /**
     * One earlier version can come back: the last, unless that may itself be refused yet and there is one that was not. More
     * would make long chains of a document that is written again and again.
     */
    private void replace(DocumentName name, long number) {
        String field = fingerprints.field(number);
        long last = newest(name, field, number, State.KEPT);
        if (last < 0) {
            return;
        }
        long before = newest(name, field, number, State.REPLACED);
        if (before >= 0 && entries.isAnswered(before) && entries.isAnswered(last) == false) {
            entries.drop(last);
            return;
        }
        if (before >= 0) {
            entries.drop(before);
        }
        entries.change(last, State.REPLACED);
    }

    /**
     * An entry may be indexed. Of its like it is enough to know the last, and of those that others took the place of, some: a
     * document that is updated all the time would have entries by the thousand.
     */
    void keepBeside(long number) {
        if (entries.state(number) != State.UNDECIDED) {
            return;
        }
        entries.keepBeside(number);
        DocumentName name = entries.name(number);
        String field = fingerprints.field(number);
        int answered = 0;
        for (long older : before(number, name, field, false)) {
            if (entries.state(older) == State.BESIDE
                    && (isSame(number, older) || (entries.isAnswered(older) && ++answered > MOST_ANSWERED))) {
                entries.drop(older);
            }
        }
    }

    /** What is hidden by the filter of an alias is shown to those alone that were sent to it. */
    private boolean isSame(long number, long older) {
        return fingerprints.areEqual(number, older) && Objects.equals(entries.alias(number), entries.alias(older));
    }

    private void forget(DocumentName name, long before, State state) {
        String field = fingerprints.field(before);
        for (long older = newest(name, field, before, state); older >= 0; older = newest(name, field, older, state)) {
            entries.drop(older);
        }
    }

    /**
     * To be told of each document of a bulk that was not stored. Of several by one id nobody knows which it was, but for those of
     * other indices; unless it is known by no name of its index, which may be another since it came.
     */
    void refused(String index, String id, BulkAnswer answer) {
        List<Long> kept = ofBulk(id, answer);
        kept.removeIf(number -> entries.state(number) != State.KEPT);
        List<Long> there = kept.stream()
                .filter(number -> entries.name(number).index().equals(index))
                .toList();
        for (long number : there.isEmpty() ? kept : there) {
            entries.change(number, State.BESIDE);
            putBack(number);
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

    /** A version is not stored: the one that it took the place of counts again. */
    private void putBack(long refused) {
        long last = newest(entries.name(refused), fingerprints.field(refused), refused, State.REPLACED);
        if (last >= 0) {
            entries.change(last, State.KEPT);
        }
    }

    /** Whether a version of a document, by any field, that came with a bulk names an original. */
    boolean follows(DocumentName name, BulkAnswer answer, DocumentName original) {
        return ofBulk(name.id(), answer).stream().anyMatch(number -> {
            DocumentName followed = entries.original(number);
            return entries.name(number).sameDocument(name) && followed != null && followed.sameDocument(original);
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

    /** The newest first. */
    private List<Long> of(String id, LongPredicate wanted) {
        List<Long> versions = new ArrayList<>();
        for (long number = entries.newest(id); number >= 0; number = entries.older(number)) {
            if (wanted.test(number)) {
                versions.add(number);
            }
        }
        return versions;
    }
}
