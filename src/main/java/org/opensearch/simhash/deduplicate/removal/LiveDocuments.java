/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.get.GetResult;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.write.JobWrites;
import org.opensearch.transport.client.Client;

/**
 * The documents of the table as they are now, not as they were read. What cannot be read for a while (HTTP 429, 503) is tried
 * again; what cannot be read in the end is a failure, and nothing is known of it. When all that time was of no use the job stops.
 */
final class LiveDocuments {

    private final Client client;
    private final DocumentTable table;
    private final Outcome outcome;
    private final Retries retries;

    LiveDocuments(JobWrites job, Retries retries) {
        this.client = job.run().client();
        this.table = job.table();
        this.outcome = job.outcome();
        this.retries = retries;
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
        List<Integer> rest = wanted.distinct().boxed().toList();
        Iterator<TimeValue> delays = retries.delays();
        while (rest.isEmpty() == false) {
            boolean isLast = delays.hasNext() == false;
            List<Integer> again = new ArrayList<>();
            MultiGetItemResponse[] answers = answers(rest);
            for (int i = 0; i < answers.length; i++) {
                int rank = rest.get(i);
                RestStatus status = status(answers[i]);
                if (status == RestStatus.OK) {
                    read.put(rank, answers[i].getResponse());
                } else if (status == RestStatus.NOT_FOUND) {
                    read.put(rank, missing(rank)); // With its index.
                } else if (isLast == false && isTransient(status)) {
                    again.add(rank);
                } else {
                    String reason = "not read: " + answers[i].getFailure().getMessage();
                    if (isTransient(status)) {
                        outcome.stop(table.indexOf(rank), reason, status);
                    }
                    outcome.fail(table.indexOf(rank), table.id(rank), reason, status);
                }
            }
            if (again.isEmpty() == false) {
                retries.pause(delays.next());
            }
            rest = again;
        }
        return read;
    }

    private MultiGetItemResponse[] answers(List<Integer> ranks) {
        MultiGetRequest request = new MultiGetRequest();
        for (int rank : ranks) {
            request.add(new MultiGetRequest.Item(table.indexOf(rank), table.id(rank))
                    .routing(table.routing(rank))
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
        }
        MultiGetResponse response = retries.call(() -> client.multiGet(request).actionGet());
        return response.getResponses();
    }

    private static RestStatus status(MultiGetItemResponse answer) {
        return answer.isFailed()
                ? ExceptionsHelper.status(
                        ExceptionsHelper.unwrapCause(answer.getFailure().getFailure()))
                : RestStatus.OK;
    }

    private static boolean isTransient(RestStatus status) {
        return status == RestStatus.TOO_MANY_REQUESTS || status == RestStatus.SERVICE_UNAVAILABLE;
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
