/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.ingest.DocumentValues;

/**
 * Digests of documents when they have no doc values. For a few documents it reads the source. For many it walks all
 * terms of the leaf and their postings.
 */
final class DigestTerms implements ColumnsBuilder.Digests {

    /** How many terms take as long as one source. */
    private static final int TERMS_PER_SOURCE = 100;

    /** An entry of a map, a list and a number in it. */
    private static final int OTHER_BYTES = 160;

    private final LeafReaderContext leaf;
    private final String field;
    /** Null if the source lacks it. */
    private final String path;

    private final LongConsumer memory;
    /** Further digests of the few documents that have several. */
    private final Map<Long, List<Long>> others = new HashMap<>();

    /**
     * @param field its terms are the digests
     * @param path of the digest in the source, or null if the source lacks it
     * @param memory is told the bytes of further digests, and may refuse them
     */
    DigestTerms(LeafReaderContext leaf, String field, String path, LongConsumer memory) {
        this.leaf = leaf;
        this.field = field;
        this.path = path;
        this.memory = memory;
    }

    @Override
    public long[] hashes(long[] documents) throws IOException {
        Terms terms = leaf.reader().terms(field);
        if (documents.length == 0 || terms == null) {
            return new long[documents.length];
        }
        long size = terms.size() < 0 ? leaf.reader().maxDoc() : terms.size();
        return path != null && size > (long) documents.length * TERMS_PER_SOURCE
                ? fromSources(documents)
                : fromTerms(terms, documents);
    }

    @Override
    public List<Long> others(long document) {
        return others.getOrDefault(document, List.of());
    }

    private long[] fromSources(long[] documents) {
        long[] hashes = new long[documents.length];
        SourceLookup source = new SourceLookup();
        for (int i = 0; i < documents.length; i++) {
            source.setSegmentAndDocument(leaf, (int) documents[i]);
            for (Object digest : DocumentValues.at(path, source.loadSourceIfNeeded())) {
                if (digest instanceof String text) {
                    add(LeafColumns.hash(text), hashes, i, documents[i]);
                }
            }
        }
        return hashes;
    }

    private void add(long hash, long[] hashes, int at, long document) {
        if (hashes[at] == 0) {
            hashes[at] = hash;
        } else if (hashes[at] != hash) {
            memory.accept(OTHER_BYTES);
            others.computeIfAbsent(document, any -> new ArrayList<>()).add(hash);
        }
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
                    add(hash, hashes, Arrays.binarySearch(documents, doc), doc);
                }
            }
        }
        return hashes;
    }
}
