/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.MockSearchService;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;

/** Searches that take long are shared out among threads, wherever in the search the query is. */
@OwnNodes
public class LongSearchClusterTests extends SimHashClusterTestCase {

    private static final int DOCUMENTS = 5000;

    /** As many times {@link #DOCUMENTS} as make a search long. */
    private static final int TIMES = 1000;

    private static final String FEW = "few";

    /** Shows each Lucene leaf of an index many times. */
    public static final class ManyTimes extends Plugin {
        @Override
        public void onIndexModule(IndexModule module) {
            if (module.getIndex().getName().equals(FEW) == false) {
                module.setReaderWrapper(index -> RepeatedReader::new);
            }
        }
    }

    private static final class RepeatedReader extends FilterDirectoryReader {

        RepeatedReader(DirectoryReader reader) throws IOException {
            super(reader, new SubReaderWrapper() {
                @Override
                protected LeafReader[] wrap(List<? extends LeafReader> leaves) {
                    List<LeafReader> repeated = new ArrayList<>();
                    for (int i = 0; i < TIMES; i++) {
                        repeated.addAll(leaves);
                    }
                    return repeated.toArray(LeafReader[]::new);
                }

                @Override
                public LeafReader wrap(LeafReader leaf) {
                    return leaf;
                }
            });
        }

        @Override
        protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
            return new RepeatedReader(reader);
        }

        @Override
        public CacheHelper getReaderCacheHelper() {
            return in.getReaderCacheHelper();
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
        plugins.add(ManyTimes.class);
        return plugins;
    }

    @Override
    protected Collection<Class<? extends Plugin>> getMockPlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.getMockPlugins());
        plugins.remove(MockSearchService.TestPlugin.class); // asks no plugin whether to share a search out
        return plugins;
    }

    @Override
    protected boolean addMockInternalEngine() {
        return false; // readers of its own are no part of this
    }

    public void testThreadsShareALongSearch() {
        String near = "{'simhash': {'hash': '00000000000000ff', 'max_distance': 20}}";
        String inside = "{'bool': {'filter': [" + near + ", {'exists': {'field': 'simhash.bits'}}]}}";
        String other = "{'exists': {'field': 'simhash.bits'}}";
        Map<String, Map<String, ?>> documents = new HashMap<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.put(Integer.toString(i), Map.of("simhash", Map.of("bits", randomLong())));
        }
        for (String index : List.of("many", FEW)) {
            smallIndex(
                    index,
                    "index.search.concurrent_segment_search.mode",
                    "auto",
                    "index.search.concurrent.max_slice_count",
                    2);
            putAll(index, documents);
            client().admin()
                    .indices()
                    .prepareForceMerge(index)
                    .setMaxNumSegments(1)
                    .get();
            refresh(index);
        }
        assertEquals(2, slices(near, "many"));
        assertEquals(2, slices(inside, "many"));
        assertEquals(2, slices("{'constant_score': {'filter': " + inside + "}}", "many"));
        assertEquals("another query", 1, slices(other, "many"));
        assertEquals("a few look-ups", 1, slices(near.replace("20", "3"), "many"));
        assertEquals("few documents", 1, slices(inside, FEW));
    }

    /** Parts into which a search was divided, one for each thread. */
    private int slices(String query, String index) {
        SearchResponse response = search("{'size': 1, 'profile': true, 'query': " + query + "}", index);
        return Math.max(
                1,
                response.getProfileResults()
                        .values()
                        .iterator()
                        .next()
                        .getQueryProfileResults()
                        .getFirst()
                        .getCollectorResult()
                        .getSliceCount());
    }
}
