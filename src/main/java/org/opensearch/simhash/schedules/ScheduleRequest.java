/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.schedules;

import java.io.IOException;
import java.util.regex.Pattern;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.request.Endpoint;

/** Names a schedule. */
public class ScheduleRequest extends ActionRequest {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    /** Null for all. */
    final String name;

    /** @throws IllegalArgumentException for a name that no schedule can have */
    ScheduleRequest(String name) {
        if (name != null && NAME.matcher(name).matches() == false) {
            throw new IllegalArgumentException(
                    "[name] must be up to 100 small letters, digits, dots, dashes and underscores, got: " + name);
        }
        this.name = name;
    }

    public static ScheduleRequest read(RestRequest request, String... none) throws IOException {
        Endpoint.requireNoOptions(request);
        return new ScheduleRequest(request.param("name"));
    }

    /** @throws ResourceNotFoundException for null */
    Schedule require(Schedule schedule) {
        if (schedule == null) {
            throw new ResourceNotFoundException("[name] must be a schedule, got: " + name);
        }
        return schedule;
    }

    @Override
    public final ActionRequestValidationException validate() {
        return null;
    }
}
