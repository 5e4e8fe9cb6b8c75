/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Jobs over several indices of which one takes no writes: its documents count, and stay as they are. */
public class ReadOnlyIndicesTests extends DeletingTestCase {

    private static final String NEW = "copies-new";
    private static final String DELETE = "\"action\":\"delete\",\"verify\":false,\"archive\":false";
    private static final String WARNING =
            "[duplicates in read-only or write-blocked indices are left as they are: [copies]]";

    /** The survivor is in the old index by default, in the new one with this. */
    private static final String NEWEST = ",\"survivor\":[{\"field\":\"_id\",\"order\":\"desc\"}]";

    private String block = "index.blocks.write";

    private void create() {
        for (String index : List.of(INDEX, NEW)) {
            client().admin()
                    .indices()
                    .prepareCreate(index)
                    .setMapping("simhash.group", "type=keyword", "simhash.duplicate_of", "type=keyword")
                    .get();
        }
        put(INDEX, "1", 0);
        put(NEW, "2", 0);
        block(true, INDEX);
    }

    private void block(boolean isBlocked, String... indices) {
        client().admin()
                .indices()
                .prepareUpdateSettings(indices)
                .setSettings(Settings.builder().put(block, isBlocked))
                .get();
    }

    @Override
    public void tearDown() throws Exception {
        block(false, INDEX, NEW);
        super.tearDown();
    }

    private JobResponse job(String options) throws IOException {
        JobResponse response = run("{" + options + "}", Float.POSITIVE_INFINITY, 100, INDEX, NEW);
        assertEquals(response.toString(), List.of(), response.failures());
        assertEquals(WARNING, response.warnings().toString());
        return response;
    }

    private static List<Long> counts(JobResponse response) {
        return List.of(response.count("deleted"), response.count("tagged"), response.count("read_only"));
    }

    private Object duplicateOf(String index, String id) {
        return ((Map<?, ?>)
                        client().prepareGet(index, id).get().getSourceAsMap().get("simhash"))
                .get("duplicate_of");
    }

    public void testADuplicateEndsForASurvivorThere() throws IOException {
        create();
        assertEquals(List.of(1L, 0L, 0L), counts(job(DELETE)));
        assertEquals(Set.of("1"), ids(INDEX));
        assertEquals(Set.of(), ids(NEW));
    }

    public void testADuplicateThereStays() throws IOException {
        create();
        put(NEW, "3", 0);
        assertEquals(List.of(1L, 0L, 1L), counts(job(DELETE + NEWEST)));
        assertEquals(Set.of("1"), ids(INDEX));
        assertEquals(Set.of("3"), ids(NEW));
    }

    public void testTags() throws IOException {
        block = "index.blocks.read_only";
        create();
        assertEquals(List.of(0L, 1L, 0L), counts(job("\"action\":\"tag\"")));
        assertEquals("1", duplicateOf(NEW, "2"));
        assertEquals(List.of(0L, 0L, 1L), counts(job("\"action\":\"tag\"" + NEWEST)));
        assertNull(duplicateOf(NEW, "2"));
        assertNull(duplicateOf(INDEX, "1"));
        JobResponse again = job("\"action\":\"tag\",\"groups\":\"all\"" + NEWEST);
        assertEquals(0, again.count("groups_new"));
    }

    private void put(String index, String id, long bits, String group) {
        Map<String, Object> print = new HashMap<>(given(bits));
        print.put("group", group);
        client().prepareIndex(index)
                .setId(id)
                .setSource(Map.of("simhash", print))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private Object group(String index, String id) {
        return ((Map<?, ?>)
                        client().prepareGet(index, id).get().getSourceAsMap().get("simhash"))
                .get("group");
    }

    /** It keeps its id, because nobody can take it away: others that have it get another one. */
    public void testADocumentThereKeepsTheIdOfItsStory() throws IOException {
        for (String index : List.of(INDEX, NEW)) {
            client().admin()
                    .indices()
                    .prepareCreate(index)
                    .setMapping("simhash.group", "type=keyword", "simhash.duplicate_of", "type=keyword")
                    .get();
        }
        put(INDEX, "first", 0xFF, null);
        put(INDEX, "alone", 0, "one");
        put(INDEX, "single", 0xFF00FF00FF00FFL, "two");
        put(NEW, "younger", -1, "one");
        put(NEW, "a", 0xFFFF0000FFFF0000L, "two");
        put(NEW, "b", 0xFFFF0000FFFF0000L, "two");
        block(true, INDEX);
        job("\"action\":\"tag\",\"groups\":\"all\"");
        assertEquals("one", group(INDEX, "alone"));
        assertNotEquals("one", group(NEW, "younger"));
        assertEquals("two", group(INDEX, "single"));
        assertNotEquals("two", group(NEW, "a"));
        assertEquals(group(NEW, "a"), group(NEW, "b"));
    }

    /** Once, when the block is gone: until then a run looks at nothing that the last one has seen. */
    public void testWhatWasLeftThereIsNewWhenTheBlockIsGone() throws IOException {
        create();
        String options = DELETE + NEWEST + ",\"dest\":{\"index\":\"groups\"},\"new_since\":\"last\"";
        assertEquals(List.of(0L, 0L, 1L), counts(job(options)));
        assertEquals(0, job(options).count("groups"));
        block(false, INDEX);
        assertEquals(List.of(1L, 0L, 0L), counts(run("{" + options + "}", Float.POSITIVE_INFINITY, 100, INDEX, NEW)));
        assertEquals(Set.of(), ids(INDEX));
        assertEquals(Set.of("2"), ids(NEW));
        put(INDEX, "3", -1);
        put(INDEX, "4", -1);
        assertEquals(
                1,
                run("{" + options + "}", Float.POSITIVE_INFINITY, 100, INDEX, NEW)
                        .count("groups"));
        assertEquals(
                0,
                run("{" + options + "}", Float.POSITIVE_INFINITY, 100, INDEX, NEW)
                        .count("groups"));
    }

    /** Its survivor cannot be tagged, and is not gone. */
    public void testAGroupWithASurvivorThereIsNotNewToEachRun() throws IOException {
        create();
        put(NEW, "3", 0);
        String options = "\"action\":\"tag\",\"dest\":{\"index\":\"groups\"},\"new_since\":\"last\"";
        assertEquals(List.of(0L, 2L, 0L), counts(job(options)));
        job(options); // which sees the tags
        assertEquals(0, job(options).count("groups"));
        block(false, INDEX);
        client().prepareDelete(INDEX, "1")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        block(true, INDEX);
        assertEquals(1, job(options).count("groups"));
        assertNull(duplicateOf(NEW, "2"));
        assertEquals("2", duplicateOf(NEW, "3"));
    }

    public void testNoneIsWritable() {
        create();
        block(true, NEW);
        expectThrows(ClusterBlockException.class, () -> job(DELETE));
    }
}
