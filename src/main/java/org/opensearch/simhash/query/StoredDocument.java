/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryShardContext;

/**
 * The place of a document.
 *
 * @param index name of the index, not of an alias
 * @param routing of the document; null if its id routes it. Another routing may have the same id again
 */
record StoredDocument(String index, String id, String routing) implements Writeable {

    StoredDocument(StreamInput in) throws IOException {
        this(in.readString(), in.readString(), in.readOptionalString());
    }

    /** Whether the document is on this shard. An index of the same name in another cluster is not its index. */
    boolean isOn(QueryShardContext shard) {
        return index.equals(shard.getFullyQualifiedIndex().getName())
                && shard.getShardId()
                        == OperationRouting.generateShardId(
                                shard.getIndexSettings().getIndexMetadata(), id, routing);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(index);
        out.writeString(id);
        out.writeOptionalString(routing);
    }
}
