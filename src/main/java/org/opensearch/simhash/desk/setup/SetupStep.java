/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** A step, as a request to copy, and the work that fills {@code more} with what came of it; null if it is not of a setup. */
record SetupStep(
        String what,
        String request,
        Map<String, Object> body,
        boolean isDone,
        String why,
        double seconds,
        Map<String, Object> more,
        Consumer<Map<String, Object>> work)
        implements ToXContentObject {

    private static final double TENTHS = 10;

    static SetupStep done(String what, String request, String why) {
        return new SetupStep(what, request, null, true, why, 0, Map.of(), null);
    }

    static SetupStep later(
            String what, String request, Map<String, Object> body, boolean isDone, String why, double seconds) {
        return new SetupStep(what, request, body, isDone, why, seconds, Map.of(), null);
    }

    static SetupStep quick(
            String what, String request, Map<String, Object> body, String why, Consumer<Map<String, Object>> work) {
        return new SetupStep(what, request, body, false, why, 0, Map.of(), work);
    }

    SetupStep apply() {
        Map<String, Object> result = new LinkedHashMap<>(more);
        work.accept(result);
        boolean hasFailed = result.containsKey("failures");
        return new SetupStep(what, request, body, hasFailed == false, why, seconds, result, null);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder json, Params params) throws IOException {
        json.startObject()
                .field("what", what)
                .field("request", request)
                .field("body", body)
                .field("done", isDone)
                .field("why", why)
                .field("seconds", Math.ceil(seconds * TENTHS) / TENTHS);
        for (Map.Entry<String, Object> field : more.entrySet()) {
            json.field(field.getKey(), field.getValue());
        }
        return json.endObject();
    }
}
