/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.restore.RestoreAction;

/** Which runs an archive has copies of, and whether they were restored. */
public class RunsTests extends DeletingTestCase {

    private Map<String, Object> listing(String... archive) {
        return client().execute(RunsAction.INSTANCE, new RunsAction.Request(archive))
                .actionGet()
                .asMap();
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> runs(String... archive) throws IOException {
        return (List<Map<String, Object>>) listing(archive).get("runs");
    }

    private JobResponse restore(String run) {
        return client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(
                                new String[] {INDEX}, run, REMOVED, null, new WritePace(Float.POSITIVE_INFINITY, 100)))
                .actionGet();
    }

    public void testRunsAreListedWithWhatBecameOfThem() throws IOException {
        fill(Settings.EMPTY);
        long start = System.currentTimeMillis();
        String first = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<Map<String, Object>> listed = runs(REMOVED);
        assertEquals(1, listed.size());
        Map<String, Object> run = listed.getFirst();
        assertEquals(first, run.get("run"));
        assertEquals(2, run.get("copies"));
        assertEquals(List.of(INDEX), run.get("indices"));
        Instant archivedAt = Instant.parse((String) run.get("archived_at"));
        assertTrue(archivedAt.toEpochMilli() >= start && archivedAt.isAfter(Instant.now()) == false);
        assertEquals(false, run.get("restored"));
        assertFalse(run.containsKey("restored_at"));

        assertEquals(2, restore(first).count("restored"));
        client().prepareDelete(INDEX, "2").get();
        assertEquals(1, restore(first).count("restored"));
        Map<String, Object> restored = runs(REMOVED).getFirst();
        assertEquals(true, restored.get("restored"));
        assertFalse(Instant.parse((String) restored.get("restored_at")).isBefore(archivedAt));
        assertEquals("by both restores", 3, restored.get("restored_documents"));
        assertEquals("the note is no copy", 2, restored.get("copies"));

        put(2, -1L);
        client().admin().indices().prepareRefresh(INDEX).get();
        String second = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<Map<String, Object>> both = runs("copies-r*");
        assertEquals(
                "the latest first",
                List.of(second, first),
                both.stream().map(one -> one.get("run")).toList());
        assertEquals(
                "copies that the second run made of the same documents have other ids",
                2,
                both.getFirst().get("copies"));
        assertEquals(false, both.getFirst().get("restored"));
    }

    /** What it asks for ends when somebody cancels it. */
    public void testItsRequestsAreItsChildren() throws IOException {
        fill(Settings.EMPTY);
        delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        Map<String, Boolean> haveParents = new ConcurrentHashMap<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest || request instanceof MultiGetRequest) {
                haveParents.put(
                        request.getClass().getSimpleName(),
                        request.getParentTask().isSet());
            }
            return null;
        });
        assertEquals(1, runs(REMOVED).size());
        assertEquals(Map.of("SearchRequest", true, "MultiGetRequest", true), haveParents);
    }

    /** By a program that copies an archive, into an index with a mapping of its own making. */
    public void testAReindexedArchiveIsListed() throws IOException {
        for (int id = 1; id <= 2; id++) {
            Map<String, Object> origin = Map.of("run", "r", "index", INDEX, "id", "" + id);
            client().prepareIndex(REMOVED)
                    .setSource(Map.of("simhash_archive", origin))
                    .get();
        }
        client().admin().indices().prepareRefresh(REMOVED).get();
        assertEquals(
                List.of(Map.of("run", "r", "copies", 2, "indices", List.of(INDEX), "restored", false)), runs(REMOVED));
    }

    public void testWhatIsNoArchiveIsNamed() throws IOException {
        fill(Settings.EMPTY);
        Map<String, Object> response = listing("copies*");
        assertEquals(List.of(), response.get("runs"));
        assertEquals(
                List.of("[copies] is no archive: it does not find [simhash_archive.run] and [simhash_archive.index]"
                        + " as a whole"),
                response.get("warnings"));
        expectThrows(IndexNotFoundException.class, () -> runs("nowhere"));
    }

    /** What cannot be noted is told, and takes nothing back. */
    public void testARestoreFromABlockedArchiveWarns() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        client().admin()
                .indices()
                .prepareUpdateSettings(REMOVED)
                .setSettings(Settings.builder().put("index.blocks.write", true))
                .get();
        JobResponse response = restore(run);
        assertEquals(2, response.count("restored"));
        assertEquals(0, response.failures().size());
        assertEquals(1, response.warnings().size());
        assertEquals(Set.of("1", "2", "3", "4"), ids(INDEX));
    }

    public void testABrokenNoteIsAnErrorOfItsRun() throws IOException {
        fill(Settings.EMPTY);
        String run = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        for (Object note : List.of("x", List.of(1), Map.of(), Map.of("at", -5, "documents", 2), Map.of("at", 5))) {
            client().prepareIndex(REMOVED)
                    .setId("restored/" + run)
                    .setSource(Map.of("simhash_restored", note))
                    .get();
            client().admin().indices().prepareRefresh(REMOVED).get();
            Map<String, Object> listed = runs(REMOVED).getFirst();
            assertEquals(2, listed.get("copies"));
            String error = (String) listed.get("error");
            assertTrue(
                    error,
                    error.startsWith("[simhash_restored] of [restored/" + run
                            + "] must be an object with [at] and [documents], which are not negative, got: "));
            assertFalse("unknown", listed.containsKey("restored"));
        }
        JobResponse restored = restore(run);
        assertEquals(2, restored.count("restored"));
        assertEquals("the note stays as it is", 1, restored.warnings().size());
    }
}
