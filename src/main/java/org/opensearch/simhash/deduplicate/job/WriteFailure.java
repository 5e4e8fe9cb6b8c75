/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A document that could not be written, or an index that could not be refreshed.
 *
 * @param id of the document, or null
 * @param status as of a request
 */
public record WriteFailure(String index, String id, String reason, RestStatus status) implements ToXContentObject {

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        builder.field("index", index);
        if (id != null) {
            builder.field("id", id);
        }
        builder.field("cause", reason);
        builder.field("status", status.getStatus());
        return builder.endObject();
    }
}
