/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import java.util.Map;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** An action that only the node of the request executes. No node can ask another one for it: requests and answers have no bytes. */
public abstract class LocalAction<R extends ActionRequest, A extends ActionResponse> extends TransportAction<R, A> {

    protected LocalAction(String name, TransportService transport, ActionFilters filters) {
        super(name, filters, transport.getTaskManager());
    }

    /** The type of an action whose answer stays on the node of the request. */
    public static <A extends ActionResponse> ActionType<A> type(String name) {
        return new ActionType<>(name, in -> {
            throw new UnsupportedOperationException("[" + name + "] answers only on its own node");
        });
    }

    /** The answer of a {@link LocalAction}: it is made for JSON and has no bytes. */
    public abstract static class LocalResponse extends ActionResponse implements StatusToXContentObject {

        @Override
        public RestStatus status() {
            return RestStatus.OK;
        }

        @Override
        public final void writeTo(StreamOutput out) {
            throw new UnsupportedOperationException(getClass().getSimpleName() + " stays on its node");
        }

        /** The JSON; also the line in the log if nobody waits for it. */
        @Override
        public final String toString() {
            return Strings.toString(MediaTypeRegistry.JSON, this);
        }

        /** What others read: parsed anew. */
        public final Map<String, Object> asMap() {
            return XContentHelper.convertToMap(JsonXContent.jsonXContent, toString(), true);
        }
    }

    /** Answers on a generic thread, which may block, with the caller's permissions. */
    public abstract static class BlockingAction<R extends ActionRequest, A extends LocalResponse>
            extends LocalAction<R, A> {

        private final ThreadPool threads;

        protected BlockingAction(String name, TransportService transport, ActionFilters filters) {
            super(name, transport, filters);
            this.threads = transport.getThreadPool();
        }

        @Override
        protected final void doExecute(Task task, R request, ActionListener<A> listener) {
            threads.executor(ThreadPool.Names.GENERIC)
                    .execute(ActionRunnable.supply(listener, () -> answer(request, task)));
        }

        protected abstract A answer(R request, Task task) throws Exception;
    }
}
