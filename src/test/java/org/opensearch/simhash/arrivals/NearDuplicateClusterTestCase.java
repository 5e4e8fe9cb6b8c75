/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.decision.NodeKnowledge;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.Windows;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.client.Client;

/** Two nodes in this JVM. Fingerprints are written by hand, or made of texts. Requests are JSON with single quotes. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, numClientNodes = 0, supportsDedicatedMasters = false)
public abstract class NearDuplicateClusterTestCase extends ClusterTestCase {

    static final String PIPELINE = "duplicates";
    static final String DOCS = "docs";

    /** OpenSearch's own processor that sends tagged documents on. */
    static final String SENT_ON =
            "{'set': {'if': 'ctx.near_duplicate != null', 'field': '_index', 'value': 'elsewhere'}}";

    /** Every bulk is answered in this time. */
    static final TimeValue PATIENCE = TimeValue.timeValueMinutes(1);

    /** An answered write is on disk. Otherwise it would be no original for some seconds. */
    @Override
    protected Settings.Builder setRandomIndexSettings(Random random, Settings.Builder builder) {
        return super.setRandomIndexSettings(random, builder).put("index.translog.durability", "request");
    }

    /** Always the same node, with its window. */
    static Client node() {
        return internalCluster().client(internalCluster().getNodeNames()[0]);
    }

    static ArrivalWindow window() {
        return knowledge().window();
    }

    private static NodeKnowledge knowledge() {
        return internalCluster()
                .getInstance(NearDuplicates.class, internalCluster().getNodeNames()[0])
                .roundServices()
                .knowledge();
    }

    void pipeline(String options) {
        processors("{'near_duplicate': {" + options + "}}");
    }

    void processors(String processors) {
        processors(processors, PIPELINE);
    }

    void processors(String processors, String pipeline) {
        String definition = "{'processors': [" + withoutTexts(processors) + "]}";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(pipeline, new BytesArray(definition.replace('\'', '"')), MediaTypeRegistry.JSON)
                .get());
    }

    /** Where no processor makes fingerprints of texts, documents end for those written by hand, if the pipeline says so. */
    private static String withoutTexts(String processors) {
        boolean isOfText = processors.contains("'simhash': {") || processors.contains("'minhash': {");
        return isOfText || processors.contains("'verify'")
                ? processors
                : processors.replaceAll("'action': '(drop|fail)'", "'action': '$1', 'verify': false");
    }

    /** Without refreshes of its own. */
    void index(String index, int shards) {
        index(index, shards, "{}");
    }

    /** @param mapping with single quotes */
    void index(String index, int shards, String mapping) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setMapping(mapping.replace('\'', '"'))
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", shards)
                        .put("index.number_of_replicas", 0)
                        .put("index.refresh_interval", "1h")));
    }

    static Map<String, Object> print(long bits) {
        return print(OptionalLong.of(bits), Arrivals.digest(bits));
    }

    static Map<String, Object> print(OptionalLong bits, String digest) {
        Fingerprint fingerprint = new Fingerprint(bits, digest, 9, Arrivals.SCHEME);
        return Map.of("simhash", FingerprintFields.of(fingerprint, new SegmentLayout(4)));
    }

    static Map<String, Object> text(String text) {
        return Map.of("content", text);
    }

    /** A cluster setting; null for the default. */
    static void setting(String name, Object value) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("plugins.simhash.near_duplicate." + name, value);
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }

    /** A bulk in this order; keys are ids. */
    static BulkResponse send(String index, Map<String, Map<String, Object>> documents) {
        BulkRequestBuilder bulk = node().prepareBulk();
        documents.forEach((id, source) ->
                bulk.add(new IndexRequest(index).id(id).source(source).setPipeline(PIPELINE)));
        return bulk.get(PATIENCE);
    }

    static BulkItemResponse send(String index, String id, Map<String, Object> source) {
        return send(index, Map.of(id, source)).getItems()[0];
    }

    static Map<String, Map<String, Object>> ordered(Object... idsAndSources) {
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        for (int i = 0; i < idsAndSources.length; i += 2) {
            @SuppressWarnings("unchecked")
            Map<String, Object> source = (Map<String, Object>) idsAndSources[i + 1];
            documents.put((String) idsAndSources[i], source);
        }
        return documents;
    }

    static void assertIndexed(BulkResponse response) {
        assertFalse(response.buildFailureMessage(), response.hasFailures());
    }

    static void assertIndexed(BulkItemResponse response) {
        assertFalse(response.getFailureMessage(), response.isFailed());
    }

    /** Lookups gave all memory back; the window and the texts of its documents may hold some. */
    static void assertNothingHeld() {
        String name = internalCluster().getNodeNames()[0];
        long window = Windows.bytes(window(), knowledge().texts());
        long used = internalCluster()
                .getInstance(CircuitBreakerService.class, name)
                .getBreaker("simhash")
                .getUsed();
        assertEquals("bytes held beyond the window's", window, used);
    }

    /** Documents of an index by id. */
    Map<String, Map<String, Object>> stored(String index) {
        refresh(index);
        Map<String, Map<String, Object>> documents = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(index)
                .setQuery(QueryBuilders.matchAllQuery())
                .setSize(10_000)
                .get()
                .getHits()) {
            documents.put(hit.getId(), hit.getSourceAsMap());
        }
        return documents;
    }

    /** The tag of a document as {@code id:distance}, with {@code ?} if pending. */
    static String tag(Map<String, Object> source) {
        Object tag = XContentMapValues.extractValue("near_duplicate", source);
        if (tag instanceof Map<?, ?> fields) {
            return fields.get("id") + ":" + fields.get("distance")
                    + (Boolean.TRUE.equals(fields.get("pending")) ? "?" : "");
        }
        return null;
    }

    Map<String, String> tags(String index) {
        Map<String, String> tags = new TreeMap<>();
        stored(index).forEach((id, source) -> tags.put(id, tag(source)));
        return tags;
    }

    static Map<String, String> expected(String... idsAndTags) {
        Map<String, String> tags = new TreeMap<>();
        for (int i = 0; i < idsAndTags.length; i += 2) {
            tags.put(idsAndTags[i], idsAndTags[i + 1]);
        }
        return tags;
    }
}
