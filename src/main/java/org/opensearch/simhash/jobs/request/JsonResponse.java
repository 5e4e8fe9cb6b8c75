/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.jobs.request.LocalAction.LocalResponse;

/** JSON that has no other type. */
public final class JsonResponse extends LocalResponse {

    private final ToXContentObject content;

    /** @param content stays as it is */
    public JsonResponse(ToXContentObject content) {
        this.content = content;
    }

    /** @param fields in the order of the answer; stay as they are */
    public JsonResponse(Map<String, Object> fields) {
        this((json, params) -> json.map(fields));
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return content.toXContent(builder, params);
    }
}
