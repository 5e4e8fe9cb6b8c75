/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.LinkedHashSet;
import java.util.Set;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.core.index.Index;

/** Makes the window forget deleted indices and data streams. A new one of the same name is another one. */
public record DeletedIndices(ArrivalWindow window) implements ClusterStateListener {

    @Override
    public void clusterChanged(ClusterChangedEvent event) {
        Set<String> deleted = new LinkedHashSet<>();
        for (Index index : event.indicesDeleted()) {
            deleted.add(index.getName());
            IndexAbstraction before =
                    event.previousState().metadata().getIndicesLookup().get(index.getName());
            IndexAbstraction stream = before == null ? null : before.getParentDataStream();
            if (stream != null && event.state().metadata().dataStreams().containsKey(stream.getName()) == false) {
                deleted.add(stream.getName());
            }
        }
        if (deleted.isEmpty() == false) {
            window.forget(deleted);
        }
    }
}
