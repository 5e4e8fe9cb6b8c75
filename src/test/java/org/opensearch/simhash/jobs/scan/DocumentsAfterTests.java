/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A page begins behind the one before, in all Lucene leaves of all shards. */
public class DocumentsAfterTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class);
    }

    private PointInTime docs() {
        createIndex(
                "docs",
                Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.merge.policy.segments_per_tier", 30)
                        .build());
        for (int i = 0; i < 200; i++) {
            client().prepareIndex("docs").setId("" + i).setSource("a", i % 3).get();
            if (rarely()) {
                client().admin().indices().prepareRefresh("docs").get();
            }
            if (i % 7 == 6) {
                client().prepareDelete("docs", "" + (i - randomInt(6))).get();
            }
        }
        client().admin().indices().prepareRefresh("docs").get();
        return PointInTime.open(
                new String[] {"docs"},
                IndicesOptions.strictExpandOpen(),
                client(),
                getInstanceFromNode(NamedWriteableRegistry.class),
                getInstanceFromNode(ClusterService.class),
                new Retries(() -> {}));
    }

    public void testAllBehindADocumentMatch() {
        PointInTime held = docs();
        List<Long> addresses = new ArrayList<>();
        SearchSourceBuilder source = new SearchSourceBuilder().query(QueryBuilders.termQuery("a", 1));
        held.forEach(source, 1_000, hits -> {
            for (SearchHit hit : hits) {
                addresses.add(held.address(hit));
            }
        });
        assertFalse(addresses.isEmpty());
        int shard = randomInt(1);
        ShardId id = held.shards().get(shard);
        int last = addresses.stream().mapToInt(Long::intValue).max().getAsInt();
        for (int after : new int[] {-1, 0, randomInt(last), randomInt(last), last, Integer.MAX_VALUE}) {
            long expected = addresses.stream()
                    .filter(address -> held.shard(address).equals(id) == false || address.intValue() > after)
                    .count();
            BoolQueryBuilder query = new BoolQueryBuilder()
                    .filter(QueryBuilders.termQuery("a", 1))
                    .filter(JobQuery.after(Map.of(id, after)));
            assertEquals("after " + after, expected, held.count(query));
        }
        held.close();
    }

    public void testNobodyCanTypeIt() {
        IllegalArgumentException refused = expectThrows(
                IllegalArgumentException.class,
                () -> JobQuery.spec()
                        .getParser()
                        .fromXContent(createParser(JsonXContent.jsonXContent, "{\"docs\":1}")));
        assertTrue(refused.getMessage(), refused.getMessage().contains("sent by deduplication jobs and not allowed"));
    }
}
