/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;

/** The answer of a {@link LocalAction}: it is made for JSON and has no bytes. */
public abstract class LocalResponse extends ActionResponse implements StatusToXContentObject {

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
}
