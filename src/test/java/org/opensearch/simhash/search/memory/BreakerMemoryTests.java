/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.memory;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What a query takes to verify texts. */
public class BreakerMemoryTests extends OpenSearchSingleNodeTestCase {

    private static final String LIMIT = HierarchyCircuitBreakerService.REQUEST_CIRCUIT_BREAKER_LIMIT_SETTING.getKey();

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, CommonAnalysisModulePlugin.class);
    }

    public void testAComparisonThatWouldTakeTooMuchIsRefusedAndAllIsGivenBack() {
        String large = IntStream.range(0, 30_000)
                .mapToObj(i -> "word" + Integer.toString(i * 7919, 36))
                .collect(Collectors.joining(" "));
        String small = "Some words of a short text, enough of them for more than eight features.";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(
                        "fingerprint",
                        new BytesArray("{\"processors\": [{\"simhash\": {\"field\": \"content\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get());
        createIndex(
                "docs",
                Settings.builder().put("index.default_pipeline", "fingerprint").build());
        for (String text : List.of(large, small)) {
            String id = text.equals(large) ? "large" : "small";
            client().prepareIndex("docs").setId(id).setSource("content", text).get();
            client().prepareIndex("docs")
                    .setId(id + " copy")
                    .setSource("content", text + " more")
                    .get();
        }
        client().admin().indices().prepareRefresh("docs").get();
        for (String measure : List.of("jaccard", "containment", "levenshtein", "lcs")) {
            assertEquals(List.of("large copy"), near("large", measure));
            limit("1mb");
            try {
                SearchPhaseExecutionException e =
                        expectThrows(SearchPhaseExecutionException.class, () -> near("large", measure));
                assertEquals(429, e.status().getStatus());
                String message =
                        ExceptionsHelper.unwrapCause(e.guessRootCauses()[0]).getMessage();
                assertTrue(
                        message, message.startsWith("[request] Data too large, data for [simhash verify] would be ["));
                assertEquals(List.of("small copy"), near("small", measure));
            } finally {
                limit(null);
            }
            assertEquals(
                    0,
                    getInstanceFromNode(CircuitBreakerService.class)
                            .getBreaker(CircuitBreaker.REQUEST)
                            .getUsed());
        }
    }

    private List<String> near(String id, String measure) {
        String query =
                "{\"simhash\": {\"id\": \"ID\", \"verify\": {\"field\": \"content\", \"measure\": \"MEASURE\"}}}";
        SearchResponse response = client().prepareSearch("docs")
                .setQuery(QueryBuilders.wrapperQuery(query.replace("ID", id).replace("MEASURE", measure)))
                .get();
        return IntStream.range(0, response.getHits().getHits().length)
                .mapToObj(i -> response.getHits().getAt(i).getId())
                .toList();
    }

    private void limit(String value) {
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put(LIMIT, value)));
    }
}
