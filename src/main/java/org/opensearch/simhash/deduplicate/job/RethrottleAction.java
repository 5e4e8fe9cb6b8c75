/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.support.tasks.BaseTasksRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.tasks.Task;

/** Changes {@code requests_per_second} of a running job. */
public final class RethrottleAction extends ActionType<ListTasksResponse> {

    public static final String NAME = "cluster:admin/simhash/rethrottle";
    public static final RethrottleAction INSTANCE = new RethrottleAction();

    private RethrottleAction() {
        super(NAME, ListTasksResponse::new);
    }

    public static final class Request extends BaseTasksRequest<Request> {

        private final float requestsPerSecond;

        /** @param requestsPerSecond greater than 0, or -1 for no limit */
        public Request(float requestsPerSecond) {
            this.requestsPerSecond = requestsPerSecond;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.requestsPerSecond = in.readFloat();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeFloat(requestsPerSecond);
        }

        float requestsPerSecond() {
            return requestsPerSecond;
        }

        @Override
        public boolean match(Task task) {
            return task instanceof JobTask;
        }
    }
}
