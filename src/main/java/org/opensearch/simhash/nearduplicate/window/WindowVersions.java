/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.arrival.ItemAnswer;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * Which versions of a document may be stored. One that is kept takes the place of those before it, the last of which comes back
 * when the new one is refused. One thread at a time.
 */
final class WindowVersions {

    /** Versions beside the one that is kept, whose bulks are answered: of these, one or none is stored. */
    private static final int MOST_ANSWERED = 8;

    /** Of the last ones of a bulk. */
    private static final int MOST_TOGETHER = 8;

    private final WindowEntries entries;
    private final WindowFingerprints fingerprints;
    private final DocumentEntries documents;

    WindowVersions(WindowEntries entries) {
        this.entries = entries;
        this.fingerprints = entries.fingerprints();
        this.documents = new DocumentEntries(entries);
    }

    /** An entry will be indexed, under this name, in place of its earlier versions. */
    void keep(long number, DocumentName name) {
        if (entries.state(number) == EntryState.UNDECIDED) {
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
        for (long older : documents.older(number, name)) {
            boolean wasKept = entries.state(older) == EntryState.KEPT || entries.state(older) == EntryState.REPLACED;
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
            if (documents.areOne(number, older)) {
                follow(number, older);
            }
            if (canComeBack) {
                entries.change(older, wasKept ? EntryState.REPLACED : EntryState.ASIDE);
            } else {
                entries.drop(older);
            }
        }
    }

    /** What a version follows, its like that takes its place follows, too. */
    private void follow(long number, long older) {
        entries.originals(older).forEach(original -> entries.follow(number, original));
    }

    /**
     * An entry may be indexed. Of its like it is enough to know the last, and of those that others took the place of, or of one
     * bulk, some: a document that is updated all the time would have entries by the thousand.
     */
    void keepBeside(long number) {
        if (entries.state(number) != EntryState.UNDECIDED) {
            return;
        }
        entries.keepBeside(number);
        int answered = 0;
        List<Long> together = new ArrayList<>();
        for (long older : documents.older(number, entries.name(number))) {
            if (documents.areOne(number, older)) {
                follow(number, older);
            }
            if (entries.state(older) == EntryState.BESIDE) {
                if (documents.isSame(number, older) || (entries.isAnswered(older) && ++answered > MOST_ANSWERED)) {
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

    /** To be told once of all that a bulk wrote, and all that was refused. */
    void answered(BulkAnswer answer, List<ItemAnswer> items) {
        Set<String> several = new HashSet<>();
        Set<String> ids = new HashSet<>();
        items.forEach(item -> {
            if (ids.add(item.id()) == false) {
                several.add(item.id());
            }
        });
        for (ItemAnswer item : items) {
            if (item.version() == null) {
                refused(item.index(), item.id(), answer);
            } else {
                stored(item, answer, several.contains(item.id()) == false);
            }
        }
    }

    /** Of several by one id nobody knows which it was, but for those of other indices; unless it is known by no name of its index. */
    private void refused(String index, String id, BulkAnswer answer) {
        List<Long> kept = documents.ofBulk(id, answer);
        kept.removeIf(
                number -> entries.state(number) != EntryState.KEPT && entries.state(number) != EntryState.REPLACED);
        List<Long> there = kept.stream()
                .filter(number -> entries.name(number).index().equals(index))
                .toList();
        for (long number : there.isEmpty() ? kept : there) {
            if (entries.state(number) == EntryState.KEPT) {
                entries.change(number, EntryState.BESIDE);
                putBack(number);
            } else {
                entries.change(number, EntryState.ASIDE);
            }
        }
    }

    /** @param isAlone whether the bulk has no other document by its id: of several nobody knows which went elsewhere */
    private void stored(ItemAnswer item, BulkAnswer answer, boolean isAlone) {
        List<Long> sent = sent(item.id(), answer);
        if (isAlone && isMoved(item.index(), sent)) {
            moved(item.index(), sent);
        }
        for (long number : sent) {
            if (entries.state(number) != EntryState.GONE
                    && entries.name(number).index().equals(item.index())) {
                entries.stored(number, item.version());
            }
        }
    }

    /** Whether all that a bulk sent by an id was bound for one other index: its alias, or its data stream, rolled over meanwhile. */
    private boolean isMoved(String index, List<Long> sent) {
        String bound = sent.isEmpty() ? index : entries.name(sent.getFirst()).index();
        return bound.equals(index) == false
                && sent.stream().allMatch(number -> entries.name(number).index().equals(bound));
    }

    /**
     * What it was to take the place of is what it was, and it takes that of its like in the other index. The oldest first: what
     * came with it took the place of nothing there.
     */
    private void moved(String index, List<Long> sent) {
        for (long number : sent.reversed()) {
            boolean isKept = entries.state(number) == EntryState.KEPT;
            if (isKept) {
                putBack(number);
            }
            DocumentName old = entries.name(number);
            DocumentName name = new DocumentName(index, old.id(), old.routing());
            entries.rename(number, name);
            if (isKept
                    && documents.newest(name, fingerprints.field(number), Long.MAX_VALUE, EntryState.KEPT) > number) {
                entries.change(number, EntryState.REPLACED);
            } else if (isKept) {
                replace(name, number);
            }
        }
    }

    private List<Long> sent(String id, BulkAnswer answer) {
        List<Long> sent = documents.ofBulk(id, answer);
        sent.removeIf(number -> entries.state(number) == EntryState.GONE);
        return sent;
    }

    /**
     * A document will not be indexed: nor will what its bulk brought of it for other processors, unless the bulk brought several of
     * its name, of which nobody knows which it was.
     */
    void end(long number) {
        if (entries.state(number) == EntryState.GONE) {
            return;
        }
        DocumentName name = entries.name(number);
        List<Long> sameName = documents.ofBulk(name.id(), entries.answer(number));
        sameName.removeIf(other -> entries.name(other).sameDocument(name) == false);
        boolean areOne = documents.areOneDocument(sameName);
        entries.drop(number);
        if (areOne) {
            for (long other : sameName) {
                // Others took nobody's place.
                if (entries.state(other) == EntryState.KEPT) {
                    putBack(other);
                }
                entries.drop(other);
            }
        }
    }

    /**
     * A document is refused by one field, and may be indexed all the same, where its pipeline ignores that: what its bulk brought of
     * it for other processors of the field may not be.
     */
    void refuse(long number) {
        if (entries.state(number) == EntryState.GONE) {
            return;
        }
        DocumentName name = entries.name(number);
        for (long other : documents.ofBulk(name.id(), entries.answer(number))) {
            if (entries.state(other) == EntryState.KEPT
                    && documents.isVersion(other, name, fingerprints.field(number))) {
                entries.change(other, EntryState.BESIDE);
                putBack(other);
            }
        }
        entries.drop(number);
    }

    /** A version is not stored: the one that it took the place of counts again, with what came beside that. */
    private void putBack(long refused) {
        for (long older : documents.older(refused, entries.name(refused))) {
            if (entries.state(older) == EntryState.REPLACED) {
                entries.change(older, EntryState.KEPT);
                return;
            }
            if (entries.state(older) == EntryState.ASIDE) {
                entries.change(older, EntryState.BESIDE);
            }
        }
    }

    /** A document that has just entered may be what an earlier processor of its pipeline saw, unless another version came since. */
    void entered(long number) {
        DocumentName name = entries.name(number);
        String field = fingerprints.field(number);
        long before = entries.older(number);
        while (before >= 0
                && (entries.state(before) == EntryState.GONE || documents.isVersion(before, name, field) == false)) {
            before = entries.older(before);
        }
        if (before >= 0 && entries.state(before).isKept() && documents.areOne(number, before)) {
            entries.cameWith(number, before);
        }
    }
}
