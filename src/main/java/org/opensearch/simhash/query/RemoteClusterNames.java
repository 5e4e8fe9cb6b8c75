/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Tells names of indices from those of other clusters as a search does: what stands before a colon is a cluster only where a
 * cluster is known by it. Date math may have a colon, too, as in {@code <logs-{now/d{yyyy.MM.dd|+02:00}}>}.
 */
final class RemoteClusterNames extends RemoteClusterAware {

    /** @param settings of the node and of the cluster, as they are now */
    RemoteClusterNames(Settings settings) {
        super(settings);
    }

    /** The names that are searched for in this cluster, in their order. */
    String[] local(String[] names) {
        return groupClusterIndices(getEnabledRemoteClusters(settings), names, name -> false)
                .getOrDefault(LOCAL_CLUSTER_GROUP_KEY, List.of())
                .toArray(String[]::new);
    }

    @Override
    protected void updateRemoteCluster(String alias, Settings changed) {
        throw new UnsupportedOperationException("made anew for each search");
    }
}
