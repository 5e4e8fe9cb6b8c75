/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;

/** What documents are compared with: of an index that several share, each sees its own part. */
public class LookupScopesClusterTests extends NearDuplicateClusterTestCase {

    private static final String SHARED = "shared";

    private void tenants(int count) {
        index(SHARED, 1);
        for (int i = 1; i <= count; i++) {
            assertAcked(client().admin()
                    .indices()
                    .prepareAliases()
                    .addAlias(SHARED, "tenant" + i, QueryBuilders.termQuery("tenant", "t" + i)));
        }
        assertAcked(client().admin().indices().prepareAliases().addAlias(SHARED, "all"));
    }

    private static Map<String, Object> of(int tenant, long bits) {
        Map<String, Object> source = new HashMap<>(print(bits));
        source.put("tenant", "t" + tenant);
        return source;
    }

    private static Result sent(String index, String id, Map<String, Object> source) {
        return send(index, id, source).getResponse().getResult();
    }

    public void testATenantKnowsItsOwnDocumentsOfTheLastMoments() {
        tenants(2);
        pipeline("'action': 'drop'");
        assertEquals(Result.CREATED, sent("tenant1", "1", of(1, 0b1)));
        assertEquals(Result.CREATED, sent("tenant2", "2", of(2, 0b1)));
        assertEquals(Result.NOOP, sent("tenant2", "3", of(2, 0b11)));
        assertEquals(Result.NOOP, sent(SHARED, "4", of(2, 0b11)));
        assertEquals(Result.NOOP, sent("all", "5", of(2, 0b11)));
        assertEquals(expected("1", null, "2", null), tags(SHARED));
        assertEquals(Result.NOOP, sent("tenant2", "6", of(2, 0b11)));
        assertEquals(Result.CREATED, sent("tenant2", "7", of(2, ~0L)));
        assertEquals(expected("1", null, "2", null, "7", null), tags(SHARED));
    }

    public void testCheckedAgainstAPartOfAnotherIndex() {
        tenants(2);
        pipeline("'index': ['tenant1']");
        assertEquals(Result.CREATED, sent("tenant1", "1", of(1, 0b1)));
        assertEquals(Result.CREATED, sent("tenant2", "2", of(2, 0b1111)));
        assertIndexed(send(DOCS, ordered("3", print(0b11), "4", print(0b1111111))));
        assertEquals(expected("3", "1:1", "4", null), tags(DOCS));
    }

    public void testATenantsDuplicatesAreFoundBehindThoseOfOthers() {
        tenants(9);
        pipeline("");
        for (int tenant = 1; tenant <= 9; tenant++) {
            client().prepareIndex(SHARED)
                    .setId("" + tenant)
                    .setSource(of(tenant, 0b1))
                    .get();
        }
        refresh(SHARED);
        Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
        documents.put("a", of(9, 0b1));
        documents.put("b", of(9, ~0L));
        assertIndexed(send("tenant9", documents));
        assertEquals("9:0", tags(SHARED).get("a"));
        assertNull(tags(SHARED).get("b"));
    }

    public void testAnIndexThatAllowsFewHits() {
        pipeline("");
        for (int most : new int[] {70, 100, 1_000}) {
            assertAcked(client().admin()
                    .indices()
                    .prepareCreate("few-" + most)
                    .setSettings(Settings.builder().put("index.max_result_window", most)));
            Random random = new Random(randomLong());
            Map<String, Map<String, Object>> originals = new LinkedHashMap<>();
            Map<String, Map<String, Object>> copies = new LinkedHashMap<>();
            for (int i = 0; i < 150; i++) {
                long bits = random.nextLong();
                originals.put("" + i, print(bits));
                copies.put("copy-" + i, print(Arrivals.flipped(bits, 2, random)));
            }
            assertIndexed(send("few-" + most, originals));
            refresh("few-" + most);
            assertIndexed(send("few-" + most, copies));
            assertAcked(client().admin()
                    .indices()
                    .prepareUpdateSettings("few-" + most)
                    .setSettings(Settings.builder().putNull("index.max_result_window")));
            Map<String, String> tags = tags("few-" + most);
            for (int i = 0; i < 150; i++) {
                assertEquals(i + ":2", tags.get("copy-" + i));
            }
        }
    }
}
