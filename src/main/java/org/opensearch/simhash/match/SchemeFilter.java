/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** Which documents of a Lucene leaf were fingerprinted by the target's recipe. One thread, forward only. */
final class SchemeFilter {

    /** Null when every document passes. */
    private final PostingsEnum postings;

    private SchemeFilter(PostingsEnum postings) {
        this.postings = postings;
    }

    /** Null when no document of the leaf passes; a null {@code scheme} lets every document pass. */
    static SchemeFilter open(LeafReader reader, String field, String scheme) throws IOException {
        if (scheme == null) {
            return new SchemeFilter(null);
        }
        TermsEnum terms = TermPostings.seek(reader, field, new BytesRef(scheme));
        if (terms == null) {
            return null;
        }
        boolean all = terms.docFreq() == reader.maxDoc();
        return new SchemeFilter(all ? null : terms.postings(null, PostingsEnum.NONE));
    }

    boolean accepts(int doc) throws IOException {
        if (postings == null) {
            return true;
        }
        int at = postings.docID();
        return (at < doc ? postings.advance(doc) : at) == doc;
    }

    /** Keeps the matches of the batch that pass. */
    void retain(MatchBatch batch) throws IOException {
        if (postings == null) {
            return;
        }
        int size = batch.size;
        batch.size = 0;
        for (int i = 0; i < size; i++) {
            if (accepts(batch.docs[i])) {
                batch.add(batch.docs[i], batch.distances[i]);
            }
        }
    }
}
