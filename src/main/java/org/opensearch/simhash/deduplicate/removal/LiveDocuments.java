/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.get.GetResult;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/**
 * The documents of the table as they are now, not as they were read. What cannot be read is a failure, and nothing is known of it.
 */
final class LiveDocuments {

    private final DocumentTable table;
    private final Outcome outcome;
    private final RetriedGets gets;

    LiveDocuments(JobWrites job, RetriedGets gets) {
        this.table = job.table();
        this.outcome = job.outcome();
        this.gets = gets;
    }

    /** Those that are there, by rank, without their source. */
    Map<Integer, GetResponse> get(IntStream wanted) {
        Map<Integer, GetResponse> there = read(wanted);
        there.values().removeIf(document -> document.isExists() == false);
        return there;
    }

    /** What is known of them, by rank, without their source: that they are there, or that they are not. */
    Map<Integer, GetResponse> read(IntStream wanted) {
        Map<Integer, GetResponse> read = new HashMap<>();
        gets.get(wanted.distinct().boxed().toList(), this::request, read::put, (rank, reason, status) -> {
            if (status == RestStatus.NOT_FOUND) {
                read.put(rank, missing(rank)); // With its index.
            } else {
                outcome.fail(table.indexOf(rank), table.id(rank), "not read: " + reason.getMessage(), status);
            }
        });
        return read;
    }

    private MultiGetRequest.Item request(int rank) {
        return new MultiGetRequest.Item(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
    }

    private GetResponse missing(int rank) {
        return new GetResponse(new GetResult(
                table.indexOf(rank),
                table.id(rank),
                SequenceNumbers.UNASSIGNED_SEQ_NO,
                SequenceNumbers.UNASSIGNED_PRIMARY_TERM,
                -1,
                false,
                null,
                null,
                null));
    }
}
