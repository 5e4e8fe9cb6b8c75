/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * Tracks which versions of a document may be stored. A kept version replaces earlier ones. If it is refused, the last
 * of these comes back. One thread at a time.
 */
final class WindowVersions {

    /** Versions beside with answered bulks; at most one is stored. */
    private static final int MOST_ANSWERED = 8;

    /** Versions beside of one bulk, without its oldest. */
    private static final int MOST_TOGETHER = 8;

    private final WindowEntries entries;
    private final WindowFingerprints fingerprints;
    private final DocumentEntries documents;

    WindowVersions(WindowEntries entries) {
        this.entries = entries;
        this.fingerprints = entries.fingerprints();
        this.documents = new DocumentEntries(entries);
    }

    /** The entry will be stored, and replaces earlier versions. */
    void keep(long number) {
        if (entries.state(number) == EntryState.UNDECIDED) {
            replace(entries.name(number), number);
            entries.change(number, EntryState.KEPT);
        }
    }

    /**
     * Replaces earlier versions, and drops those that cannot come back. In each open bulk the last one kept and the
     * last one beside can, because they may still be stored. In answered bulks the last one kept can, and the last one
     * beside after it. This bounds the chain of a document that is written again and again.
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

    /** A version follows the originals of an equal one that it replaces, and has its values. */
    private void follow(long number, long older) {
        fingerprints.pair(number, fingerprints.pairing(number).with(fingerprints.pairing(older)));
        entries.originals(older).forEach(original -> entries.follow(number, original));
    }

    /**
     * The entry may be stored. Drops older versions beside it: equal ones, and all but some of answered bulks and of
     * its own. A document that is updated all the time would otherwise have thousands of entries.
     */
    void keepBeside(long number) {
        if (entries.state(number) != EntryState.UNDECIDED) {
            return;
        }
        entries.change(number, EntryState.BESIDE);
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
        // The oldest stays, because it creates the document if there is none.
        for (int i = MOST_TOGETHER; i < together.size() - 1; i++) {
            entries.drop(together.get(i));
        }
    }

    /** Called once with all written and refused items of a bulk. */
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
        for (String id : ids) {
            for (long number : sent(id, answer)) {
                if (entries.state(number) != EntryState.GONE) {
                    order(entries.name(number), fingerprints.field(number));
                }
            }
        }
    }

    /**
     * Writes of two bulks may reach the shard in another order than they arrived. A version that an earlier one has
     * written over ends, and what it had replaced is back.
     */
    private void order(DocumentName name, String field) {
        List<Long> versions = documents.decided(name, field);
        Version last = Version.NONE;
        for (long number : versions.reversed()) {
            Version version = entries.version(number);
            EntryState state = entries.state(number);
            if (version.equals(Version.NONE) == false && (state == EntryState.KEPT || state == EntryState.REPLACED)) {
                if (version.isBefore(last)) {
                    if (state == EntryState.KEPT) {
                        putBack(number);
                    }
                    entries.drop(number);
                } else {
                    last = version;
                }
            }
        }
        long kept = documents.newest(name, field, Long.MAX_VALUE, EntryState.KEPT);
        if (kept >= 0 && entries.version(kept).equals(Version.NONE) == false) {
            for (long number : versions) {
                if (entries.state(number) == EntryState.ASIDE
                        && entries.version(kept).isBefore(entries.version(number))) {
                    entries.change(number, EntryState.BESIDE); // written after what had replaced it
                }
            }
        }
    }

    /**
     * If a bulk has several documents of an id, it is unknown which one was refused: all in this index count as
     * refused, or all in other indices if none is in this one.
     */
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

    /** @param isAlone whether the answer has no other item of this id: of several it is unknown which one moved */
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

    /**
     * Whether all of a bulk's documents of an id were sent to one other index, whose alias or data stream then rolled
     * over.
     */
    private boolean isMoved(String index, List<Long> sent) {
        String bound = sent.isEmpty() ? index : entries.name(sent.getFirst()).index();
        return bound.equals(index) == false
                && sent.stream().allMatch(number -> entries.name(number).index().equals(bound));
    }

    /**
     * Moves versions to the index in the answer. A kept one puts back what it replaced in the old index, and replaces
     * versions in the new one. The oldest moves first, so that newer ones find it there.
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
     * The document will not be stored. Its bulk's entries from other processors end, too. If the bulk has several
     * versions of the name, these stay, because it is unknown which one ended.
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
                // Only a kept one replaced others.
                if (entries.state(other) == EntryState.KEPT) {
                    putBack(other);
                }
                entries.drop(other);
            }
        }
    }

    /**
     * One field refuses the document. Its pipeline may ignore that and store it, so its bulk's kept entries of the
     * field become uncertain.
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

    /** The version that a refused one replaced counts again, with those beside it. */
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

    /**
     * A new entry takes over the order of an earlier processor's entry for the same document, unless a different
     * version came in between.
     */
    void entered(long number) {
        DocumentName name = entries.name(number);
        String field = fingerprints.field(number);
        long before = entries.older(number);
        while (before >= 0
                && (entries.state(before) == EntryState.GONE || documents.isVersion(before, name, field) == false)) {
            before = entries.older(before);
        }
        if (before >= 0 && entries.state(before).isKept() && documents.areOne(number, before)) {
            entries.takeFirstOrder(number, before);
        }
    }
}
