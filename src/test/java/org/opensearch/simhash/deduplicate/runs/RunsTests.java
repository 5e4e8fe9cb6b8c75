/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.DeletingTestCase;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.restore.RestoreAction;

/** Which runs an archive has copies of, and whether they were restored. */
public class RunsTests extends DeletingTestCase {

    private RunsAction.Response runs(String... archive) throws IOException {
        RunsAction.Response response = client().execute(RunsAction.INSTANCE, new RunsAction.Request(archive))
                .actionGet();
        RunsAction.Response copy = copyWriteable(response, writableRegistry(), RunsAction.Response::new);
        assertEquals(response.runs(), copy.runs());
        assertEquals(response.warnings(), copy.warnings());
        return response;
    }

    private JobResponse restore(String run) {
        return client().execute(
                        RestoreAction.INSTANCE,
                        new RestoreAction.Request(new String[] {INDEX}, run, REMOVED, WritePace.of(-1, 100)))
                .actionGet();
    }

    public void testRunsAreListedWithWhatBecameOfThem() throws IOException {
        fill(Settings.EMPTY);
        long start = System.currentTimeMillis();
        String first = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<ArchivedRun> listed = runs(REMOVED).runs();
        assertEquals(1, listed.size());
        ArchivedRun run = listed.getFirst();
        assertEquals(first, run.run());
        assertEquals(2, run.copies());
        assertEquals(List.of(INDEX), run.indices());
        assertTrue(run.archivedAt() >= start && run.archivedAt() <= System.currentTimeMillis());
        assertEquals(-1, run.restoredAt());
        assertTrue(Strings.toString(MediaTypeRegistry.JSON, run).contains("\"restored\":false"));

        assertEquals(2, restore(first).count("restored"));
        client().prepareDelete(INDEX, "2").get();
        assertEquals(1, restore(first).count("restored"));
        ArchivedRun restored = runs(REMOVED).runs().getFirst();
        assertTrue(restored.restoredAt() >= run.archivedAt());
        assertEquals("by both restores", 3, restored.restored());
        assertEquals("the note is no copy", 2, restored.copies());
        assertTrue(
                Strings.toString(MediaTypeRegistry.JSON, restored).contains("\"restored\":true,\"restored_at\":\"2"));

        put(2, -1L);
        client().admin().indices().prepareRefresh(INDEX).get();
        String second = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).run();
        List<ArchivedRun> both = runs("copies-r*").runs();
        assertEquals(
                "the latest first",
                List.of(second, first),
                both.stream().map(ArchivedRun::run).toList());
        assertEquals(
                "copies that the second run made of the same documents have other ids",
                2,
                both.getFirst().copies());
        assertEquals(-1, both.getFirst().restoredAt());
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
                List.of(new ArchivedRun("r", -1, 2, List.of(INDEX), -1, 0, null)),
                runs(REMOVED).runs());
    }

    public void testWhatIsNoArchiveIsNamed() throws IOException {
        fill(Settings.EMPTY);
        RunsAction.Response response = runs("copies*");
        assertEquals(List.of(), response.runs());
        assertEquals(
                List.of("[copies] is no archive: it does not find [simhash_archive.run] and [simhash_archive.index]"
                        + " as a whole"),
                response.warnings());
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
            ArchivedRun listed = runs(REMOVED).runs().getFirst();
            assertEquals(2, listed.copies());
            assertTrue(
                    listed.error(),
                    listed.error()
                            .startsWith("[simhash_restored] of [restored/" + run
                                    + "] must be an object with [at] and [documents], which are not negative, got: "));
            String json = Strings.toString(MediaTypeRegistry.JSON, listed);
            assertTrue(json, json.contains("\"error\":"));
            assertFalse(json, json.contains("\"restored\":"));
        }
        JobResponse restored = restore(run);
        assertEquals(2, restored.count("restored"));
        assertEquals("the note stays as it is", 1, restored.warnings().size());
    }
}
