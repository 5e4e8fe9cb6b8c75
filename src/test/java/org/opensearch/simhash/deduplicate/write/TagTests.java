/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.deduplicate.DeduplicateResponse;
import org.opensearch.simhash.deduplicate.DeletingTestCase;

public class TagTests extends DeletingTestCase {

    /** Fingerprints that other systems made have none. */
    public void testDocumentsWithoutASchemeAreTagged() throws IOException {
        createIndex(INDEX);
        for (String id : new String[] {"1", "2"}) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("simhash", Map.of("bits", 7)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        DeduplicateResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(1, response.count("duplicates"));
        assertEquals(1, response.count("tagged"));
        assertEquals(
                1,
                client().prepareSearch(INDEX)
                        .setQuery(QueryBuilders.termQuery("simhash.duplicate_of", "1"))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    /** As after a reindex into an index where a dynamic mapping was before the tags. */
    public void testADuplicateOfAChangedSurvivorIsFoundByATagThatIsMappedAsText() throws IOException {
        Map<String, Object> text =
                Map.of("type", "text", "fields", Map.of("keyword", Map.of("type", "keyword", "ignore_above", 256)));
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of(
                        "properties",
                        Map.of("simhash", Map.of("properties", Map.of("group", text, "duplicate_of", text)))))
                .get();
        Map<String, Object> tagged =
                Map.of("bits", 0, "scheme", "v1-a", "group", "Doc-1 Eins", "duplicate_of", "Doc-1 Eins");
        client().prepareIndex(INDEX)
                .setId("Doc-1 Eins")
                .setSource(Map.of("changed", 1, "simhash", Map.of("bits", -1, "scheme", "v1-a")))
                .get();
        client().prepareIndex(INDEX)
                .setId("Doc-2")
                .setSource(Map.of("simhash", tagged))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        String options = "{\"action\":\"tag\",\"new_since\":{\"exists\":{\"field\":\"changed\"}}}";
        assertEquals(1, run(options, Float.POSITIVE_INFINITY, 100).count("cleared"));
    }

    /** The tag came along when another fingerprint was added: a partial update would put one object in the place of both. */
    public void testATagAmongSeveralFingerprintsStays() throws IOException {
        createIndex(INDEX);
        put(1, 0);
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(
                1, run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100).count("tagged"));
        Map<?, ?> tagged = (Map<?, ?>)
                client().prepareGet(INDEX, "2").get().getSourceAsMap().get("simhash");
        Object several = List.of(tagged, Map.of("bits", -1L, "scheme", "v1-a"));
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("simhash", several))
                .get();
        client().prepareDelete(INDEX, "1").get();
        client().admin().indices().prepareRefresh(INDEX).get();
        DeduplicateResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100);
        assertEquals(0, response.count("cleared"));
        assertEquals(RestStatus.BAD_REQUEST, response.status());
        assertEquals(
                2,
                ((List<?>) client().prepareGet(INDEX, "2")
                                .get()
                                .getSourceAsMap()
                                .get("simhash"))
                        .size());
    }

    public void testIndicesWithoutAMappingGetOne() throws IOException {
        createIndex(INDEX);
        DuplicateTags.map(client(), getInstanceFromNode(ClusterService.class), "simhash", List.of(INDEX, "deleted"));
        Map<String, Object> mapping = client().admin()
                .indices()
                .prepareGetMappings(INDEX)
                .get()
                .getMappings()
                .get(INDEX)
                .sourceAsMap();
        assertEquals(
                "keyword", XContentMapValues.extractValue("properties.simhash.properties.duplicate_of.type", mapping));
    }
}
