/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.List;
import java.util.Map;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.Setting;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.search.SearchPart;
import org.opensearch.transport.client.Client;

/** What this part registers with the node, and what the parts above share with it. One a node. */
public final class ArrivalsPart {

    private final NearDuplicates nearDuplicates;

    public ArrivalsPart(SearchPart search) {
        nearDuplicates = new NearDuplicates(
                search.queries(), search.cluster(), search.memory(), search.presence(), search.spans());
    }

    public NearDuplicates nearDuplicates() {
        return nearDuplicates;
    }

    public Map<String, Processor.Factory> processors() {
        return Map.of(NearDuplicateProcessor.TYPE, new NearDuplicateFactory(nearDuplicates));
    }

    public List<ActionHandler<?, ?>> actions() {
        return List.of(new ActionHandler<>(DurabilityAction.INSTANCE, DurabilityAction.class));
    }

    public List<ActionFilter> filters() {
        return nearDuplicates.filters();
    }

    public List<Setting<?>> settings() {
        return NearDuplicateSettings.all();
    }

    public List<Class<? extends LifecycleComponent>> services() {
        return List.of(WindowService.class);
    }

    /** @return what actions of this part and those above may be made with */
    public List<Object> start(Client client, ClusterService clusterService) {
        nearDuplicates.start(client, clusterService);
        return List.of(nearDuplicates);
    }
}
