/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * @param pipeline that makes the scheme; null if none does
 * @param current whether a pipeline of one of the indices makes it
 */
record SchemeCount(String scheme, long documents, String pipeline, boolean current) implements ToXContentObject {

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject()
                .field("scheme", scheme)
                .field("documents", documents)
                .field("pipeline", pipeline)
                .field("current", current)
                .endObject();
    }
}
