/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/** The current state of the table's documents. A document that cannot be read is a failure and is in no answer. */
final class LiveDocuments {

    private final DocumentTable table;
    private final JobOutcome outcome;
    private final RetriedGets gets;

    LiveDocuments(JobWrites job, RetriedGets gets) {
        this.table = job.table();
        this.outcome = job.outcome();
        this.gets = gets;
    }

    /** Existing documents by rank, without their source. */
    Map<Integer, GetResponse> get(IntStream wanted) {
        Map<Integer, GetResponse> there = new HashMap<>();
        BiConsumer<Integer, GetResponse> got = (rank, found) -> {
            if (found.isExists()) {
                there.put(rank, found);
            }
        };
        gets.get(wanted.distinct().boxed().toList(), this::request, got, (rank, reason, status) -> {
            if (status != RestStatus.NOT_FOUND) { // the index is gone
                outcome.fail(table.indexOf(rank), table.id(rank), "not read: " + reason.getMessage(), status);
            }
        });
        return there;
    }

    private MultiGetRequest.Item request(int rank) {
        return new MultiGetRequest.Item(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
    }
}
