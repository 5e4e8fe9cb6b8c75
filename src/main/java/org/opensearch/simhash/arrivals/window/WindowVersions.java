/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
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
    private final DocumentEntries documents;

    WindowVersions(WindowEntries entries) {
        this.entries = entries;
        this.documents = new DocumentEntries(entries);
    }

    /** The entry will be stored, and replaces earlier versions. */
    void keep(WindowEntry entry) {
        if (entry.isUndecided()) {
            replace(entry);
            entry.state = EntryState.KEPT;
        }
    }

    /**
     * Replaces earlier versions, and drops those that cannot come back. In each open bulk the last one kept and the
     * last one beside can, because they may still be stored. In answered bulks the last one kept can, and the last one
     * beside after it. This bounds the chain of a document that is written again and again.
     */
    private void replace(WindowEntry entry) {
        Set<BulkAnswer> openKept = new HashSet<>();
        Set<BulkAnswer> openBeside = new HashSet<>();
        boolean hasKept = false;
        boolean hasBeside = false;
        for (WindowEntry older : documents.older(entry)) {
            boolean wasKept = older.wasKept();
            boolean canComeBack;
            if (older.answer.isGiven() == false) {
                canComeBack = (wasKept ? openKept : openBeside).add(older.answer);
            } else if (wasKept) {
                canComeBack = hasKept == false;
                hasKept = true;
            } else {
                canComeBack = hasKept == false && hasBeside == false;
                hasBeside = true;
            }
            follow(entry, older);
            if (canComeBack) {
                older.state = wasKept ? EntryState.REPLACED : EntryState.ASIDE;
            } else {
                entries.drop(older);
            }
        }
    }

    /** A version follows the originals of an equal one that it replaces, and has its values. */
    private void follow(WindowEntry entry, WindowEntry older) {
        if (entry.isOneWith(older)) {
            entries.change(entry, changed -> {
                changed.pairing = changed.pairing.with(older.pairing);
                older.originals.forEach(changed::follow);
            });
        }
    }

    /**
     * The entry may be stored. Drops older versions beside it: equal ones, and all but some of answered bulks and of
     * its own. A document that is updated all the time would otherwise have thousands of entries.
     */
    void keepBeside(WindowEntry entry) {
        if (entry.isUndecided() == false) {
            return;
        }
        entry.state = EntryState.BESIDE;
        int answered = 0;
        List<WindowEntry> together = new ArrayList<>();
        for (WindowEntry older : documents.older(entry)) {
            follow(entry, older);
            if (older.state == EntryState.BESIDE) {
                // Equal versions need the same alias, too: a filtered alias hides documents from others.
                boolean isSame = entry.isLike(older) && Objects.equals(entry.alias, older.alias);
                if (isSame || (older.answer.isGiven() && ++answered > MOST_ANSWERED)) {
                    entries.drop(older);
                } else if (older.answer == entry.answer) {
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
            for (WindowEntry entry : documents.ofBulk(id, answer)) {
                if (entry.isGone() == false) {
                    order(entry.name, entry.print.field());
                }
            }
        }
    }

    /**
     * Writes of two bulks may reach the shard in another order than they arrived. A version that an earlier one has
     * written over ends, and what it had replaced is back.
     */
    private void order(DocumentName name, String field) {
        List<WindowEntry> versions = documents.decided(name, field);
        Version last = Version.NONE;
        for (WindowEntry entry : versions.reversed()) {
            if (entry.version.equals(Version.NONE) == false && entry.wasKept()) {
                if (entry.version.isBefore(last)) {
                    if (entry.state == EntryState.KEPT) {
                        putBack(entry);
                    }
                    entries.drop(entry);
                } else {
                    last = entry.version;
                }
            }
        }
        WindowEntry kept = documents.kept(name, field);
        if (kept != null && kept.version.equals(Version.NONE) == false) {
            for (WindowEntry entry : versions) {
                if (entry.state == EntryState.ASIDE && kept.version.isBefore(entry.version)) {
                    entry.state = EntryState.BESIDE; // written after what had replaced it
                }
            }
        }
    }

    /**
     * If a bulk has several documents of an id, it is unknown which one was refused: all in this index count as
     * refused, or all in other indices if none is in this one.
     */
    private void refused(String index, String id, BulkAnswer answer) {
        List<WindowEntry> kept = documents.ofBulk(id, answer);
        kept.removeIf(entry -> entry.wasKept() == false);
        List<WindowEntry> there =
                kept.stream().filter(entry -> entry.name.index().equals(index)).toList();
        for (WindowEntry entry : there.isEmpty() ? kept : there) {
            if (entry.state == EntryState.KEPT) {
                entry.state = EntryState.BESIDE;
                putBack(entry);
            } else {
                entry.state = EntryState.ASIDE;
            }
        }
    }

    /** @param isAlone whether the answer has no other item of this id: of several it is unknown which one moved */
    private void stored(ItemAnswer item, BulkAnswer answer, boolean isAlone) {
        List<WindowEntry> sent = documents.ofBulk(item.id(), answer);
        if (isAlone && isMoved(item.index(), sent)) {
            moved(item.index(), sent);
        }
        for (WindowEntry entry : sent) {
            if (entry.isGone() == false && entry.name.index().equals(item.index())) {
                entries.change(entry, changed -> changed.version = item.version());
            }
        }
    }

    /** Whether all of a bulk's documents of an id were sent to one other index, whose alias or data stream then rolled over. */
    private static boolean isMoved(String index, List<WindowEntry> sent) {
        String bound = sent.isEmpty() ? index : sent.getFirst().name.index();
        return bound.equals(index) == false
                && sent.stream().allMatch(entry -> entry.name.index().equals(bound));
    }

    /**
     * Moves versions to the index in the answer. A kept one puts back what it replaced in the old index, and replaces
     * versions in the new one. The oldest moves first, so that newer ones find it there.
     */
    private void moved(String index, List<WindowEntry> sent) {
        for (WindowEntry entry : sent.reversed()) {
            boolean isKept = entry.state == EntryState.KEPT;
            if (isKept) {
                putBack(entry);
            }
            DocumentName name = new DocumentName(index, entry.name.id(), entry.name.routing());
            entries.change(entry, changed -> changed.rename(name));
            WindowEntry newest = documents.kept(name, entry.print.field());
            if (isKept && newest != null && newest.number > entry.number) {
                entry.state = EntryState.REPLACED;
            } else if (isKept) {
                replace(entry);
            }
        }
    }

    /**
     * The document will not be stored. Its bulk's entries from other processors end, too. If the bulk has several
     * versions of the name, these stay, because it is unknown which one ended.
     */
    void end(WindowEntry entry) {
        List<WindowEntry> sameName = ofName(entry);
        boolean areOne = DocumentEntries.areOneDocument(sameName);
        entries.drop(entry);
        if (areOne) {
            for (WindowEntry other : sameName) {
                // Only a kept one replaced others.
                if (other.state == EntryState.KEPT) {
                    putBack(other);
                }
                entries.drop(other);
            }
        }
    }

    private List<WindowEntry> ofName(WindowEntry entry) {
        List<WindowEntry> sameName = documents.ofBulk(entry.name.id(), entry.answer);
        sameName.removeIf(other -> other.name.sameDocument(entry.name) == false);
        return sameName;
    }

    /** One field refuses the document. Its pipeline may ignore that and store it, so its bulk's kept entries of the field become uncertain. */
    void refuse(WindowEntry entry) {
        for (WindowEntry other : ofName(entry)) {
            if (other.state == EntryState.KEPT && other.isOf(entry.print.field())) {
                other.state = EntryState.BESIDE;
                putBack(other);
            }
        }
        entries.drop(entry);
    }

    /** The version that a refused one replaced counts again, with those beside it. */
    private void putBack(WindowEntry refused) {
        for (WindowEntry older : documents.older(refused)) {
            if (older.state == EntryState.REPLACED) {
                older.state = EntryState.KEPT;
                return;
            }
            if (older.state == EntryState.ASIDE) {
                older.state = EntryState.BESIDE;
            }
        }
    }

    /** A new entry takes over the order of an earlier processor's entry for the same document, unless a different version came in between. */
    void entered(WindowEntry entry) {
        WindowEntry before = entries.older(entry);
        while (before != null && before.isVersion(entry.name, entry.print.field()) == false) {
            before = entries.older(before);
        }
        if (before != null && before.state.isKept() && entry.isOneWith(before)) {
            entry.firstOrder = before.firstOrder;
        }
    }
}
