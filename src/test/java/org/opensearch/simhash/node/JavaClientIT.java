/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.http.HttpHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch.core.SearchResponse;
import org.opensearch.client.opensearch.core.search.Hit;
import org.opensearch.client.opensearch.generic.OpenSearchGenericClient;
import org.opensearch.client.opensearch.generic.OpenSearchGenericClient.ClientOptions;
import org.opensearch.client.opensearch.generic.Requests;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** The Java client, as {@code docs/clients.md} shows it. */
@RealNodes(1)
class JavaClientIT {

    private static final String TRAM =
            "The city council approved the new tram line on Monday. Construction between the central station and the"
                    + " university starts in March and takes three years. The line costs 240 million euros.";

    private final RestClient rest;

    JavaClientIT(RealCluster cluster) {
        this.rest = cluster.client();
    }

    @AfterEach
    void remove() {
        rest.send("DELETE", "/client-java", null);
        rest.send("DELETE", "/_ingest/pipeline/client-java", null);
    }

    @Test
    @SuppressWarnings("rawtypes")
    void testFindsWhatIsLikeAText() throws IOException {
        HttpHost host =
                new HttpHost("http", rest.address().getHost(), rest.address().getPort());
        try (OpenSearchTransport transport =
                ApacheHttpClient5TransportBuilder.builder(host).build()) {
            OpenSearchClient client = new OpenSearchClient(transport);
            OpenSearchGenericClient generic = client.generic().withClientOptions(ClientOptions.throwOnHttpErrors());
            generic.execute(Requests.builder()
                    .method("PUT")
                    .endpoint("/_ingest/pipeline/client-java")
                    .json("{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}")
                    .build());
            client.indices()
                    .create(index ->
                            index.index("client-java").settings(settings -> settings.defaultPipeline("client-java")));
            client.index(document -> document.index("client-java")
                    .id("tram")
                    .document(Map.of("content", TRAM))
                    .refresh(Refresh.True));

            String near = "{\"simhash\": {\"text\": \"" + TRAM.replace("240", "250") + "\", \"max_distance\": 8}}";
            String wrapped = Base64.getEncoder().encodeToString(near.getBytes(StandardCharsets.UTF_8));
            SearchResponse<Map> response = client.search(
                    search -> search.index("client-java")
                            .query(query -> query.wrapper(wrapper -> wrapper.query(wrapped))),
                    Map.class);
            assertEquals(
                    List.of("tram"),
                    response.hits().hits().stream().map(Hit::id).toList());
        }
    }
}
