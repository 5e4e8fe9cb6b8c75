/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.schedules;

import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.Caller;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Removes a schedule. A run that is at work goes on. */
public final class DeleteScheduleAction extends BlockingAction<ScheduleRequest> {

    public static final String NAME = "cluster:admin/simhash/schedules/delete";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private static final Logger logger = LogManager.getLogger(DeleteScheduleAction.class);

    private final TransportService transport;
    private final Schedules schedules;

    @Inject
    public DeleteScheduleAction(TransportService transport, ActionFilters filters, Schedules schedules) {
        super(NAME, transport, filters);
        this.transport = transport;
        this.schedules = schedules;
    }

    @Override
    protected JsonResponse answer(ScheduleRequest request, Task task) {
        schedules.change(request.name, stored -> {
            request.require(stored);
            return null;
        });
        logger.info(
                "schedule [{}] was removed by [{}]",
                request.name,
                Caller.of(transport.getThreadPool().getThreadContext()).name());
        return new JsonResponse(Map.of("acknowledged", true));
    }
}
