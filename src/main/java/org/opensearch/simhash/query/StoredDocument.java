/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryShardContext;

/**
 * A document by its place.
 *
 * @param index name of the index itself, not of an alias
 * @param routing by which the document was stored, null when by its id: with another one an index may have the id again
 */
record StoredDocument(String index, String id, String routing) implements Writeable {

    StoredDocument(StreamInput in) throws IOException {
        this(in.readString(), in.readString(), in.readOptionalString());
    }

    /** Whether that is where the document is: not in another cluster, where an index of this name may have the id, too. */
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
