/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.match.Target;
import org.opensearch.test.IndexSettingsModule;

@LuceneTestCase.SuppressSysoutChecks(bugUrl = "OpenSearch logs that settings are deprecated")
public class LongSearchTests extends LuceneTestCase {

    private static final int DOCUMENTS = 5000;

    public void testAScanIsExpectedToTakeAsLongAsThereAreDocuments() throws IOException {
        try (Directory directory = newDirectory();
                DirectoryReader reader = index(directory)) {
            assertEquals(DOCUMENTS, nanos(reader, within(40)), DOCUMENTS / 5.0);
            double both = nanos(reader, within(40)) + nanos(reader, within(50));
            assertEquals(2 * DOCUMENTS, both, DOCUMENTS / 2.5);
            assertNull(LongSearch.planned(List.of(within(40), within(50)), reader, both - 1));
            assertNotNull(LongSearch.planned(List.of(within(40), within(50)), reader, both + 1));
            assertNotNull("microseconds", LongSearch.planned(List.of(within(40)), reader));
        }
    }

    public void testOfALongSearchNoMoreIsPlannedThanTellsThatItIsLong() throws IOException {
        double enough = DOCUMENTS / 2.0;
        try (Directory directory = newDirectory();
                DirectoryReader reader = index(directory)) {
            List<SimHashQuery> queries = Arrays.asList(within(40), null);
            assertNull("only the first is planned", LongSearch.planned(queries, reader, enough));
            try (MultiReader leaves = new MultiReader(new IndexReader[] {reader, reader, reader}, false)) {
                assertEquals(
                        "one leaf", DOCUMENTS, within(40).plan(leaves, enough).nanos(), DOCUMENTS / 5.0);
            }
        }
    }

    private static double nanos(IndexReader reader, SimHashQuery query) throws IOException {
        return query.plan(reader, Double.POSITIVE_INFINITY).nanos();
    }

    public void testAFewLookUpsTakeNoTime() throws IOException {
        try (Directory directory = newDirectory();
                DirectoryReader reader = index(directory)) {
            assertTrue(nanos(reader, within(0)) < DOCUMENTS / 2.0);
        }
    }

    public void testAnIndexMaySayIntoHowManyPartsItsSearchesAreDivided() {
        assertEquals(3, LongSearch.mostSlices(cluster(3), index(Settings.EMPTY)));
        String key = IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_MAX_SLICE_COUNT.getKey();
        assertEquals(
                1,
                LongSearch.mostSlices(
                        cluster(3), index(Settings.builder().put(key, 1).build())));
    }

    public void testIsExpectedOfManyDocumentsWhereASearchMayBeDivided() {
        IndexSettings index = index(Settings.EMPTY);
        assertTrue(LongSearch.isPossible(2_000_000, () -> cluster(2), index));
        assertTrue("Lucene decides", LongSearch.isPossible(2_000_000, () -> cluster(0), index));
        assertFalse(LongSearch.isPossible(2_000_000, () -> cluster(1), index));
        assertFalse("few documents", LongSearch.isPossible(DOCUMENTS, () -> cluster(2), index));
    }

    public void testIsNotExpectedWhereOpenSearchSharesNoSearchOut() {
        String mode = SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE.getKey();
        String enabled = SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_SETTING.getKey();
        String indexMode = IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_MODE.getKey();
        String indexEnabled = IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_SETTING.getKey();
        assertShared(true, Map.of(), Map.of());
        assertShared(false, Map.of(mode, "none"), Map.of());
        assertShared(true, Map.of(mode, "none"), Map.of(indexMode, "auto"));
        assertShared(false, Map.of(mode, "all"), Map.of(indexMode, "none"));
        assertShared(false, Map.of(enabled, "false"), Map.of());
        assertShared(true, Map.of(enabled, "true"), Map.of());
        assertShared(true, Map.of(enabled, "false"), Map.of(indexEnabled, "true"));
        assertShared(true, Map.of(mode, "auto", enabled, "false"), Map.of(indexEnabled, "false"));
        assertShared(true, Map.of(enabled, "false"), Map.of(indexMode, "all"));
        assertShared(false, Map.of(), Map.of(indexEnabled, "false"));
        assertShared(false, Map.of(), Map.of(IndexSettings.INDEX_SEARCH_THROTTLED.getKey(), "true"));
    }

    private static void assertShared(boolean expected, Map<String, String> cluster, Map<String, String> index) {
        Settings settings = Settings.builder()
                .put(SearchService.CONCURRENT_SEGMENT_SEARCH_TARGET_MAX_SLICE_COUNT_SETTING.getKey(), 2)
                .putProperties(cluster, key -> key)
                .build();
        IndexSettings indexSettings =
                index(Settings.builder().putProperties(index, key -> key).build());
        assertEquals(
                cluster + " " + index,
                expected,
                LongSearch.isPossible(2_000_000, () -> cluster(settings), indexSettings));
    }

    private static ClusterSettings cluster(int mostSlices) {
        return cluster(Settings.builder()
                .put(SearchService.CONCURRENT_SEGMENT_SEARCH_TARGET_MAX_SLICE_COUNT_SETTING.getKey(), mostSlices)
                .build());
    }

    private static ClusterSettings cluster(Settings settings) {
        return new ClusterSettings(
                settings,
                Set.of(
                        SearchService.CONCURRENT_SEGMENT_SEARCH_TARGET_MAX_SLICE_COUNT_SETTING,
                        SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE,
                        SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_SETTING));
    }

    private static IndexSettings index(Settings settings) {
        return IndexSettingsModule.newIndexSettings("docs", settings);
    }

    private static SimHashQuery within(int distance) {
        return new SimHashQuery(
                FingerprintedDocument.fields("simhash"), Target.of(random().nextLong()), distance, effort -> {});
    }

    private static DirectoryReader index(Directory directory) throws IOException {
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (int i = 0; i < DOCUMENTS; i++) {
                writer.addDocument(
                        FingerprintedDocument.of(i, random().nextLong(), 4).toLucene());
            }
            writer.forceMerge(1);
        }
        return DirectoryReader.open(directory);
    }
}
