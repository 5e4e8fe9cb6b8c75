/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares what a corpus has with what its clients were told.
 *
 * <p><b>The promise.</b> For each acknowledged text a near-duplicate is stored or archived. A text is acknowledged when its
 * write was answered: as stored, as left out ({@code drop}: {@code noop}), or as refused for a near-duplicate ({@code fail}:
 * HTTP 409). The plugin leaves out, refuses and deletes a text only where a near-duplicate is stored that stays stored when a
 * node is killed. So the plugin never takes the last one of near texts. Only a client can, and only after the plugin trusted
 * that one: README says that nothing brings back what was left out or deleted for a document that is given up <em>afterwards</em>.
 *
 * <p><b>The rule.</b> A client gives up a text when it deletes the document or writes a text there that is not near. An
 * operation happens at one moment between the time when it was sent and the time when it was answered. One without an answer,
 * or with an error that leaves it open, happens at any moment until the cluster was whole again after the kill, or never. So
 * both outcomes are right. An acknowledged text needs no near-duplicate any more in three cases, and in no other:
 *
 * <ol>
 *   <li>Its own document was given up after it was written, perhaps.
 *   <li>It was left out or refused, and a client gave up a near text not before that: the answer of the giving up is not older
 *       than the request of the one that was left out. Nothing was stored by that request: then the answer of the giving up is a little
 *       older than the answer of the request, because a decision trusts an
 *       original as it is at that moment. Both in one request: that is no excuse, because the request itself says that the original goes.
 *   <li>It was stored, a job without an archive may have deleted it, and a client gave up another near text not before the job
 *       began, and not before the document was last seen. A document is seen when its write is answered, and by a real-time
 *       get.
 * </ol>
 *
 * <p>A copy in the archive stands for its text until it is restored. A job with an archive is no excuse for a loss, therefore.
 * That only the archive has a text is right only where the third case holds for any job ({@link Loss.Kind#ONLY_ARCHIVED}).
 *
 * <p>A write that a node which stood still had not answered may happen twice: OpenSearch sends it to the next primary, and the node
 * sends it there as well when it goes on. So an old text may come after a new one that was acknowledged. The document has the old text
 * then, and nobody owes the new one.
 *
 * <p>Besides, a document that no job may have deleted has the text that was acknowledged last, and a write to a stored document
 * is never left out or refused.
 *
 * <p>No document ends for one that people have kept it apart from ({@link Decision}): in no job that began after the
 * decision was stored and that was told where decisions are, or after a job that wrote it into both, as long as both have had only the
 * texts that people saw. After a job that merges, a
 * document has the values of those that ended for it.
 *
 * <p>Near are texts of one kin, see {@link Text}. That is transitive, so it does not matter which of them stands for which. The
 * rule never takes a right outcome for a loss. It takes a loss for right where a client gives up a near text at the same time, for
 * which reason clients give up texts of only one family in three.
 */
final class Books {

    private final Corpus corpus;
    private final History history;
    private final Remains remains;
    private final List<Operation> operations;
    private final List<JobRun> jobs;
    private final Map<String, List<Operation>> byDocument = new LinkedHashMap<>();
    private final Map<String, Long> lastSeen = new HashMap<>();
    private final Map<Long, Set<String>> doubtful = new HashMap<>();
    private final List<Loss> losses = new ArrayList<>();

    private Books(Corpus corpus, History history, Remains remains) {
        this.corpus = corpus;
        this.history = history;
        this.remains = remains;
        operations = history.operations().stream()
                .filter(operation -> operation.index().equals(corpus.index()))
                .toList();
        jobs = history.jobs().stream()
                .filter(job -> job.index().equals(corpus.index()))
                .toList();
        for (Operation operation : operations) {
            byDocument
                    .computeIfAbsent(operation.document(), any -> new ArrayList<>())
                    .add(operation);
            if (operation.outcome() == Outcome.UNKNOWN && operation.text() != null) {
                doubtful.computeIfAbsent(operation.request(), any -> new HashSet<>())
                        .add(kin(operation.text()));
            }
        }
        history.notes().stream()
                .filter(note -> note.document() != null)
                .forEach(note -> lastSeen.merge(note.document() + " " + note.text(), note.sent(), Math::max));
    }

    /** What is wrong; the history has to be settled. */
    static List<Loss> check(Corpus corpus, History history, Remains remains) {
        var books = new Books(corpus, history, remains);
        books.checkKin(corpus.index());
        books.checkDocuments();
        books.checkDecisions();
        books.checkMerges();
        return books.losses;
    }

    private void checkKin(String index) {
        Map<String, List<Operation>> acknowledged = new TreeMap<>();
        for (List<Operation> ofDocument : byDocument.values()) {
            for (int i = 0; i < ofDocument.size(); i++) {
                Operation write = ofDocument.get(i);
                if (write.index().equals(index) && isOwed(write, ofDocument.subList(i + 1, ofDocument.size()))) {
                    acknowledged
                            .computeIfAbsent(kin(write.text()), any -> new ArrayList<>())
                            .add(write);
                }
            }
        }
        Set<String> stored = new HashSet<>();
        remains.stored().forEach((document, text) -> {
            if (document.startsWith(index + "/")) {
                stored.add(kin(text));
            }
        });
        Set<String> archived = new HashSet<>();
        remains.archived().forEach(copy -> archived.add(kin(copy.text())));
        acknowledged.forEach((kin, writes) -> {
            if (stored.contains(kin)) {
                return;
            }
            boolean isArchived = index.equals(corpus.index()) && archived.contains(kin);
            Predicate<JobRun> excuses = isArchived ? JobRun::removes : job -> job.kind() == JobRun.Kind.DELETE;
            writes.stream()
                    .filter(write -> isExcused(write, excuses) == false && hasOldText(write) == false)
                    .findFirst()
                    .ifPresent(write -> note(isArchived ? Loss.Kind.ONLY_ARCHIVED : Loss.Kind.LOST, write));
        });
    }

    /** Whether the document has an older text now, the write of which may have happened once more. */
    private boolean hasOldText(Operation write) {
        Text now = remains.stored().get(write.document());
        return now != null
                && byDocument.get(write.document()).stream()
                        .filter(older -> older.sent() < write.sent() && now.equals(older.text()))
                        .anyMatch(this::mayComeAgain);
    }

    private boolean mayComeAgain(Operation operation) {
        return history.notes().stream().anyMatch(note -> note.isPauseDuring(operation));
    }

    /** Whether the client was told that the text is safe, and has not given it up itself. */
    private boolean isOwed(Operation write, List<Operation> later) {
        if (write.text() == null || write.outcome() == Outcome.UNKNOWN || write.outcome() == Outcome.GONE) {
            return false;
        }
        boolean isForTheSameBulk = write.outcome() == Outcome.REFUSED
                && doubtful.getOrDefault(write.request(), Set.of()).contains(kin(write.text()));
        return isForTheSameBulk == false && later.stream().noneMatch(next -> givesUp(next, kin(write.text())));
    }

    private boolean givesUp(Operation operation, String kin) {
        return operation.mayHaveChanged() && operation.isOf(kin, corpus.verified()) == false;
    }

    private boolean isExcused(Operation write, Predicate<JobRun> excusing) {
        if (write.isLeftOut()) {
            long from = write.wrote() ? write.sent() : Math.max(write.sent(), write.answered() - history.lateness());
            return isGivenUp(write, from, write.request());
        }
        long seen = lastSeen.getOrDefault(write.document() + " " + write.text(), write.sent());
        return jobs.stream()
                .filter(excusing)
                .filter(job -> write.index().equals(corpus.index()) && job.answered() >= seen)
                .anyMatch(job -> isGivenUp(write, Math.max(seen, job.sent()), -1));
    }

    /** Whether another document with a near text may have been given up at this time or later. */
    private boolean isGivenUp(Operation write, long from, long exceptRequest) {
        String kin = kin(write.text());
        for (List<Operation> ofDocument : byDocument.values()) {
            boolean mayHaveIt = false;
            for (Operation operation : ofDocument) {
                boolean isAnother = operation.document().equals(write.document()) == false
                        && operation.index().equals(write.index())
                        && operation.request() != exceptRequest;
                if (mayHaveIt && isAnother && givesUp(operation, kin) && operation.answered() >= from) {
                    return true;
                }
                mayHaveIt |= operation.isOf(kin, corpus.verified()) && operation.mayHaveChanged();
            }
        }
        return false;
    }

    private void checkDocuments() {
        for (List<Operation> ofDocument : byDocument.values()) {
            Set<Text> possible = new HashSet<>();
            boolean mayBeAbsent = true;
            Operation certain = null;
            for (Operation operation : ofDocument) {
                if (certain != null && operation.isLeftOut() && isBeyondJobs(certain, operation.answered())) {
                    note(Loss.Kind.STALE, operation);
                }
                if (operation.outcome() == Outcome.STORED || operation.outcome() == Outcome.GONE) {
                    possible.clear();
                    mayBeAbsent = operation.outcome() == Outcome.GONE;
                    certain = mayBeAbsent ? null : operation;
                }
                if (operation.outcome() == Outcome.UNKNOWN) {
                    certain = null;
                    mayBeAbsent |= operation.text() == null;
                }
                if (operation.mayHaveChanged() && operation.text() != null) {
                    possible.add(operation.text());
                }
            }
            checkDocument(ofDocument, possible, mayBeAbsent);
        }
        remains.stored().forEach((document, text) -> {
            if (byDocument.containsKey(document) == false) {
                losses.add(new Loss(Loss.Kind.UNKNOWN_TEXT, document + " has " + text, historyOf(text)));
            }
        });
    }

    private void checkDocument(List<Operation> ofDocument, Set<Text> possible, boolean mayBeAbsent) {
        Operation last = ofDocument.getLast();
        Text text = remains.stored().get(last.document());
        boolean isRight = text == null ? mayBeAbsent : possible.contains(text) || hasOldText(last);
        Operation lastStored = ofDocument.stream()
                .filter(operation -> operation.outcome() == Outcome.STORED)
                .reduce((first, second) -> second)
                .orElse(null);
        if (isRight || lastStored == null) {
            return;
        }
        if (isBeyondJobs(lastStored, history.now())) {
            note(Loss.Kind.CHANGED, lastStored);
        } else if (text != null && ofDocument.stream().noneMatch(operation -> text.equals(operation.text()))) {
            losses.add(new Loss(Loss.Kind.UNKNOWN_TEXT, last.document() + " has " + text, historyOf(text)));
        } else if (text != null && isBeyond(lastStored, history.now(), JobRun::restores)) {
            note(Loss.Kind.CHANGED, lastStored);
        }
    }

    /** Whether no job ended the document or brought one back between its write and this time. */
    private boolean isBeyondJobs(Operation stored, long until) {
        return isBeyond(stored, until, job -> job.removes() || job.restores());
    }

    private boolean isBeyond(Operation stored, long until, Predicate<JobRun> changing) {
        return jobs.stream().filter(changing).noneMatch(job -> job.answered() >= stored.sent() && job.sent() <= until);
    }

    /**
     * What was archived for another document says so. What a job without an archive deleted was deleted for a near document before
     * it in the order of ids.
     */
    private void checkDecisions() {
        Map<String, List<Decision>> kept = new TreeMap<>();
        history.decisions().stream()
                .flatMap(decision -> Stream.of(decision, decision.turned()))
                .filter(decision -> byDocument.containsKey(decision.document())
                        && isOnly(decision.document(), decision.text())
                        && isOnly(decision.other(), decision.otherText()))
                .forEach(decision -> kept.computeIfAbsent(decision.document(), any -> new ArrayList<>())
                        .add(decision));
        for (Remains.Copy copy : remains.archived()) {
            List<JobRun> ended = archivedBy(copy);
            if (copy.document().equals(copy.survivor()) == false
                    && isApart(kept.get(copy.document()), copy.survivor(), ended)) {
                String what =
                        copy.document() + " " + copy.text() + " ended for " + copy.survivor() + " in " + copy.run();
                losses.add(new Loss(Loss.Kind.KEPT_APART, what, historyOf(copy.text())));
            }
        }
        kept.forEach((document, decisions) -> {
            Text text = decisions.getFirst().text();
            List<Operation> own = byDocument.get(document);
            if (remains.stored().containsKey(document)
                    || own.stream().anyMatch(operation -> operation.text() == null)) {
                return;
            }
            long seen = lastSeen.getOrDefault(document + " " + text, 0L);
            List<JobRun> ended = jobs.stream()
                    .filter(job -> job.removes() && job.answered() >= seen)
                    .toList();
            boolean isEndedForNone = byDocument.values().stream()
                    .filter(other -> other.stream()
                            .anyMatch(operation ->
                                    operation.mayHaveChanged() && operation.isOf(kin(text), corpus.verified())))
                    .map(other -> other.getFirst().document())
                    .filter(other -> other.compareTo(document) < 0)
                    .allMatch(other -> isApart(decisions, other, ended));
            if (ended.isEmpty() == false && isEndedForNone) {
                String what = document + " " + text + " ended, and near to it were only documents of " + decisions;
                losses.add(new Loss(Loss.Kind.KEPT_APART, what, historyOf(text)));
            }
        });
    }

    /** Whether the document had no other text at any time, perhaps. */
    private boolean isOnly(String document, Text text) {
        return byDocument.getOrDefault(document, List.of()).stream()
                .filter(operation -> operation.mayHaveChanged() && operation.text() != null)
                .allMatch(operation -> operation.text().equals(text));
    }

    /** Whether each of these jobs had to know that it was kept apart from the other document. */
    private boolean isApart(List<Decision> decisions, String other, List<JobRun> jobs) {
        return decisions != null
                && jobs.isEmpty() == false
                && decisions.stream()
                        .filter(decision -> decision.other().equals(other))
                        .anyMatch(decision -> jobs.stream().allMatch(job -> binds(decision, job)));
    }

    /** A job that is not told where decisions are finds those that an earlier job has written into documents that are as they were then. */
    private boolean binds(Decision decision, JobRun job) {
        return decision.isToldTo(job)
                || jobs.stream()
                        .filter(writing -> writing.wroteDecisions() && writing.answered() <= job.sent())
                        .filter(decision::isToldTo)
                        .anyMatch(writing -> isUnchanged(decision.document(), writing.sent())
                                && isUnchanged(decision.other(), writing.sent())
                                && jobs.stream()
                                        .noneMatch(later -> later.restores() && later.answered() >= writing.sent()));
    }

    /** The job of the run, else each one that it may be. */
    private List<JobRun> archivedBy(Remains.Copy copy) {
        List<JobRun> named = jobs.stream()
                .filter(job -> job.removes() && job.run().equals(Optional.of(copy.run())))
                .toList();
        return named.isEmpty()
                ? jobs.stream()
                        .filter(job -> job.removes() && job.run().isEmpty())
                        .toList()
                : named;
    }

    /**
     * A document that has not been written since before another one came has the value of that one, once it ended for it: if that one
     * was written and copied once, and if nothing but the job that copied it can have ended it.
     */
    private void checkMerges() {
        if (corpus.merges() == false) {
            return;
        }
        Map<String, List<Remains.Copy>> copies =
                remains.archived().stream().collect(Collectors.groupingBy(Remains.Copy::document));
        copies.forEach((document, ofDocument) -> {
            Remains.Copy copy = ofDocument.getFirst();
            Set<String> values = remains.values().get(copy.survivor());
            List<Operation> own = byDocument.get(document);
            boolean isKnown = values != null
                    && values.contains(own.getFirst().id()) == false
                    && remains.stored().containsKey(document) == false
                    && ofDocument.size() == 1
                    && own.size() == 1;
            if (isKnown && isUnchanged(copy.survivor(), own.getFirst().sent()) && isEndedOnlyBy(archivedBy(copy))) {
                String what = copy.survivor() + " has only " + values + ", and " + document + " ended for it";
                losses.add(new Loss(Loss.Kind.UNMERGED, what, historyOf(copy.text())));
            }
        });
    }

    private boolean isUnchanged(String document, long since) {
        return byDocument.get(document).stream()
                .filter(Operation::mayHaveChanged)
                .allMatch(operation -> operation.answered() < since && mayComeAgain(operation) == false);
    }

    /** Whether no other job at that time or later ended a document without merging, or brought one back. */
    private boolean isEndedOnlyBy(List<JobRun> merging) {
        long since = merging.stream().mapToLong(JobRun::sent).min().orElse(0);
        return jobs.stream()
                .filter(job -> job.answered() >= since)
                .noneMatch(job -> job.kind() == JobRun.Kind.DELETE || job.restores());
    }

    private void note(Loss.Kind kind, Operation operation) {
        Text now = remains.stored().get(operation.document());
        losses.add(new Loss(
                kind,
                operation + " of " + corpus + ", which has now " + (now == null ? "no such document" : now),
                historyOf(operation.text())));
    }

    private String historyOf(Text text) {
        return text == null ? "" : history.of(corpus.index(), kin(text), corpus.verified());
    }

    private String kin(Text text) {
        return text.kin(corpus.verified());
    }
}
