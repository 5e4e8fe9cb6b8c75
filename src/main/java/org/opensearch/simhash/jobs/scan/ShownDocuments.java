/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.TwoPhaseIterator;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.fieldvisitor.FieldsVisitor;

/** What a user gets of documents, beside what is stored. Security puts a reader around that of the index, which leaves out fields or masks them. */
final class ShownDocuments {

    /** Of readers that change no document. */
    private static final Set<String> OWN_PACKAGES =
            Set.of("org.apache.lucene.index", "org.opensearch.common.lucene.index", "org.opensearch.search.internal");

    /** Two documents are decompressed. */
    private static final float MATCH_COST = 100_000;

    private ShownDocuments() {}

    /** The documents of a leaf whose source the user does not get as it is stored; null if no plugin could change one. */
    static DocIdSetIterator altered(LeafReader reader) throws IOException {
        LeafReader below = null;
        for (LeafReader at = reader; at instanceof FilterLeafReader filter; at = filter.getDelegate()) {
            below = OWN_PACKAGES.contains(at.getClass().getPackageName()) ? below : filter.getDelegate();
        }
        if (below == null) {
            return null;
        }
        StoredFields stored = below.storedFields();
        StoredFields shown = reader.storedFields();
        DocIdSetIterator all = DocIdSetIterator.all(reader.maxDoc());
        return TwoPhaseIterator.asDocIdSetIterator(new TwoPhaseIterator(all) {
            @Override
            public boolean matches() throws IOException {
                return Objects.equals(source(stored, all.docID()), source(shown, all.docID())) == false;
            }

            @Override
            public float matchCost() {
                return MATCH_COST;
            }
        });
    }

    private static BytesReference source(StoredFields documents, int doc) throws IOException {
        FieldsVisitor visitor = new FieldsVisitor(true);
        documents.document(doc, visitor);
        return visitor.source();
    }
}
