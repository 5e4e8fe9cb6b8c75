/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

/** An archive that a pattern, a list or an alias meets takes no part in a job. */
public class ArchivesAreNoOriginalsTests extends DeletingTestCase {

    private static final String LEFT_OUT =
            "[" + REMOVED + "] is an archive of deleted documents, and left out: it takes part where it is named alone";

    /** The archive maps fingerprints, as a template for its name makes it. */
    private void archived() throws IOException {
        createIndex(REMOVED);
        fill(Settings.EMPTY);
        assertEquals(2, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
    }

    private void alias(AliasActions action) {
        client().admin().indices().prepareAliases().addAliasAction(action).get();
    }

    public void testAJobOverAPatternAListOrAnAliasLeavesItOut() throws IOException {
        archived();
        alias(AliasActions.add().index("copies*").alias("all"));
        for (String[] names : List.of(
                new String[] {"copies*"},
                new String[] {INDEX, REMOVED},
                new String[] {REMOVED, INDEX},
                new String[] {"all"},
                new String[] {"_all"},
                new String[] {"*"})) {
            for (String action : List.of("report", "tag")) {
                JobResponse response = run("{\"action\":\"" + action + "\"}", Float.POSITIVE_INFINITY, 100, names);
                assertEquals(2, response.count("documents"));
                assertEquals(0, response.count("groups"));
                assertEquals(List.of(LEFT_OUT), response.warnings());
            }
        }
        put(2, 0);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse deleted = run(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}",
                Float.POSITIVE_INFINITY,
                100,
                "copies*");
        assertEquals("into the archive that the pattern matches", 1, deleted.count("archived"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
    }

    public void testWhatIsComparedWithLeavesItOut() throws IOException {
        archived();
        createIndex("new");
        client().prepareIndex("new")
                .setId("n")
                .setSource(Map.of("simhash", given(-1)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        for (String names : List.of("copies*", REMOVED + "," + INDEX)) {
            String job = "{\"against\":{\"index\":\"" + names + "\"},\"action\":\"";
            JobResponse response = run(
                    job + "delete\",\"verify\":false,\"archive\":" + ARCHIVE + ",\"query\":{\"ids\":{\"values\":[]}}}",
                    Float.POSITIVE_INFINITY,
                    100,
                    "new");
            assertEquals(2, response.count("documents"));
            assertEquals(List.of(LEFT_OUT), response.warnings());
            response = run(job + "report\"}", Float.POSITIVE_INFINITY, 100, "new", REMOVED);
            assertEquals(3, response.count("documents"));
            assertEquals("once", List.of(LEFT_OUT), response.warnings());
        }
        JobResponse alone = run("{\"against\":{\"index\":\"" + REMOVED + "\"}}", Float.POSITIVE_INFINITY, 100, "new");
        assertEquals(3, alone.count("documents"));
        assertEquals(List.of(), alone.warnings());
    }

    /** It is made after the names were looked at, and before the documents are. */
    public void testAnArchiveThatAppearsMeanwhileIsLeftOut() throws IOException {
        fill(Settings.EMPTY);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.set(request -> {
            if (request instanceof CreatePitRequest && isFirst.getAndSet(false)) {
                assertAcked(client().admin()
                        .indices()
                        .prepareCreate(REMOVED)
                        .setMapping("simhash_archive.run", "type=keyword"));
                for (int i = 1; i <= 4; i++) {
                    client().prepareIndex(REMOVED)
                            .setId("" + i)
                            .setSource(Map.of("simhash", given(0)))
                            .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                            .get();
                }
            }
            return null;
        });
        JobResponse response = run("{\"action\":\"tag\"}", Float.POSITIVE_INFINITY, 100, "copies*");
        assertEquals(4, response.count("documents"));
        assertEquals(2, response.count("tagged"));
        assertEquals(List.of(LEFT_OUT), response.warnings());
    }

    public void testNamedAloneItIsReported() throws IOException {
        archived();
        alias(AliasActions.add().index(REMOVED).alias("only-removed"));
        for (String name : List.of(REMOVED, "only-removed")) {
            JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, name);
            assertEquals(2, response.count("documents"));
            assertEquals(List.of(), response.warnings());
        }
        Exception e = expectThrows(
                IllegalArgumentException.class, () -> run("{}", Float.POSITIVE_INFINITY, 100, "copies-r*"));
        assertEquals(
                "[index] must name an archive alone, got: copies-r*, which is nothing but [" + REMOVED + "]",
                e.getMessage());
    }

    public void testAFilteredAliasStaysFilteredOrIsRefused() throws IOException {
        archived();
        alias(AliasActions.add()
                .index(INDEX)
                .alias("first")
                .filter(QueryBuilders.idsQuery().addIds("1")));
        JobResponse response = run("{}", Float.POSITIVE_INFINITY, 100, "first", REMOVED);
        assertEquals(1, response.count("documents"));
        assertEquals(List.of(LEFT_OUT), response.warnings());
        alias(AliasActions.add()
                .index(REMOVED)
                .alias("first")
                .filter(QueryBuilders.idsQuery().addIds("1")));
        Exception e =
                expectThrows(IllegalArgumentException.class, () -> run("{}", Float.POSITIVE_INFINITY, 100, "first"));
        assertEquals(
                "[index] must not be an alias with a filter or routing that has an archive, got: first, which has ["
                        + REMOVED + "]",
                e.getMessage());
    }
}
