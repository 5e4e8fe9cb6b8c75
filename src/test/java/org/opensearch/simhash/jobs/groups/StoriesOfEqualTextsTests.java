/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Equal texts are one story, however many they are, and a story that is split says so. */
public class StoriesOfEqualTextsTests extends DeletingTestCase {

    private void fill(int from, int to, long bits, String scheme, String digest) {
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int id = from; id < to; id++) {
            Map<String, Object> print =
                    Map.of("hash", given(bits).get("hash"), "bits", bits, "scheme", scheme, "digest", digest);
            bulk.add(client().prepareIndex(INDEX).setId("" + id).setSource(Map.of("simhash", print)));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private JobResponse job(String options) throws IOException {
        return run("{" + options + "}", Float.POSITIVE_INFINITY, 1_000);
    }

    private static List<Long> counts(JobResponse response) {
        return List.of(response.count("groups"), response.count("largest_group"), response.count("split_groups"));
    }

    public void testEqualTextsAreOneStory() throws IOException {
        fill(0, 2_500, 0, "given-a", "one");
        JobResponse response = job("\"max_group_size\":2");
        assertEquals(response.toString(), List.of(1L, 2_500L, 0L), counts(response));
        assertFalse(response.warnings().toString().contains("max_group_size"));
        assertEquals(List.of(1L, 2_500L, 0L), counts(job("\"max_group_size\":1000,\"linkage\":\"chain\"")));
    }

    public void testEqualTextsOfSeveralSchemesAreOneStory() throws IOException {
        fill(0, 10, 0, "given-a", "one");
        fill(10, 20, -1, "given-b", "one");
        assertEquals(List.of(1L, 20L, 0L), counts(job("\"max_group_size\":5")));
        assertEquals(List.of(1L, 20L, 0L), counts(job("\"max_group_size\":5,\"linkage\":\"chain\"")));
    }

    public void testAStoryThatIsSplitSaysSo() throws IOException {
        fill(0, 3, 0, "given-a", "one");
        fill(3, 6, 1, "given-a", "two");
        for (String linkage : List.of("survivor", "chain")) {
            JobResponse response = job("\"max_group_size\":2,\"linkage\":\"" + linkage + "\"");
            assertEquals(response.toString(), List.of(2L, 3L, 1L), counts(response));
            assertEquals(
                    "[[max_group_size] 2 has split 1 groups: what is left of each is in groups of its own]",
                    response.warnings().toString());
        }
        assertEquals(List.of(1L, 6L, 0L), counts(job("")));
    }
}
