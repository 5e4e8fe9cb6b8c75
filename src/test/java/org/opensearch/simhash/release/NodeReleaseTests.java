/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.release;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.deduplicate.runs.RunsAction;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A node of a release that nothing of the plugin fits: it starts, works, and refuses each feature with a sentence. */
public class NodeReleaseTests extends OpenSearchSingleNodeTestCase {

    private static final String LACKS =
            "] is off, as this version of opensearch-simhash does not fit OpenSearch 3.42.0: a.Class is missing and 1 more";

    public static final class UnfitPlugin extends SimHashPlugin {
        public UnfitPlugin() {
            super(new NodeRelease(Version.fromString("3.42.0"), entry -> new TreeSet<>(Set.of("a.Class", "b.Class"))));
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(UnfitPlugin.class);
    }

    public void testTheNodeWorks() {
        client().prepareIndex("docs").setId("1").setSource("text", "a b").get();
        assertTrue(client().prepareGet("docs", "1").get().isExists());
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
        assertTrue(refused.getMessage(), refused.getMessage().contains("[" + RunsAction.INSTANCE.name() + LACKS));
    }
}
