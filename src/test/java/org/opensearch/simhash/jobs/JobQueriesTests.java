/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.get.GetRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Which documents a job looks at does not change while it runs, and those without a fingerprint cost it nothing. */
public class JobQueriesTests extends DeletingTestCase {

    @Override
    public void tearDown() throws Exception {
        memory(null);
        super.tearDown();
    }

    private void memory(String bytes) {
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder()
                        .put("plugins.simhash.deduplicate.memory", bytes)
                        .put("plugins.simhash.deduplicate.disk", bytes == null ? null : "0b"))
                .get();
    }

    /** Each page looked it up again, and might be told otherwise than the page before. */
    public void testWhatAQueryLooksUpIsLookedUpOnce() throws IOException {
        fill(Settings.EMPTY);
        createIndex("lists");
        client().prepareIndex("lists")
                .setId("chosen")
                .setSource(Map.of("ids", new String[] {"1", "2"}))
                .get();
        AtomicInteger gets = new AtomicInteger();
        RequestHook.set(request -> {
            gets.addAndGet(request instanceof GetRequest ? 1 : 0);
            return null;
        });
        String query =
                "{\"query\":{\"terms\":{\"_id\":{\"index\":\"lists\",\"id\":\"chosen\",\"path\":\"ids\"}}},\"action\":\"tag\"}";
        JobResponse response = run(query, Float.POSITIVE_INFINITY, 100);
        assertEquals(2, response.count("documents"));
        assertEquals(1, response.count("groups"));
        assertEquals(1, response.count("tagged"));
        assertEquals(1, gets.get());
        assertEquals(
                1,
                run(query.replace("\"query\"", "\"new_since\""), Float.POSITIVE_INFINITY, 100)
                        .count("groups"));
        assertEquals(2, gets.get());
    }

    /** Passes were planned for all that matches: each reads all of it again. */
    public void testDocumentsWithoutFingerprintsMakeNoPasses() throws IOException {
        fill(Settings.EMPTY);
        for (int i = 0; i < 600; i++) {
            client().prepareIndex(INDEX).setSource(Map.of("text", "" + i)).get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        memory("16kb");
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100);
        assertEquals(604, response.count("documents"));
        assertEquals(4, response.count("fingerprinted"));
        assertEquals(1, response.count("passes"));
        assertEquals(2, response.count("groups"));
        for (int i = 10; i < 300; i++) {
            put(i, randomLong());
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        response = run("{}", Float.POSITIVE_INFINITY, 100);
        assertEquals(294, response.count("fingerprinted"));
        assertTrue(response.count("passes") > 1);
    }
}
