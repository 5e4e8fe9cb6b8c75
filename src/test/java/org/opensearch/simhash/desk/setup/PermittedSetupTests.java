/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A setup of an alias in whose place an action filter that knows the caller's rights puts some of its indices. */
public class PermittedSetupTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, RequestHook.class);
    }

    @Override
    public void setUp() throws Exception {
        super.setUp();
        for (String index : List.of("mine-1", "mine-2", "theirs")) {
            assertAcked(client().admin().indices().prepareCreate(index).setMapping("body", "type=text"));
            assertAcked(client().admin().indices().prepareAliases().addAlias(index, "all"));
        }
    }

    @Override
    public void tearDown() throws Exception {
        RequestHook.clear();
        super.tearDown();
    }

    private static void replaceBy(String... permitted) {
        RequestHook.set(request -> {
            if (request instanceof SetupAction.Request setup) {
                setup.indices(permitted);
            }
            return null;
        });
    }

    private Map<String, Object> setup(boolean isApplied) {
        SetupOptions options = new SetupOptions(List.of(), SketchKind.SIMHASH, null, Map.of(), null, null, isApplied);
        return client().execute(
                        SetupAction.INSTANCE,
                        new SetupAction.Request(
                                new String[] {"all"}, options, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet()
                .asMap();
    }

    private static List<String> requests(Map<String, Object> answer) {
        List<String> requests = new ArrayList<>();
        ((List<?>) answer.get("steps"))
                .forEach(step -> requests.add(String.valueOf(((Map<?, ?>) step).get("request"))));
        return requests;
    }

    /** Whether a document that enters the index gets a fingerprint. */
    private boolean fingerprints(String index) {
        client().prepareIndex(index)
                .setSource(Map.of("body", "words enough for a fingerprint"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        SearchResponse found = client().prepareSearch(index)
                .setQuery(QueryBuilders.existsQuery("simhash.scheme"))
                .get();
        return found.getHits().getTotalHits().value() > 0;
    }

    private String pipeline(String index) {
        return client().admin().indices().prepareGetSettings(index).get().getSetting(index, "index.default_pipeline");
    }

    public void testTheIndicesThatAreLeftAreSetUpAndNoOther() {
        replaceBy("mine-1", "mine-2");
        Map<String, Object> planned = setup(false);
        String both = String.valueOf(planned.get("index"));
        assertTrue(both, List.of("mine-1,mine-2", "mine-2,mine-1").contains(both));
        assertEquals("PUT /" + both + "/_mapping", requests(planned).getFirst());
        Map<String, Object> applied = setup(true);
        assertEquals(requests(planned), requests(applied));
        assertEquals(0, ((Map<?, ?>) applied.get("check")).get("documents"));
        assertEquals("GET /" + both + "/_mapping", requests(setup(true)).getFirst());
        for (String index : List.of("mine-1", "mine-2")) {
            assertEquals("fingerprint-indices", pipeline(index));
            assertTrue(fingerprints(index));
        }
        assertNull(pipeline("theirs"));
        assertFalse(fingerprints("theirs"));
    }

    /** Some of the indices get what the others have. */
    public void testOneOfTheIndicesThatAreLeftMayBeSetUpAlready() {
        replaceBy("mine-2");
        assertEquals("mine-2", setup(true).get("index"));
        replaceBy("mine-1", "mine-2");
        assertEquals("PUT /mine-1/_mapping", requests(setup(false)).getFirst());
        setup(true);
        assertTrue(fingerprints("mine-1"));
        assertEquals("fingerprint-indices", pipeline("mine-1"));
        assertEquals("fingerprint-mine-2", pipeline("mine-2"));
        assertNull(pipeline("theirs"));
    }

    public void testAFilterOfTheAliasIsAnObstacleToItsIndicesToo() {
        for (String index : List.of("mine-1", "mine-2")) {
            assertAcked(client().admin()
                    .indices()
                    .prepareAliases()
                    .addAlias(index, "all", QueryBuilders.existsQuery("body")));
        }
        for (String[] permitted : new String[][] {{"all"}, {"mine-1"}, {"mine-1", "mine-2"}}) {
            replaceBy(permitted);
            Exception refused = expectThrows(IllegalArgumentException.class, () -> setup(false));
            assertTrue(
                    refused.getMessage(),
                    refused.getMessage()
                            .startsWith(
                                    "[index] must be an alias without a filter, which pipelines do not know, got: all; name [mine-"));
        }
    }
}
