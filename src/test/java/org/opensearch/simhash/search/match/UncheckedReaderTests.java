/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.search.internal.ContextIndexSearcher;

public class UncheckedReaderTests extends LuceneTestCase {

    public void testTakesOffTheChecksOfOpenSearch() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, List.of(FingerprintedDocument.of(0, 0L, 4)));
                ContextIndexSearcher searcher = new ContextIndexSearcher(
                        index.reader(),
                        IndexSearcher.getDefaultSimilarity(),
                        null,
                        IndexSearcher.getDefaultQueryCachingPolicy(),
                        true,
                        null,
                        null)) {
            searcher.addQueryCancellation(() -> {});
            LeafReader checked = leaf(searcher);
            LeafReader plain = index.reader().leaves().getFirst().reader();
            assertNotSame(plain, checked);
            assertSame(plain, Cancellation.unchecked(checked));
        }
    }

    public void testTakesOffTheChecksOfLucene() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, List.of(FingerprintedDocument.of(0, 0L, 4)))) {
            LeafReader checked = leaf(new IndexSearcher(ExitableDirectoryReader.wrap(index.reader(), () -> false)));
            assertSame(index.reader().leaves().getFirst().reader(), Cancellation.unchecked(checked));
        }
    }

    public void testLeavesOtherReadersAsTheyAre() throws IOException {
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, List.of(FingerprintedDocument.of(0, 0L, 4)))) {
            LeafReader plain = index.reader().leaves().getFirst().reader();
            assertSame(plain, Cancellation.unchecked(plain));
            LeafReader restricting = new FilterLeafReader(plain) {
                @Override
                public CacheHelper getCoreCacheHelper() {
                    return null;
                }

                @Override
                public CacheHelper getReaderCacheHelper() {
                    return null;
                }
            };
            assertSame(restricting, Cancellation.unchecked(restricting));
        }
    }

    private static LeafReader leaf(IndexSearcher searcher) {
        return searcher.getIndexReader().leaves().getFirst().reader();
    }
}
