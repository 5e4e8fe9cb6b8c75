/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.search.query.SimHashExt;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Questions and facts by the pipelines and jobs of {@code config/}, on three nodes. */
@OwnNodes
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class ShortTextsClusterTests extends HookedClusterTestCase {

    private static final Path CONFIG = Path.of(System.getProperty("project.basedir"), "config");

    private static String config(String name) throws IOException {
        return Files.readString(CONFIG.resolve(name));
    }

    private void setUp(String index, String pipeline) {
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(index, new BytesArray(pipeline), MediaTypeRegistry.JSON)
                .get());
        Object minhash = ((Map<?, ?>) ((Map<?, ?>) new SampleIndex().mappings()).get("properties")).get("minhash");
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", 2)
                        .put("index.number_of_replicas", 1)
                        .put("index.refresh_interval", "1h")
                        .put("index.default_pipeline", index))
                .setMapping(Map.of("properties", Map.of("minhash", minhash))));
        ensureGreen(index);
    }

    /** @param texts ids and texts, in turns */
    private static BulkItemResponse[] send(int node, String index, String field, String... texts) {
        BulkRequestBuilder bulk =
                internalCluster().client(internalCluster().getNodeNames()[node]).prepareBulk();
        for (int i = 0; i < texts.length; i += 2) {
            bulk.add(client().prepareIndex(index).setId(texts[i]).setSource(Map.of(field, texts[i + 1])));
        }
        return bulk.get().getItems();
    }

    /** As many lists know the words of both texts: without the language "la" counts. */
    private static BulkItemResponse sendFrench(String index, String id, String text) {
        return client().prepareBulk()
                .add(client().prepareIndex(index).setId(id).setSource(Map.of("fact", text, "lang", "fr")))
                .get()
                .getItems()[0];
    }

    private static String refusal(BulkItemResponse item) {
        assertEquals(item.getId(), RestStatus.CONFLICT, item.status());
        return item.getFailureMessage();
    }

    public void testAGateRefusesWhatIsSaidAlready() throws IOException {
        setUp("gate", config("pipeline-facts.json").replace("\"sketch\"", "\"action\": \"fail\", \"sketch\""));
        assertFalse(send(0, "gate", "fact", "1", "The user prefers the dark mode.")[0].isFailed());
        for (boolean isRefreshed : new boolean[] {false, true}) {
            if (isRefreshed) {
                refresh("gate");
            }
            for (int node = 0; node < 3; node++) {
                BulkItemResponse[] answers = send(
                        node,
                        "gate",
                        "fact",
                        "same",
                        "User prefers dark mode",
                        "light" + node + isRefreshed,
                        "User " + node + " prefers light mode, " + isRefreshed);
                String message = refusal(answers[0]);
                assertTrue(message, message.contains("[same] is a near-duplicate of [1] in index [gate]"));
                assertTrue(message, message.contains(", differing in {words=[[], [the]]}"));
                assertFalse(answers[1].getFailureMessage(), answers[1].isFailed());
            }
        }
        // In one bulk the first is not stored yet: no document ends for it, but it is named.
        BulkItemResponse[] together =
                send(1, "gate", "fact", "first", "Anna likes green tea", "second", "Anna likes the green tea");
        assertFalse(together[0].isFailed() || together[1].isFailed());
        Map<?, ?> tag = (Map<?, ?>)
                client().prepareGet("gate", "second").get().getSourceAsMap().get("near_duplicate");
        assertEquals("first", tag.get("id"));
        assertTrue(refusal(send(2, "gate", "fact", "third", "Anna likes green teas")[0])
                .contains("is a near-duplicate of [first]"));
        // Past the pipeline, so that no node knows it from its own documents.
        setUp("made", config("pipeline-facts.json"));
        assertFalse(sendFrench("made", "code", "Code de la cave 4711").isFailed());
        client().prepareIndex("gate")
                .setId("code")
                .setPipeline("_none")
                .setSource(client().prepareGet("made", "code").get().getSourceAsMap())
                .get();
        refresh("gate");
        assertTrue(refusal(sendFrench("gate", "cave", "Code de cave 4711")).contains("is a near-duplicate of [code]"));
    }

    public void testFactsAreFoundByQueriesAndJobs() throws IOException {
        setUp("facts", config("pipeline-facts.json"));
        send(0, "facts", "fact", "dark", "The user prefers the dark mode.", "light", "User prefers light mode");
        send(1, "facts", "fact", "again", "User prefers a dark mode", "tea", "tea", "the", "The tea");
        refresh("facts");
        String query =
                "{'minhash': {'text': 'user prefers dark mode', 'verify': {'field': 'fact', 'measure': 'facts'}}}";
        assertEquals(Set.of("dark", "again"), ids(query, "facts"));
        SearchRequestBuilder search = prepareSearch(
                "{'query': "
                        + query.replace("'facts'}", "'facts', 'min_similarity': 0.5}")
                                .replace("dark", "very dark") + "}",
                "facts");
        search.request().source().ext(List.of(SimHashExt.evidence()));
        for (SearchHit hit : search.get().getHits()) {
            Map<?, ?> evidence = (Map<?, ?>) hit.field("_simhash").getValue();
            assertEquals(0.8, evidence.get("similarity"));
            List<?> words = (List<?>) ((Map<?, ?>) evidence.get("differs")).get("words");
            assertEquals(List.of("very"), words.getFirst());
        }
        sendFrench("facts", "code", "Code de la cave 4711");
        sendFrench("facts", "cave", "Code de cave 4711");
        refresh("facts");
        String french = "{'minhash': {SOURCE, 'verify': {'field': 'fact', 'measure': 'facts'}}}";
        for (String source :
                List.of("'id': 'cave'", "'document': {'fact': 'Code de  cave 4711', 'lang': 'fr'}, 'boost': 1")) {
            Set<String> found = ids(french.replace("SOURCE", source), "facts");
            assertTrue(source + found, found.contains("code"));
        }
        String job = config("job-facts.json").replaceFirst("\\{", "{\"action\":\"tag\",");
        var response = run(job, 100, "facts");
        assertEquals(3, response.count("groups"));
        assertEquals(3, response.count("duplicates"));
    }

    public void testTheQuestionsOfABankAreToldApart() throws IOException {
        setUp("questions", config("pipeline-questions.json"));
        List<String> texts = new ArrayList<>();
        for (String text : List.of("A比B大10", "B比A小10", "小红买10本书", "小明买10本书", "今天空气温度为10度", "今天的空气温度为１０度。")) {
            texts.add("" + texts.size() / 2);
            texts.add(text);
        }
        for (BulkItemResponse item : send(0, "questions", "question", texts.toArray(String[]::new))) {
            assertFalse(item.getFailureMessage(), item.isFailed());
        }
        refresh("questions");
        Set<String> tagged = new TreeSet<>();
        for (SearchHit hit : client().prepareSearch("questions").get().getHits()) {
            if (hit.getSourceAsMap().containsKey("near_duplicate")) {
                tagged.add(hit.getId());
            }
        }
        assertEquals(Set.of("3", "5"), tagged);
        var response = run(config("job-questions.json"), 100, "questions");
        assertEquals(2, response.count("groups"));
        assertEquals(2, response.count("duplicates"));
    }

    private Set<String> ids(String query, String index) {
        Set<String> ids = new TreeSet<>();
        for (SearchHit hit :
                prepareSearch("{'query': " + query + "}", index).get().getHits()) {
            ids.add(hit.getId());
        }
        return ids;
    }
}
