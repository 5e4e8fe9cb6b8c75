/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Tells local index names from those of remote clusters, as a search does. What stands before a colon is a cluster only if that
 * cluster is known. Date math may have a colon, too: {@code <logs-{now/d{yyyy.MM.dd|+02:00}}>}.
 */
final class RemoteClusterNames extends RemoteClusterAware {

    /** @param settings current ones of the node and the cluster */
    RemoteClusterNames(Settings settings) {
        super(settings);
    }

    /** The names of this cluster, in their order. */
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
