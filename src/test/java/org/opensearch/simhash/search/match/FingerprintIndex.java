/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseDirectoryWrapper;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;

/** A Lucene index of documents that brute force knows too; each list of documents becomes a Lucene leaf of its own. */
final class FingerprintIndex implements Closeable {

    /** Probes whenever that takes no more than a few hundred look-ups. */
    static final CostModel PROBING = new CostModel(2000, 250, 350, 1, 1e12, 1, 0.01);

    /** Prefers to count the values that documents share, and compares only those that share several. */
    static final CostModel COUNTING = new CostModel(2000, 10, 10, 1e5, 1e12, 1e-3, 1e-6);

    /** Never probes. */
    static final CostModel SCANNING = new CostModel(0, 1e9, 1e9, 1e9, 1e12, 1e9, 1);

    /** Verifies what other clauses propose, whenever there are any. */
    static final CostModel LED = new CostModel(1, 250, 350, 10, 0, 1, 0.01);

    /** Read once of each reader: duels search it hundreds of times. */
    private static final Map<IndexReader, String[]> IDS = new WeakHashMap<>();

    private final DirectoryReader reader;

    private FingerprintIndex(DirectoryReader reader) {
        this.reader = reader;
    }

    /** Is not checked when it is closed: that is about Lucene's formats, and takes longer than most of the tests. */
    static Directory newDirectory() {
        BaseDirectoryWrapper directory = LuceneTestCase.newDirectory();
        directory.setCheckIndexOnClose(false);
        return directory;
    }

    @SafeVarargs
    static FingerprintIndex of(Directory directory, List<FingerprintedDocument>... leaves) throws IOException {
        // The default codec and merges of production: what is read from statistics is what users have.
        IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (List<FingerprintedDocument> leaf : leaves) {
                for (FingerprintedDocument document : leaf) {
                    writer.addDocument(document.toLucene());
                }
                writer.flush();
            }
        }
        return new FingerprintIndex(DirectoryReader.open(directory));
    }

    DirectoryReader reader() {
        return reader;
    }

    /** Without a query cache: each search is seen by the query's listener. */
    IndexSearcher searcher() {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        return searcher;
    }

    /** Scores by id of all documents that a query finds. */
    static Map<String, Float> search(IndexSearcher searcher, Query query) throws IOException {
        int all = searcher.getIndexReader().maxDoc();
        TopDocs found = searcher.search(query, Math.max(1, all));
        String[] ids = ids(searcher.getIndexReader());
        Map<String, Float> scores = new TreeMap<>();
        for (ScoreDoc hit : found.scoreDocs) {
            scores.put(ids[hit.doc], hit.score);
        }
        return scores;
    }

    private static synchronized String[] ids(IndexReader reader) throws IOException {
        String[] ids = IDS.get(reader);
        if (ids == null) {
            ids = new String[reader.maxDoc()];
            StoredFields fields = reader.storedFields();
            for (int doc = 0; doc < ids.length; doc++) {
                ids[doc] = fields.document(doc).get("id");
            }
            IDS.put(reader, ids);
        }
        return ids;
    }

    /** Scores by id of the documents that should be found. */
    static Map<String, Float> bruteForce(Collection<FingerprintedDocument> documents, SimHashQuery query) {
        Map<String, Float> scores = new TreeMap<>();
        for (FingerprintedDocument document : documents) {
            int distance = document.distance(query.target());
            if (distance <= query.maxDistance()) {
                scores.put(document.id(), 1f - distance / 64f);
            }
        }
        return scores;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
