/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.core.action.ActionResponse;
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
}
