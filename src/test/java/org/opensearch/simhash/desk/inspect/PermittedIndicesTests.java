/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.TransportService;

/** What an action filter that knows the caller's rights sees of the indices, and what it may make of them. */
public class PermittedIndicesTests extends OpenSearchSingleNodeTestCase {

    private static final RecipeChoice RECIPE = new RecipeChoice(null, Map.of("field", "body"));

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, RequestHook.class);
    }

    @Override
    public void setUp() throws Exception {
        super.setUp();
        for (String index : List.of("mine", "theirs")) {
            client().prepareIndex(index)
                    .setId("1")
                    .setSource(Map.of("body", "shared words of " + index))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        assertAcked(client().admin().indices().prepareAliases().addAlias("mine", "alias"));
    }

    @Override
    public void tearDown() throws Exception {
        RequestHook.clear();
        super.tearDown();
    }

    /** Puts others in the place of the indices that helpers are about. Returns where those are noted. */
    private static List<String> replaceBy(String... permitted) {
        List<String> seen = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof FeatureWeightsAction.Request) {
                IndicesRequest.Replaceable helper = (IndicesRequest.Replaceable) request;
                seen.addAll(Arrays.asList(helper.indices()));
                helper.indices(permitted);
            }
            return null;
        });
        return seen;
    }

    public void testASampleIsThatOfTheIndicesThatAreLeft() throws IOException {
        assertTrue(weights("mine", "theirs").startsWith("{\"documents\":2,"));
        List<String> seen = replaceBy("mine");
        assertTrue(weights("m*", "theirs").startsWith("{\"documents\":1,"));
        assertEquals(List.of("m*", "theirs"), seen);
        replaceBy();
        assertTrue("none is not all", weights("mine", "theirs").startsWith("{\"documents\":0,"));
    }

    public void testASampleIsAboutWhatItsSearchesAreAbout() throws IOException {
        List<SearchRequest> searches = new ArrayList<>();
        List<IndicesRequest> samples = new ArrayList<>();
        RequestHook.set(request -> {
            switch (request) {
                case SearchRequest search -> searches.add(search);
                case FeatureWeightsAction.Request sample -> samples.add(sample);
                default -> {}
            }
            return null;
        });
        weights("mine", "theirs");
        assertEquals(1, samples.size());
        assertFalse(searches.isEmpty());
        for (SearchRequest search : searches) {
            assertArrayEquals(samples.getFirst().indices(), search.indices());
            assertEquals(samples.getFirst().indicesOptions(), search.indicesOptions());
            assertEquals(samples.getFirst().includeDataStreams(), search.includeDataStreams());
        }
    }

    private String weights(String... indices) throws IOException {
        return client().execute(
                        FeatureWeightsAction.INSTANCE, new FeatureWeightsAction.Request(indices, RECIPE, 10, 0.2))
                .actionGet()
                .toString();
    }

    /** They are read by a request of the caller's. */
    public void testStoredTextsAreReadWithTheRightsOfTheCaller() {
        List<String> read = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof MultiGetRequest gets) {
                gets.getItems().forEach(item -> read.add(item.index()));
            }
            return null;
        });
        CompareAction.Request comparison = new CompareAction.Request(RECIPE, text("alias"), text("theirs"), "simhash");
        assertNotNull(client().execute(CompareAction.INSTANCE, comparison).actionGet());
        assertEquals(List.of("alias", "theirs"), read);
    }

    /** They would need a right on all indices, if they could be taken for actions on some. */
    public void testTextsThatAreGivenAlongAreAboutNoIndex() throws IOException {
        for (InspectRequest request : List.of(
                new CompareAction.Request(RECIPE, text(null), text(null), "simhash"),
                new FingerprintAction.Request(RECIPE, text(null), true))) {
            assertFalse(request instanceof IndicesRequest);
        }
        assertTrue(CompareAction.NAME, CompareAction.NAME.startsWith("cluster:monitor/"));
        assertTrue(FingerprintAction.NAME, FingerprintAction.NAME.startsWith("cluster:monitor/"));
    }

    /** Their requests were checked where they were read. */
    public void testNoOtherNodeCanAskForWhatOnlyTheNodeOfARequestExecutes() {
        TransportService transport = getInstanceFromNode(TransportService.class);
        for (String name : List.of(CompareAction.NAME, FeatureWeightsAction.NAME)) {
            assertNull(name, transport.getRequestHandler(name));
        }
        assertNotNull(transport.getRequestHandler("indices:data/read/simhash/pairs"));
    }

    /** A stored text, or one that is given along. */
    private static InspectedText text(String index) {
        return index == null
                ? new InspectedText("words", null, null, null, null, null, null)
                : new InspectedText(null, null, index, "1", null, null, null);
    }
}
