/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.index.fieldvisitor.CustomFieldsVisitor;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.match.Cancellation;
import org.opensearch.simhash.verify.Verdict;

/** Verifies texts of documents in one Lucene leaf: from {@code _source}, else from a stored field. One thread. */
final class CandidateDocuments {

    private final LeafReaderContext leaf;
    private final TextVerifier verifier;
    private final MappedFieldType stored;
    private final Runnable checkWanted;
    private final Cancellation cancellation;
    private final SourceLookup source = new SourceLookup();

    /**
     * @param stored the text's field if the mapping stores it, else null
     * @param checkWanted runs now and then; if it throws, the comparison ends
     */
    CandidateDocuments(LeafReaderContext leaf, TextVerifier verifier, MappedFieldType stored, Runnable checkWanted) {
        this.leaf = leaf;
        this.verifier = verifier;
        this.stored = stored;
        this.checkWanted = checkWanted;
        this.cancellation = new Cancellation(leaf.reader());
    }

    /** Throws if the search is cancelled. */
    Verdict verify(int doc) throws IOException {
        checkCancelled();
        source.setSegmentAndDocument(leaf, doc);
        Map<String, Object> document = source.loadSourceIfNeeded();
        String text = verifier.textOf(document);
        if (text == null && stored != null) {
            text = storedText(doc);
        }
        return verifier.verify(text, document, this::checkCancelled);
    }

    private String storedText(int doc) throws IOException {
        CustomFieldsVisitor read = new CustomFieldsVisitor(Set.of(stored.name()), false);
        leaf.reader().storedFields().document(doc, read);
        // Some types store other values than people write, such as bytes.
        List<Object> values = read.fields().getOrDefault(stored.name(), List.of()).stream()
                .map(stored::valueForDisplay)
                .toList();
        return DocumentTexts.storedText(stored.name(), Map.of(stored.name(), values));
    }

    private void checkCancelled() {
        checkWanted.run();
        try {
            cancellation.check();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
