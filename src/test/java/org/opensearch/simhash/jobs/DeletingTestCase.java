/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.tests.util.LuceneTestCase.SuppressFileSystems;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Jobs that delete, on one node in this JVM. */
// A file of a join has no name from its opening on, which the mock of Windows takes for a failure.
@SuppressFileSystems({"ExtrasFS", "WindowsFS"})
public abstract class DeletingTestCase extends OpenSearchSingleNodeTestCase {

    protected static final String INDEX = "copies";
    protected static final String REMOVED = "copies-removed";
    protected static final String ARCHIVE = "{\"index\":\"" + REMOVED + "\"}";

    private TimeValue patience = TimeValue.timeValueMinutes(1);

    /** The jobs of this test wait no minute for what never comes. */
    protected void expectFailures() {
        patience = TimeValue.timeValueSeconds(2);
    }

    /** For as long as a busy machine needs. */
    public static void assertBusy(CheckedRunnable<Exception> state) throws Exception {
        assertBusy(state, 2, TimeUnit.MINUTES);
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, IngestCommonModulePlugin.class, RequestHook.class);
    }

    @Override
    public void tearDown() throws Exception {
        RequestHook.clear();
        super.tearDown();
    }

    /** Documents 1 and 2 are near, and 3 and 4. */
    protected void fill(Settings settings) {
        createIndex(INDEX, settings);
        for (int i = 1; i <= 4; i++) {
            put(i, i <= 2 ? 0 : -1L);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** What fingerprints of jobs may take; null for what they may by default. */
    protected void allow(String memory) {
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder()
                        .put(DeduplicateMemory.ALLOWANCE.getKey(), memory)
                        .put("plugins.simhash.deduplicate.disk", memory == null ? null : "0b"))
                .get();
    }

    /** A hash that is not made of text, so that none is looked at before a delete. */
    protected static Map<String, Object> given(long bits) {
        return Map.of("hash", Fingerprint.toHex(bits), "bits", bits, "scheme", "given-a");
    }

    protected void put(int id, long bits) {
        client().prepareIndex(INDEX)
                .setId("" + id)
                .setSource(Map.of("simhash", given(bits)))
                .get();
    }

    /** Searches see it at once. */
    protected void put(String index, String id, long bits) {
        client().prepareIndex(index)
                .setId(id)
                .setSource(Map.of("simhash", given(bits)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    /** Near documents: 300 with one text, and 60 more with another. */
    protected void fillUnevenly(String first, String second) {
        fillUnevenly(Map.of("properties", Map.of("text", Map.of("type", "text", "index", false))), first, second);
    }

    protected void fillUnevenly(Map<String, Object> mapping, String first, String second) {
        client().admin().indices().prepareCreate(INDEX).setMapping(mapping).get();
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 1; i <= 360; i++) {
            Map<String, Object> simhash = given(7);
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", simhash, "text", i <= 300 ? first : second)));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** Of the breaker that jobs account on; null for as it was. */
    protected void limitRequests(String value) {
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put("indices.breaker.request.limit", value))
                .get();
    }

    protected static boolean deletes(BulkRequest request, String index) {
        return request.requests().stream()
                .anyMatch(item -> item.opType() == DocWriteRequest.OpType.DELETE
                        && item.index().equals(index));
    }

    protected JobResponse delete(float perSecond, int most, String archive) throws IOException {
        return run("{\"action\":\"delete\",\"verify\":false,\"archive\":" + archive + "}", perSecond, most);
    }

    protected JobResponse run(String json, float perSecond, int most) throws IOException {
        return start(json, perSecond, most, INDEX).actionGet();
    }

    protected JobResponse run(String json, float perSecond, int most, String... indices) throws IOException {
        return start(json, perSecond, most, indices).actionGet();
    }

    protected ActionFuture<JobResponse> start(String json, float perSecond, int most) throws IOException {
        return start(json, perSecond, most, INDEX);
    }

    private ActionFuture<JobResponse> start(String json, float perSecond, int most, String... indices)
            throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            WritePace pace = new WritePace(perSecond, most, patience);
            return client().execute(
                            DeduplicateAction.INSTANCE, DeduplicateAction.Request.fromXContent(indices, parser, pace));
        }
    }

    /**
     * From now on nothing can be written: as OpenSearch answers, after a minute, where a shard is not there.
     *
     * @return how many bulk requests came
     */
    protected static AtomicInteger failBulks() {
        AtomicInteger bulks = new AtomicInteger();
        RequestHook.set(request -> {
            if (request instanceof BulkRequest bulk) {
                bulks.incrementAndGet();
                return RequestHook.failed(bulk, RestStatus.SERVICE_UNAVAILABLE);
            }
            return null;
        });
        return bulks;
    }

    /** Of the only job. */
    protected JobStatus status() {
        return client().admin().cluster().prepareListTasks().setDetailed(true).get().getTasks().stream()
                .map(TaskInfo::getStatus)
                .filter(JobStatus.class::isInstance)
                .map(JobStatus.class::cast)
                .findFirst()
                .orElseThrow();
    }

    protected Set<String> ids(String index) {
        client().admin().indices().prepareRefresh(index).get();
        Set<String> ids = new TreeSet<>();
        for (SearchHit hit : client().prepareSearch(index).setSize(100).get().getHits()) {
            // The first copy of each document in an archive has the id of that.
            Object copied = hit.hasSource()
                    ? ArchivedSource.origin(hit.getSourceAsMap()).get("id")
                    : null;
            if (copied == null || ids.add((String) copied) == false) {
                ids.add(hit.getId());
            }
        }
        return ids;
    }
}
