/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;

/** Which stored documents a setup runs through the pipeline, with mappings and pipelines that were there before. */
public class SetupClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years. Trip ";

    private Map<String, Object> setup(String index, String body) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, body.replace('\'', '"'))) {
            WritePace pace = new WritePace(Float.POSITIVE_INFINITY, 100);
            return client().execute(
                            SetupAction.INSTANCE, SetupAction.Request.fromXContent(new String[] {index}, parser, pace))
                    .actionGet()
                    .asMap();
        }
    }

    private static Map<?, ?> update(Map<String, Object> answer) {
        return ((List<?>) answer.get("steps"))
                .stream()
                        .map(step -> (Map<?, ?>) step)
                        .filter(step -> step.get("what").equals("update"))
                        .findFirst()
                        .orElseThrow();
    }

    private static void assertOk(Map<String, Object> answer, int fingerprinted) {
        Map<?, ?> check = (Map<?, ?>) answer.get("check");
        assertEquals("" + check, "ok", check.get("status"));
        assertEquals(fingerprinted, check.get("fingerprinted"));
    }

    private void fill(String index) {
        Map<String, Map<String, Object>> documents = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            documents.put("d" + i, Map.of("body", TEXT + i, "title", "Another text of a few words " + i));
        }
        putAll(index, documents);
    }

    /** A dynamic mapping makes a text of the scheme, with a sub-field. */
    public void testAChangedRecipeIsMadeAgainWhereTheSchemeIsAText() throws IOException {
        pipeline("scheme-text", "{'processors': [{'simhash': {'field': 'body', 'ignore_missing': true}}]}");
        smallIndex("scheme-text", "index.default_pipeline", "scheme-text");
        fill("scheme-text");
        String wider = "{'processor': {'max_shingle_size': 3}, 'apply': true}";
        Map<String, Object> changed = setup("scheme-text", wider);
        assertEquals(6, update(changed).get("updated"));
        assertOk(changed, 6);
        assertEquals(true, update(setup("scheme-text", wider)).get("done"));
    }

    /** Other fields make the same scheme, which does not tell what is left to do. */
    public void testAnEndedChangeOfTheFieldIsResumed() throws IOException {
        smallIndex("ended");
        fill("ended");
        assertOk(setup("ended", "{'field': 'body', 'apply': true}"), 6);
        String there = "'ignore_missing': true, 'ignore_failure': true";
        pipeline("fingerprint-ended", "{'processors': [{'simhash': {'field': 'title', " + there + "}}]}");
        Map<String, Object> resumed = setup("ended", "{'field': 'title', 'apply': true}");
        assertEquals(6, update(resumed).get("updated"));
        assertOk(resumed, 6);
        assertEquals(
                true,
                update(setup("ended", "{'field': 'title', 'apply': true}")).get("done"));
    }

    /** One index maps the text, the other one leaves it out. */
    public void testAnAliasIsUpdatedAsAWhole() throws IOException {
        for (String mapped : List.of("whole-a", "whole-b")) {
            for (String index : List.of("whole-a", "whole-b")) {
                String text = "{'properties': {'body': {'type': 'text'}}}";
                newIndex(index, index.equals(mapped) ? text : "{'dynamic': 'false'}", 1, 0);
                client().admin()
                        .indices()
                        .prepareAliases()
                        .addAlias(index, "whole")
                        .get();
                fill(index);
            }
            Map<String, Object> done = setup("whole", "{'field': 'body', 'apply': true}");
            assertEquals(12, update(done).get("updated"));
            assertOk(done, 12);
            client().admin().indices().prepareDelete("whole-a", "whole-b").get();
        }
    }

    /** The pipeline alone would fingerprint what the condition leaves out. */
    public void testAConditionAroundTheCallIsAnObstacle() throws IOException {
        pipeline("called", "{'processors': [{'simhash': {'field': 'body', 'ignore_missing': true}}]}");
        pipeline("calling", "{'processors': [{'pipeline': {'name': 'called', 'if': 'ctx.lang != null'}}]}");
        smallIndex("calls", "index.default_pipeline", "calling");
        fill("calls");
        for (String body : List.of("{}", "{'apply': true}")) {
            Exception refused = expectThrows(IllegalArgumentException.class, () -> setup("calls", body));
            assertEquals(
                    "[index] must have no condition around the call of the pipeline that writes [simhash], got: calls"
                            + " with [called]: move the condition to its processor",
                    refused.getMessage());
        }
        pipeline(
                "called",
                "{'processors': [{'simhash': {'field': 'body', 'ignore_missing': true, 'if': 'ctx.lang != null'}}]}");
        pipeline("calling", "{'processors': [{'pipeline': {'name': 'called'}}]}");
        assertOk(setup("calls", "{'apply': true}"), 0);
    }
}
