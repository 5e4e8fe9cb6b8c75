/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.release;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.action.ActionType;
import org.opensearch.action.admin.cluster.health.ClusterHealthRequest;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.desk.DeskPart;
import org.opensearch.simhash.desk.review.RunsAction;
import org.opensearch.tasks.Task;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.TransportService;

/** A node of a release that nothing of the plugin fits: it starts, works, and refuses each feature with a sentence. */
public class NodeReleaseTests extends OpenSearchSingleNodeTestCase {

    private static final String LACKS =
            "] is off, as this version of opensearch-simhash does not fit OpenSearch 3.42.0: a.Class is missing and 1 more";

    private static final NodeRelease UNFIT =
            new NodeRelease(Version.fromString("3.42.0"), entry -> new TreeSet<>(Set.of("a.Class", "b.Class")));

    private static final ActionType<AcknowledgedResponse> BROKEN =
            new ActionType<>("cluster:monitor/broken", AcknowledgedResponse::new);

    public static final class UnfitPlugin extends SimHashPlugin {
        public UnfitPlugin() {
            super(new DeskPart(UNFIT));
        }

        @Override
        public List<ActionHandler<?, ?>> getActions() {
            List<ActionHandler<?, ?>> all = new ArrayList<>(super.getActions());
            all.addAll(UNFIT.actions(List.of(new ActionHandler<>(BROKEN, BrokenAction.class))));
            return all;
        }
    }

    /** Calls what the release has not. */
    public static final class BrokenAction extends TransportAction<ClusterHealthRequest, AcknowledgedResponse> {

        @Inject
        public BrokenAction(ActionFilters filters, TransportService transport) {
            super(BROKEN.name(), filters, transport.getTaskManager());
            throw new NoSuchMethodError("gone");
        }

        @Override
        protected void doExecute(
                Task task, ClusterHealthRequest request, ActionListener<AcknowledgedResponse> listener) {
            throw new AssertionError();
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(UnfitPlugin.class);
    }

    public void testTheNodeWorks() {
        client().prepareIndex("docs").setId("1").setSource("text", "a b").get();
        assertTrue(client().prepareGet("docs", "1").get().isExists());
        client().admin().indices().prepareRefresh("docs").get();
        assertEquals(
                1, client().prepareSearch("docs").get().getHits().getTotalHits().value());
    }

    public void testProcessorsRefuseToBeConfigured() {
        for (String type : List.of("simhash", "minhash", "image_hash")) {
            OpenSearchException refused = expectThrows(
                    OpenSearchException.class,
                    () -> client().admin()
                            .cluster()
                            .preparePutPipeline(
                                    "p",
                                    new BytesArray("{\"processors\": [{\"" + type + "\": {\"field\": \"text\"}}]}"),
                                    MediaTypeRegistry.JSON)
                            .get());
            assertEquals("[" + type + LACKS, refused.getMessage());
            assertEquals(RestStatus.BAD_REQUEST, refused.status());
        }
    }

    public void testSearchProcessorsRefuseToBeConfigured() {
        var request = new PutSearchPipelineRequest(
                "p",
                new BytesArray("{\"response_processors\": [{\"collapse_near_duplicates\": {}}]}"),
                MediaTypeRegistry.JSON);
        OpenSearchException refused = expectThrows(
                OpenSearchException.class,
                () -> client().admin().cluster().putSearchPipeline(request).actionGet());
        assertEquals("[collapse_near_duplicates" + LACKS, refused.getMessage());
    }

    public void testQueriesRefuseToBeParsed() throws Exception {
        for (String name : List.of("simhash", "minhash")) {
            try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                    xContentRegistry(), null, "{\"" + name + "\": {\"text\": \"a b\"}}")) {
                ParsingException refused =
                        expectThrows(ParsingException.class, () -> AbstractQueryBuilder.parseInnerQueryBuilder(parser));
                assertEquals("[" + name + LACKS, refused.getMessage());
            }
        }
    }

    public void testActionsRefuseToRun() {
        OpenSearchStatusException refused = expectThrows(
                OpenSearchStatusException.class,
                () -> client().execute(RunsAction.INSTANCE, new RunsAction.Request("archive"))
                        .actionGet());
        assertEquals(RestStatus.NOT_IMPLEMENTED, refused.status());
        assertEquals("[" + RunsAction.INSTANCE.name() + LACKS, refused.getMessage());
        refused = expectThrows(
                OpenSearchStatusException.class,
                () -> client().execute(BROKEN, new ClusterHealthRequest()).actionGet());
        assertEquals("[" + BROKEN.name() + LACKS, refused.getMessage());
    }
}
