/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Two indices with the same documents, as while one is built anew: none is a duplicate of itself. */
public class SameIdTests extends DeletingTestCase {

    private static final String NEWER = "copies-2";
    private static final String DELETE = "\"action\":\"delete\",\"verify\":false,\"archive\":false";

    private void fillBoth(long... bits) {
        for (String index : List.of(INDEX, NEWER)) {
            createIndex(
                    index, Settings.builder().put("index.number_of_shards", 2).build());
            for (int i = 0; i < bits.length; i++) {
                put(index, "" + (i + 1), bits[i]);
            }
        }
    }

    private JobResponse job(String json) throws IOException {
        return run("{" + json + "}", Float.POSITIVE_INFINITY, 100, INDEX, NEWER);
    }

    public void testADocumentIsNoDuplicateOfItself() throws IOException {
        fillBoth(0, 0xFF00, -1);
        for (String linkage : List.of("survivor", "chain")) {
            assertEquals(0, job("\"linkage\":\"" + linkage + "\"").count("duplicates"));
            assertEquals(0, job("\"linkage\":\"" + linkage + "\"," + DELETE).count("deleted"));
            assertEquals(
                    0, job("\"linkage\":\"" + linkage + "\",\"action\":\"tag\"").count("tagged"));
        }
        assertEquals(Set.of("1", "2", "3"), ids(NEWER));
        JobResponse duplicates = job("\"same_id\":\"duplicate\"," + DELETE);
        assertEquals(3, duplicates.count("deleted"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        assertEquals(Set.of(), ids(NEWER));
    }

    /** 1 and 2 are duplicates in both indices. */
    public void testOthersAreDuplicatesAcrossTheIndices() throws IOException {
        fillBoth(0, 1, -1);
        assertEquals(2, job(DELETE).count("deleted"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
        assertEquals(Set.of("1", "3"), ids(NEWER));
    }

    /** A later version of 1 has another duplicate, for which it survives. */
    public void testAVersionInAnotherIndexIsASurvivorItself() throws IOException {
        fillBoth(0);
        put(NEWER, "1", 0b111);
        put(NEWER, "9", 0b111111);
        assertEquals(1, job(DELETE).count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
        assertEquals(Set.of("1"), ids(NEWER));
    }
}
