/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Which processor of an index's own pipeline is meant when a request names none. */
public class OwnPipelineTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class);
    }

    private void index(String... targetFields) throws Exception {
        List<Object> processors = new ArrayList<>();
        for (String targetField : targetFields) {
            processors.add(Map.of("simhash", Map.of("field", "body", "target_field", targetField)));
        }
        try (XContentBuilder pipeline = JsonXContent.contentBuilder()) {
            pipeline.map(Map.of("processors", processors));
            assertAcked(client().admin()
                    .cluster()
                    .preparePutPipeline("own", BytesReference.bytes(pipeline), MediaTypeRegistry.JSON)
                    .get());
        }
        assertAcked(
                client().admin().indices().prepareCreate("docs").setSettings(Map.of("index.default_pipeline", "own")));
        client().prepareIndex("docs")
                .setId("1")
                .setSource(Map.of("body", "a text of a few words"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    public void testTheOnlyProcessorIsMeantWhateverItWrites() throws Exception {
        index("print");
        assertNotNull(compare());
        assertNotNull(featureWeights());
    }

    public void testOfSeveralThatWriteOtherFieldsNoneIsMeant() throws Exception {
        index("print_b", "print_a");
        String message =
                "the [simhash] processors in the ingest pipelines of [docs] write [print_a, print_b], none of them"
                        + " [simhash]: set [pipeline] to one with a processor for it, or with a single processor";
        assertRefused(message, this::compare);
        assertRefused(message, this::featureWeights);
    }

    private JsonResponse compare() {
        InspectedText stored = new InspectedText(null, null, "docs", "1", null, null, null);
        return client().execute(
                        CompareAction.INSTANCE,
                        new CompareAction.Request(new RecipeChoice(null, null), stored, stored, "simhash"))
                .actionGet();
    }

    private JsonResponse featureWeights() {
        return client().execute(
                        FeatureWeightsAction.INSTANCE,
                        new FeatureWeightsAction.Request(new String[] {"docs"}, new RecipeChoice(null, null), 10, 0.2))
                .actionGet();
    }

    private static void assertRefused(String message, ThrowingRunnable request) {
        Throwable cause = ExceptionsHelper.unwrapCause(expectThrows(Exception.class, request));
        assertEquals(message, cause.getMessage());
        assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(cause));
    }
}
