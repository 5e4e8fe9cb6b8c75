/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** Which documents of a Lucene leaf were fingerprinted by the target's recipe. One thread, forward only. */
final class SchemeFilter {

    /** Lets every document pass. */
    static final SchemeFilter NONE = new SchemeFilter(null);

    /** At the scheme; null when every document passes. */
    private final TermsEnum term;

    private PostingsEnum postings;

    private SchemeFilter(TermsEnum term) {
        this.term = term;
    }

    /** Null when no document of the leaf passes; a null {@code scheme} lets every document pass. */
    static SchemeFilter open(LeafReader reader, String field, String scheme) throws IOException {
        if (scheme == null) {
            return NONE;
        }
        TermsEnum term = ExactTerm.seek(reader, field, new BytesRef(scheme));
        if (term == null) {
            return null;
        }
        return term.docFreq() == reader.maxDoc() ? NONE : new SchemeFilter(term);
    }

    /** The same, from the first document on. */
    SchemeFilter again() {
        return term == null ? this : new SchemeFilter(term);
    }

    boolean accepts(int doc) throws IOException {
        if (term == null) {
            return true;
        }
        if (postings == null) {
            postings = term.postings(null, PostingsEnum.NONE);
        }
        int at = postings.docID();
        return (at < doc ? postings.advance(doc) : at) == doc;
    }

    /** Keeps the matches of the batch that pass. */
    void retain(MatchBatch batch) throws IOException {
        if (term == null) {
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
