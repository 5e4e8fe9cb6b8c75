/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.node.DuplicatesRun.Outcome;

/** Duplicates caught on one real node, before any refresh: each of them, nothing else, and nothing lost. */
@RealNodes(value = 1, takesLong = true)
class NearDuplicateIT {

    private static final int DOCUMENTS = 2_000;
    private static final int BULK = 250;
    private static final int MANY = Rounds.of(30_000, 65_000);
    private static final String REFUSED = "/_nodes/stats/breaker?filter_path=**.simhash.tripped";

    private final RestClient client;

    NearDuplicateIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    private Outcome run(String index, String action) throws InterruptedException, ExecutionException {
        var run = new DuplicatesRun(index, new PlantedDuplicates(DOCUMENTS, 1), BULK);
        run.prepare(client, 1, action);
        try {
            run.send(2, thread -> client, answered -> {});
            return run.check(client);
        } finally {
            run.remove(client);
        }
    }

    @Test
    void testEveryPlantedDuplicateIsTagged() throws InterruptedException, ExecutionException {
        Outcome outcome = run("near-tag", "tag");
        assertEquals(DOCUMENTS, outcome.stored(), outcome.toString());
        assertEquals(outcome.planted(), outcome.caught(), outcome.toString());
        assertTrue(outcome.tagged() >= outcome.planted(), "copies of one text may be near each other only: " + outcome);
        assertEquals(0, outcome.falseTags(), outcome.toString());
        assertTrue(outcome.planted() > DOCUMENTS / 6, outcome.toString());
    }

    @Test
    void testWhatIsDroppedHasAnOriginal() throws InterruptedException, ExecutionException {
        Outcome outcome = run("near-drop", "drop");
        assertEquals(DOCUMENTS, outcome.stored() + outcome.dropped(), outcome.toString());
        assertEquals(0, outcome.lost(), outcome.toString());
        assertEquals(outcome.planted(), outcome.caught(), outcome.toString());
        assertEquals(0, outcome.falseTags(), outcome.toString());
        assertTrue(outcome.dropped() > DOCUMENTS / 20, outcome.toString());
    }

    /** Its documents are decided on in rounds, so that it takes little more memory than a small one. */
    @Test
    void testABulkOfManySmallDocumentsPasses() {
        var run = new DuplicatesRun("near-many", new PlantedDuplicates(1, 1), 1);
        run.prepare(client, 1, 0, "drop", "");
        try {
            String refused = client.get(REFUSED).text();
            for (int some : List.of(MANY, MANY / 8)) {
                Answer answer =
                        client.must("POST", "/near-many/_bulk?filter_path=errors,items.*.error", smallDocuments(some));
                assertEquals(false, answer.at("errors"), answer.toString());
            }
            client.must("POST", "/near-many/_refresh", null);
            assertEquals(MANY, client.get("/near-many/_count").number("count"));
            assertEquals(refused, client.get(REFUSED).text());
        } finally {
            run.remove(client);
        }
    }

    private static String smallDocuments(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n{\"content\":\"");
            Random words = new Random(i);
            for (int word = 0; word < 6; word++) {
                lines.append(Long.toString(words.nextLong() >>> 24, 36)).append(' ');
            }
            lines.append("\"}\n");
        }
        return lines.toString();
    }
}
