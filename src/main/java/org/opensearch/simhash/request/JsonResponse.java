/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import java.io.IOException;
import java.util.Map;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The answer of an action that only the node of the request executes: it is made for JSON and has no other type. A caller on
 * another node gets what the JSON says.
 */
public final class JsonResponse extends ActionResponse implements StatusToXContentObject {

    private final ToXContentObject content;

    /** @param content stays as it is */
    public JsonResponse(ToXContentObject content) {
        this.content = content;
    }

    /** @param fields in the order of the answer; stay as they are */
    public JsonResponse(Map<String, Object> fields) {
        this((json, params) -> json.map(fields));
    }

    public JsonResponse(StreamInput in) throws IOException {
        this(in.readMap());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeMap(asMap());
    }

    /** What others read: parsed anew. */
    public Map<String, Object> asMap() {
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, toString(), true);
    }

    @Override
    public RestStatus status() {
        return RestStatus.OK;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return content.toXContent(builder, params);
    }

    /** The JSON; also the line in the log if nobody waits for it. */
    @Override
    public String toString() {
        return Strings.toString(MediaTypeRegistry.JSON, this);
    }
}
