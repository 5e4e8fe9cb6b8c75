/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.common.TriConsumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.transport.client.Client;

/** Gets documents in their current state. Asks again if they cannot be read for a while (HTTP 429, 503). If that does not help, the job stops. */
public record RetriedGets(Client client, Retries retries, JobOutcome outcome) {

    /** Each item goes to one of the consumers, once. */
    public <T> void get(
            List<T> items,
            Function<T, MultiGetRequest.Item> request,
            BiConsumer<T, GetResponse> got,
            TriConsumer<T, Exception, RestStatus> failed) {
        List<T> rest = items;
        Iterator<TimeValue> delays = retries.delays();
        while (rest.isEmpty() == false) {
            boolean isLast = delays.hasNext() == false;
            List<T> again = new ArrayList<>();
            MultiGetItemResponse[] answers = answers(rest, request);
            for (int i = 0; i < answers.length; i++) {
                T item = rest.get(i);
                if (answers[i].isFailed() == false) {
                    got.accept(item, answers[i].getResponse());
                    continue;
                }
                Exception reason = answers[i].getFailure().getFailure();
                RestStatus status = ExceptionsHelper.status(ExceptionsHelper.unwrapCause(reason));
                if (isLast == false && isTransient(status)) {
                    again.add(item);
                } else {
                    if (isTransient(status)) {
                        outcome.stop(answers[i].getIndex(), "not read: " + reason.getMessage(), status);
                    }
                    failed.apply(item, reason, status);
                }
            }
            if (again.isEmpty() == false) {
                retries.pause(delays.next());
            }
            rest = again;
        }
    }

    private <T> MultiGetItemResponse[] answers(List<T> items, Function<T, MultiGetRequest.Item> request) {
        MultiGetRequest gets = new MultiGetRequest();
        items.forEach(item -> gets.add(request.apply(item)));
        return retries.call(() -> client.multiGet(gets).actionGet()).getResponses();
    }

    private static boolean isTransient(RestStatus status) {
        return status == RestStatus.TOO_MANY_REQUESTS || status == RestStatus.SERVICE_UNAVAILABLE;
    }
}
