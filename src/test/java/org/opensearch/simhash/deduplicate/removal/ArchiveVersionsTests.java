/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.deduplicate.DeduplicateResponse;
import org.opensearch.simhash.deduplicate.DeletingTestCase;
import org.opensearch.simhash.deduplicate.RequestHook;

/** What an archive has under the id of a document already: an earlier version, or what a run has left that ended early. */
public class ArchiveVersionsTests extends DeletingTestCase {

    private static final String OLDER = REMOVED + "-1";
    private static final String WRITTEN = REMOVED + "-2";

    private void rolledOver() {
        createIndex(OLDER);
        createIndex(WRITTEN);
        client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(AliasActions.add().index(OLDER).alias(REMOVED))
                .addAliasAction(AliasActions.add().index(WRITTEN).alias(REMOVED).writeIndex(true))
                .get();
    }

    private void endsEarly() {
        RequestHook.onBulks(request -> {
            if (request.requests().getFirst().index().equals(INDEX)) {
                throw new IllegalStateException("the end");
            }
        });
        expectThrows(IllegalStateException.class, () -> delete(Float.POSITIVE_INFINITY, 100, ARCHIVE));
        RequestHook.clear();
    }

    public void testAnAliasOfSeveralIndicesTakesOverWhatWasLeft() throws IOException {
        rolledOver();
        fill(Settings.EMPTY);
        endsEarly();
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        assertEquals(2, response.count("deleted"));
        assertEquals(Set.of("1", "3"), ids(INDEX));
        assertEquals(Set.of("2", "4"), ids(WRITTEN));
        assertEquals(Set.of(), ids(OLDER));
    }

    public void testAnAliasOfSeveralIndicesKeepsEarlierVersions() throws IOException {
        rolledOver();
        fill(Settings.EMPTY);
        delete(Float.POSITIVE_INFINITY, 100, ARCHIVE);
        put(2, 1);
        client().admin().indices().prepareRefresh(INDEX).get();
        assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        assertEquals(3, ids(WRITTEN).size());
    }

    public void testNothingIsCopiedWhereNobodyKnowsWhetherAnIdIsFree() throws IOException {
        createIndex(REMOVED, Settings.builder().put("index.blocks.read", true).build());
        fill(Settings.EMPTY);
        AtomicInteger bulks = new AtomicInteger();
        RequestHook.onBulks(request -> bulks.incrementAndGet());
        String answer = delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).toString();
        assertTrue(answer, answer.contains("[archive] cannot be read: "));
        assertEquals(0, bulks.get());
    }

    public void testVersionsOfLongIdsHaveIdsThatAreNotTooLong() throws IOException {
        String id = "x".repeat(510);
        for (int version = 0; version < 2; version++) {
            for (String each : Set.of("1", id)) {
                client().prepareIndex(INDEX)
                        .setId(each)
                        .setSource(Map.of("simhash", given(version)))
                        .get();
            }
            client().admin().indices().prepareRefresh(INDEX).get();
            assertEquals(1, delete(Float.POSITIVE_INFINITY, 100, ARCHIVE).count("deleted"));
        }
        assertEquals(Set.of(510, 64), ids(REMOVED).stream().map(String::length).collect(Collectors.toSet()));
    }
}
