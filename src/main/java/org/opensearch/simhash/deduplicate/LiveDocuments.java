/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.transport.client.Client;

/** The documents of the table as they are now, not as they were read. */
final class LiveDocuments {

    private final Client client;
    private final DocumentTable table;

    LiveDocuments(Client client, DocumentTable table) {
        this.client = client;
        this.table = table;
    }

    /** Those that are there, by rank, without their source. */
    Map<Integer, GetResponse> get(IntStream wanted) {
        List<Integer> ranks = wanted.distinct().boxed().toList();
        Map<Integer, GetResponse> found = new HashMap<>();
        if (ranks.isEmpty()) {
            return found;
        }
        MultiGetRequest request = new MultiGetRequest();
        for (int rank : ranks) {
            request.add(new MultiGetRequest.Item(table.indexOf(rank), table.id(rank))
                    .routing(table.routing(rank))
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
        }
        MultiGetItemResponse[] answers = client.multiGet(request).actionGet().getResponses();
        for (int i = 0; i < answers.length; i++) {
            if (answers[i].isFailed() == false && answers[i].getResponse().isExists()) {
                found.put(ranks.get(i), answers[i].getResponse());
            }
        }
        return found;
    }
}
