/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.schedules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Shows one schedule, or all by name. Costs a get. */
public final class GetSchedulesAction extends BlockingAction<ScheduleRequest> {

    public static final String NAME = "cluster:admin/simhash/schedules/get";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final Schedules schedules;

    @Inject
    public GetSchedulesAction(TransportService transport, ActionFilters filters, Schedules schedules) {
        super(NAME, transport, filters);
        this.schedules = schedules;
    }

    @Override
    protected JsonResponse answer(ScheduleRequest request, Task task) {
        Map<String, Schedule> all = schedules.read();
        if (request.name != null) {
            return new JsonResponse(request.require(all.get(request.name)).shown(request.name));
        }
        List<Object> shown = new ArrayList<>();
        all.forEach((name, schedule) -> shown.add(schedule.shown(name)));
        return new JsonResponse(Map.of("schedules", shown));
    }
}
