/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.util.Map;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;

/** The evidence and the suggestion, as in JSON. */
public final class CalibrateResponse extends ActionResponse implements StatusToXContentObject {

    private final Map<String, Object> answer;

    CalibrateResponse(Map<String, Object> answer) {
        this.answer = answer;
    }

    CalibrateResponse(StreamInput in) throws IOException {
        this.answer = in.readMap();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeMap(answer);
    }

    Map<String, Object> answer() {
        return answer;
    }

    @Override
    public RestStatus status() {
        return RestStatus.OK;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.map(answer);
    }

    /** The line in the log if nobody waits for the answer. */
    @Override
    public String toString() {
        return Strings.toString(MediaTypeRegistry.JSON, this);
    }
}
