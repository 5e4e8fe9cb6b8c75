/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Where a job deletes.
 *
 * @param indices names of indices, not of aliases
 * @param survivor the survivor order, in words
 */
public record Deletion(List<String> indices, String survivor) implements Writeable, ToXContentFragment {

    Deletion(StreamInput in) throws IOException {
        this(in.readStringList(), in.readString());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeStringCollection(indices);
        out.writeString(survivor);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.field("deletes_from", indices).field("survivor", survivor);
    }
}
