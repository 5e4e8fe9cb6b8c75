/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.create.CreateIndexResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;

/** Nothing is deleted before the archive is as it has to be. */
public class ArchiveIndexTests extends DeletingTestCase {

    private final JobTask task = TestTask.create();

    @Override
    public void tearDown() throws Exception {
        client().admin().indices().prepareDeleteTemplate("*").get();
        super.tearDown();
    }

    public void testAnArchiveThatIsNotThereIsWaitedFor() {
        Client withoutNodes = new FilterClient(client()) {
            @Override
            @SuppressWarnings("unchecked")
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                if (request instanceof CreateIndexRequest) {
                    listener.onResponse((Response) new CreateIndexResponse(true, false, REMOVED));
                } else {
                    super.doExecute(action, request, listener);
                }
            }
        };
        ClusterService cluster = getInstanceFromNode(ClusterService.class);
        OpenSearchStatusException e = expectThrows(
                OpenSearchStatusException.class,
                () -> ArchiveIndex.create(withoutNodes, cluster, REMOVED, TimeValue.timeValueMillis(1), task));
        assertEquals(
                "[archive] must have all its replicas before anything is deleted, and not all are there, got: "
                        + REMOVED,
                e.getMessage());
        assertEquals(RestStatus.SERVICE_UNAVAILABLE, e.status());
    }

    public void testACancelledJobDoesNotWait() {
        task.cancel("enough");
        ClusterService cluster = getInstanceFromNode(ClusterService.class);
        expectThrows(
                TaskCancelledException.class,
                () -> ArchiveIndex.requireReplicas(cluster, REMOVED, TimeValue.timeValueHours(1), task));
    }

    /** Otherwise a copy that was confirmed goes with the machine. */
    public void testANewArchiveSyncsEachWriteWhateverTemplatesSay() throws Exception {
        assertAcked(client().admin()
                .indices()
                .preparePutTemplate("async")
                .setPatterns(List.of(REMOVED + "*"))
                .setSettings(Settings.builder().put("index.translog.durability", "async"))
                .get());
        fill(Settings.EMPTY);
        assertEquals(2, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        assertEquals(
                "request",
                client().admin()
                        .indices()
                        .prepareGetSettings(REMOVED)
                        .get()
                        .getSetting(REMOVED, "index.translog.durability"));
    }

    public void testANewArchiveKeepsWholeDocumentsWhateverTemplatesSay() throws Exception {
        assertAcked(client().admin()
                .indices()
                .preparePutTemplate("partly")
                .setPatterns(List.of(REMOVED + "*"))
                .setMapping(JsonXContent.contentBuilder().map(Map.of("_source", Map.of("enabled", false))))
                .get());
        fill(Settings.EMPTY);
        Exception e = expectThrows(IllegalArgumentException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(
                "[archive] must keep the whole _source of documents, got: " + REMOVED
                        + " with [_source] {enabled=false}",
                e.getMessage());
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** Copies of documents that stay could not be taken back. */
    public void testAnArchiveThatATemplateMakesAppendOnlyIsRefused() throws Exception {
        assertAcked(client().admin()
                .indices()
                .preparePutTemplate("log")
                .setPatterns(List.of(REMOVED + "*"))
                .setSettings(Settings.builder().put(IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.getKey(), true))
                .get());
        fill(Settings.EMPTY);
        Exception e = expectThrows(IllegalArgumentException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        assertEquals(
                "[archive] must be an index whose copies can be taken back, got: " + REMOVED + ", which is append-only",
                e.getMessage());
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** What cannot be found by its run would not come back. */
    public void testAnArchiveThatFindsNoRunIsRefused() throws Exception {
        fill(Settings.EMPTY);
        Map<String, String> wrong = Map.of(
                "{\"type\":\"flat_object\"}", "[simhash_archive] {type=flat_object}",
                "{\"properties\":{\"run\":{\"type\":\"text\"}}}", "[simhash_archive.run] {type=text}",
                "{\"properties\":{\"run\":{\"type\":\"keyword\",\"ignore_above\":9}}}",
                        "[simhash_archive.run] {type=keyword, ignore_above=9}");
        for (Map.Entry<String, String> mapping : wrong.entrySet()) {
            createArchive("{\"properties\":{\"simhash_archive\":" + mapping.getKey() + "}}");
            Exception e =
                    expectThrows(IllegalArgumentException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
            assertEquals(
                    "[archive] must find copies by [simhash_archive.run] as a whole, got: " + REMOVED + " with "
                            + mapping.getValue(),
                    e.getMessage());
            client().admin().indices().prepareDelete(REMOVED).get();
        }
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    /** A part alone may be mapped: the rest is left out of such an index. */
    public void testAnArchiveGetsThePartsThatItDoesNotMap() throws Exception {
        fill(Settings.EMPTY);
        createArchive("{\"dynamic\":false,\"properties\":{\"simhash_archive\":{\"properties\":"
                + "{\"index\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}}}}}}");
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        assertEquals(
                2,
                client().prepareSearch(REMOVED)
                        .setQuery(QueryBuilders.termQuery("simhash_archive.run", run))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
    }

    private void createArchive(String mapping) {
        assertAcked(client().admin().indices().prepareCreate(REMOVED).setMapping(mapping));
    }
}
