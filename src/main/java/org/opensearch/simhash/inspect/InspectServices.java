/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.FingerprintMemory;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/** The node's services for inspection. */
public record InspectServices(
        TransportService transport,
        ActionFilters filters,
        Client client,
        ClusterService cluster,
        IndexNameExpressionResolver resolver,
        PipelineRecipes recipes,
        FingerprintMemory memory) {

    @Inject
    public InspectServices {}
}
