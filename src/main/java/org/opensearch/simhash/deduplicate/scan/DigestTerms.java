/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.search.lookup.SourceLookup;

/**
 * Digests without doc values, by document: of a few documents read from their source, of many by going through the terms of
 * the leaf and seeing whose they are.
 */
final class DigestTerms implements ColumnsBuilder.Digests {

    /** Terms that are gone through in the time in which one source is read and parsed. */
    private static final int TERMS_PER_SOURCE = 100;

    private final LeafReaderContext leaf;
    private final String field;
    private final String path;

    /**
     * Of one leaf.
     *
     * @param field whose terms are the digests
     * @param path of the digest in a document
     */
    DigestTerms(LeafReaderContext leaf, String field, String path) {
        this.leaf = leaf;
        this.field = field;
        this.path = path;
    }

    @Override
    public long[] hashes(long[] documents) throws IOException {
        Terms terms = leaf.reader().terms(field);
        if (documents.length == 0 || terms == null) {
            return new long[documents.length];
        }
        long size = terms.size() < 0 ? leaf.reader().maxDoc() : terms.size();
        return size > (long) documents.length * TERMS_PER_SOURCE ? fromSources(documents) : fromTerms(terms, documents);
    }

    private long[] fromSources(long[] documents) {
        long[] hashes = new long[documents.length];
        SourceLookup source = new SourceLookup();
        for (int i = 0; i < documents.length; i++) {
            source.setSegmentAndDocument(leaf, (int) documents[i]);
            Object digest = source.extractValue(path, null);
            Object first =
                    digest instanceof List<?> several && several.isEmpty() == false ? several.getFirst() : digest;
            hashes[i] = first instanceof String text ? LeafColumns.hash(text) : 0;
        }
        return hashes;
    }

    private long[] fromTerms(Terms terms, long[] documents) throws IOException {
        long[] hashes = new long[documents.length];
        FixedBitSet wanted = new FixedBitSet(leaf.reader().maxDoc());
        for (long document : documents) {
            wanted.set((int) document);
        }
        TermsEnum term = terms.iterator();
        PostingsEnum postings = null;
        while (term.next() != null) {
            postings = term.postings(postings, PostingsEnum.NONE);
            long hash = 0;
            for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                if (wanted.get(doc)) {
                    hash = hash == 0 ? LeafColumns.hash(term.term()) : hash;
                    hashes[Arrays.binarySearch(documents, doc)] = hash;
                }
            }
        }
        return hashes;
    }
}
