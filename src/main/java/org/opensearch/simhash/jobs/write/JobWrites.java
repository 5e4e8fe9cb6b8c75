/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Action;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Linkage;

/** What all writes of a run need, once its groups are known. */
public record JobWrites(
        JobRun run, String runId, DocumentTable table, BulkWrites bulks, JobOutcome outcome, Consent consent) {

    /**
     * Whether a document may end for a survivor, or give it values. In a chain, two documents that do not meet the conditions may be
     * connected by others.
     */
    public boolean mayEnd(int member, int survivor) {
        return run.options().action() != Action.DELETE
                || run.options().linkage() == Linkage.SURVIVOR
                || table.meet(member, survivor);
    }

    /** Those that may be written now, by the rank of each; negative without links. May block. */
    public <T> List<T> wanted(List<T> items, ToIntFunction<T> rank) {
        IntPredicate wanted = consent.to(items.stream().mapToInt(rank));
        return items.stream().filter(item -> wanted.test(rank.applyAsInt(item))).toList();
    }

    /** Of documents that were read, those whose index is there and that may be written now. May block. */
    <T> List<T> wantedThere(List<T> items, Function<T, SearchHit> read) {
        Function<T, Index> index =
                item -> read.apply(item).getShard().getShardId().getIndex();
        List<T> there = bulks.thoseThere(items, index, run.services().state());
        return wanted(there, item -> rank(read.apply(item)));
    }

    /** Negative without links. */
    private int rank(SearchHit read) {
        return table == null ? -1 : table.rank(run.pointInTime().address(read));
    }

    void written(SearchHit read, DocWriteResponse answer) {
        int rank = rank(read);
        if (rank >= 0) {
            table.written(rank, answer.getSeqNo(), answer.getPrimaryTerm());
        }
    }

    /** A document that is left as it is, by rank, and why. */
    public void fail(int rank, String reason, RestStatus status) {
        outcome.fail(table.indexOf(rank), table.id(rank), reason, status);
    }

    /** Gets the current version of a document. */
    public MultiGetRequest.Item get(int rank) {
        return new MultiGetRequest.Item(table.indexOf(rank), table.id(rank)).routing(table.routing(rank));
    }

    /** Whether the current version of a document is the one that the run has read. */
    public boolean isUnchanged(int rank, GetResponse current) {
        return current != null
                && current.isExists()
                && current.getSeqNo() == table.sequenceNumber(rank)
                && current.getPrimaryTerm() == table.primaryTerm(rank);
    }

    /** Asked right before documents are written whether that is still wanted. May block. */
    @FunctionalInterface
    public interface Consent {

        /** Nobody can take it back. */
        Consent GIVEN = documents -> document -> true;

        /**
         * Which of these documents may be written.
         *
         * @param documents by rank; negative for those without links
         */
        IntPredicate to(IntStream documents);
    }
}
