/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/** Answers on the node that was asked, on the helpers' threads, within their limits of time and memory. */
abstract class HelperAction<R extends InspectRequest> extends LocalAction<R, JsonResponse> {

    final InspectServices services;

    HelperAction(String name, InspectServices services) {
        super(name, services.transport(), services.filters());
        this.services = services;
    }

    @Override
    protected final void doExecute(Task task, R request, ActionListener<JsonResponse> listener) {
        HelperWork work = new HelperWork(
                services.client().threadPool(),
                (CancellableTask) task,
                services.memory(),
                services.cluster().getClusterSettings().get(InspectThreads.MAX_TIME));
        ActionListener<JsonResponse> holding = work.holding(request.bytes(), listener);
        try {
            start(request, work, holding);
        } catch (Exception e) {
            holding.onFailure(e);
        }
    }

    /** Answers in a step of the work. Does not block. */
    abstract void start(R request, HelperWork work, ActionListener<JsonResponse> listener) throws Exception;
}
