/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Set;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;

/** Compares two given texts on the node that was asked, off its transport threads. */
public final class TransportCompareTextsAction
        extends HandledTransportAction<CompareTextsAction.Request, CompareAction.Response> {

    private final InspectServices services;

    @Inject
    public TransportCompareTextsAction(InspectServices services) {
        super(CompareTextsAction.NAME, services.transport(), services.filters(), CompareTextsAction.Request::new);
        this.services = services;
    }

    @Override
    protected void doExecute(
            Task task, CompareTextsAction.Request request, ActionListener<CompareAction.Response> listener) {
        HelperWork work = services.work(task);
        ActionListener<CompareAction.Response> holding = work.holding(request.bytes(), listener);
        Comparison comparison = new Comparison(services.recipes(), request.recipe(), Set.of(), work);
        work.start(holding, () -> holding.onResponse(comparison.of(request.a(), request.b())));
    }
}
