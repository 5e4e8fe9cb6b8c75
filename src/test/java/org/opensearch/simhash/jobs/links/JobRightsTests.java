/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;

/** What an action filter that knows the caller's rights sees of a job: its indices, and no others. */
public class JobRightsTests extends DeletingTestCase {

    /** A point in time names no index in its searches, and no index is all indices. */
    public void testSearchesAndPassesNameTheIndicesOfTheJob() throws IOException {
        fill(Settings.EMPTY);
        createIndex("theirs");
        Set<List<String>> searched = ConcurrentHashMap.newKeySet();
        Set<List<String>> passed = ConcurrentHashMap.newKeySet();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search) {
                searched.add(List.of(search.indices()));
            } else if (request instanceof PairsAction.Request pass) {
                passed.add(List.of(pass.indices()));
            }
            return null;
        });
        assertEquals(2, run("{}", Float.POSITIVE_INFINITY, 100, "cop*").count("groups"));
        assertEquals(Set.of(List.of(INDEX)), searched);
        assertEquals(Set.of(List.of(INDEX)), passed);
    }

    /** It would take what is left for all there is, and what is near the rest for no duplicate. */
    public void testAPassThatMayNotReadAllIndicesIsRefused() throws IOException {
        fill(Settings.EMPTY);
        client().prepareIndex("theirs")
                .setId("5")
                .setSource(Map.of("simhash", given(0)))
                .get();
        client().admin().indices().prepareRefresh("theirs").get();
        assertEquals(3, run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "theirs").count("duplicates"));
        RequestHook.set(request -> {
            if (request instanceof PairsAction.Request pass) {
                ((IndicesRequest.Replaceable) pass).indices(INDEX);
            }
            return null;
        });
        Throwable e = ExceptionsHelper.unwrapCause(
                expectThrows(Exception.class, () -> run("{}", Float.POSITIVE_INFINITY, 100, INDEX, "theirs")));
        assertEquals(
                "[indices:data/read/simhash/pairs] must be permitted on all indices of the job, got: none on [theirs]",
                e.getMessage());
        assertEquals(RestStatus.FORBIDDEN, ExceptionsHelper.status(e));
    }
}
