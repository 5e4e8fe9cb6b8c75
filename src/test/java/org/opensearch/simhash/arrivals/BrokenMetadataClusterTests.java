/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexingPressureService;

/** OpenSearch cannot read a document after its pipeline: that document fails, and every bulk is answered. */
public class BrokenMetadataClusterTests extends NearDuplicateClusterTestCase {

    private static final Map<String, Object> BROKEN = Map.of("broken", true);

    private List<Long> pressures;

    @Before
    public void note() {
        pressures = pressures();
    }

    @After
    public void nothingIsHeld() {
        assertNothingHeld();
        assertEquals(pressures, pressures());
    }

    /** Bytes of bulks under way by node. OpenSearch keeps those of bulks that another class broke. */
    private static List<Long> pressures() {
        return Arrays.stream(internalCluster().getNodeNames())
                .map(name -> internalCluster()
                        .getInstance(IndexingPressureService.class, name)
                        .nodeStats()
                        .getCurrentCombinedCoordinatingAndPrimaryBytes())
                .toList();
    }

    private void script(String script, String options) {
        processors("{'script': {'if': 'ctx.broken == true', 'source': '" + script + "'}}, {'near_duplicate': {"
                + options + "}}");
    }

    public void testItIsThatDocumentsFailure() {
        index(DOCS, 1);
        Map<String, String> messages = Map.ofEntries(
                Map.entry("ctx._routing = 7", "[_routing] must be a string, got: 7"),
                Map.entry("ctx._id = 7", "[_id] must be a string, got: 7"),
                Map.entry("ctx._index = 7", "[_index] must be a string, got: 7"),
                Map.entry(
                        "ctx.remove(\\'_index\\')", "[_index] must be the index that the document goes to, got: null"),
                Map.entry("ctx._version = \\'x\\'", "[_version] must be a number, got: x"),
                Map.entry(
                        "ctx._version_type = \\'x\\'",
                        "[_version_type] must be internal, external or external_gte, got: x"),
                Map.entry(
                        "ctx._version_type = 7", "[_version_type] must be internal, external or external_gte, got: 7"),
                Map.entry("ctx._if_seq_no = -1", "[_if_seq_no] must be a number of at least 0, got: -1"),
                Map.entry(
                        "ctx._if_primary_term = \\'x\\'", "[_if_primary_term] must be a number of at least 0, got: x"),
                Map.entry("ctx.a = [1: 2]", "[a] must be a value that can be written as JSON, got: "),
                Map.entry("ctx.a = [new StringBuffer()]", "[a] must be a value that can be written as JSON, got: "));
        messages.forEach((script, message) -> {
            script(script, "");
            for (boolean alone : List.of(true, false)) {
                BulkResponse response =
                        alone ? send(DOCS, ordered("0", BROKEN)) : send(DOCS, ordered("0", BROKEN, "1", print(0b1)));
                BulkItemResponse failed = response.getItems()[0];
                assertTrue(script, failed.isFailed());
                assertEquals(RestStatus.BAD_REQUEST, failed.status());
                assertTrue(
                        failed.getFailureMessage(), failed.getFailureMessage().contains(message));
                if (alone == false) {
                    assertIndexed(response.getItems()[1]);
                }
            }
        });
    }

    public void testNamesThatAreNoStringsAreThatDocumentsFailure() {
        index(DOCS, 1);
        script("ctx[5] = \\'x\\'", "");
        BulkResponse response = send(DOCS, ordered("0", BROKEN, "1", print(0b1)));
        assertTrue(response.getItems()[0].getFailureMessage().contains("names of fields must be strings, got: 5"));
        assertIndexed(response.getItems()[1]);
        script("ctx[5] = \\'x\\'", "'ignore_failure': true");
        assertIndexed(send(DOCS, ordered("0", BROKEN, "1", print(0b1))));
    }

    /** The repaired document is indexed. */
    public void testAFailureThatIsIgnored() {
        index(DOCS, 1);
        for (String script :
                List.of("ctx._routing = 7", "ctx._version = \\'x\\'", "ctx._version_type = 7", "ctx.a = [1: 2]")) {
            script(script, "'ignore_failure': true");
            assertIndexed(send(DOCS, ordered("0", BROKEN, "1", print(0b1))));
            assertFalse(stored(DOCS).get("0").containsKey("a"));
        }
    }

    public void testWhatIsUnusualAndRight() {
        index(DOCS, 1);
        for (String script : List.of(
                "ctx.remove(\\'_version\\')",
                "ctx.a = new BigDecimal(\\'1.5\\')",
                "ctx.a = new HashSet([1, 2])",
                "ctx.a = ZonedDateTime.parse(\\'2020-01-01T00:00:00Z\\')")) {
            script(script, "");
            client().admin().indices().prepareDelete(DOCS).get();
            assertIndexed(send(DOCS, ordered("0", BROKEN, "1", print(0b1))));
        }
    }
}
