/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Sources as they are stored, and what is stored beside them. */
public class SourceScanTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class);
    }

    private Map<String, SearchHit> read(Set<String> fields, String text, String... indices) {
        PointInTime pointInTime = PointInTime.open(
                indices,
                IndicesOptions.strictExpandOpen(),
                client(),
                getInstanceFromNode(NamedWriteableRegistry.class),
                getInstanceFromNode(ClusterService.class),
                new Retries(() -> {}, BackoffPolicy.noBackoff()));
        try {
            Map<Long, String> ids = new HashMap<>();
            pointInTime.forEach(
                    new SearchSourceBuilder().query(QueryBuilders.matchAllQuery()),
                    100,
                    hits -> Arrays.stream(hits).forEach(hit -> ids.put(pointInTime.address(hit), hit.getId())));
            Map<String, SearchHit> found = new HashMap<>();
            long[] addresses =
                    ids.keySet().stream().mapToLong(address -> address).sorted().toArray();
            new SourceScan(pointInTime, fields, text).read(addresses, (address, hit) -> {
                assertEquals(ids.get(address), hit.getId());
                assertNull(found.put(hit.getIndex() + " " + hit.getId(), hit));
            });
            assertEquals(ids.size(), found.size());
            return found;
        } finally {
            pointInTime.close();
        }
    }

    private void put(String index, String id, Map<String, Object> document) {
        client().prepareIndex(index).setId(id).setSource(document).get();
    }

    public void testLargeSourcesAreCutDownAndOthersAreNot() {
        createIndex("docs", Settings.builder().put("index.number_of_shards", 3).build());
        createIndex("more");
        Map<String, Object> small = Map.of("text", "some words", "other", Map.of("size", 7));
        for (int i = 0; i < 20; i++) {
            put("docs", "small-" + i, small);
        }
        put(
                "more",
                "large",
                Map.of("text", "some words", "simhash", Map.of("scheme", "s"), "blob", "x".repeat(100_000)));
        client().admin().indices().prepareRefresh().get();
        Map<String, SearchHit> found = read(Set.of("text", "simhash.scheme"), "text", "docs", "more");
        assertEquals(21, found.size());
        assertEquals(small, found.get("docs small-3").getSourceAsMap());
        assertEquals(
                Map.of("text", "some words", "simhash", Map.of("scheme", "s")),
                found.get("more large").getSourceAsMap());
        assertNull(found.get("more large").field("text"));
    }

    public void testStoredTextsComeAlong() throws Exception {
        client().admin()
                .indices()
                .prepareCreate("stored")
                .setMapping(Map.of(
                        "_source",
                        Map.of("excludes", List.of("text")),
                        "properties",
                        Map.of("text", Map.of("type", "text", "store", true))))
                .get();
        put("stored", "1", Map.of("text", List.of("some words", "more"), "n", 1));
        client().admin().indices().prepareRefresh().get();
        SearchHit hit = read(Set.of("text"), "text", "stored").get("stored 1");
        assertEquals(List.of("some words", "more"), hit.field("text").getValues());
        assertEquals(Map.of("n", 1), hit.getSourceAsMap());
    }

    public void testADocumentWithoutSourceHasNone() {
        client().admin()
                .indices()
                .prepareCreate("bare")
                .setMapping(Map.of("_source", Map.of("enabled", false)))
                .get();
        put("bare", "1", Map.of("text", "some words"));
        client().admin().indices().prepareRefresh().get();
        SearchHit hit = read(Set.of("text"), "text", "bare").get("bare 1");
        assertFalse(hit.hasSource());
        assertNull(hit.field("text"));
    }
}
