/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.match.Cancellation;

/** Reads documents of one Lucene leaf for verification: from {@code _source}, else from a stored field. One thread. */
final class CandidateDocuments {

    private final LeafReaderContext leaf;
    private final String field;
    private final Cancellation cancellation;
    private final SourceLookup source = new SourceLookup();

    /** @param field path of the text */
    CandidateDocuments(LeafReaderContext leaf, String field) {
        this.leaf = leaf;
        this.field = field;
        this.cancellation = new Cancellation(leaf.reader());
    }

    Map<String, Object> get(int doc) throws IOException {
        source.setSegmentAndDocument(leaf, doc);
        Map<String, Object> document = source.loadSourceIfNeeded();
        if (document.isEmpty() == false) {
            return document;
        }
        Document stored = leaf.reader().storedFields().document(doc, Set.of(field));
        List<String> values = Arrays.asList(stored.getValues(field));
        return values.isEmpty() ? Map.of() : Map.of(field, values);
    }

    void checkCancelled() {
        try {
            cancellation.check();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
