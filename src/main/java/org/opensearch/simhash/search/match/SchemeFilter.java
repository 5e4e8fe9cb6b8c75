/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/** The documents of a leaf with the target's scheme. One thread, forward only. */
final class SchemeFilter {

    static final SchemeFilter NONE = new SchemeFilter(null);

    /** Positioned at the scheme; null to accept every document. */
    private final TermsEnum term;

    private PostingsEnum postings;

    private SchemeFilter(TermsEnum term) {
        this.term = term;
    }

    /** Null if no document passes. A null {@code scheme} accepts all. */
    static SchemeFilter open(LeafReader reader, String field, String scheme) throws IOException {
        if (scheme == null) {
            return NONE;
        }
        TermsEnum term = seek(reader, field, scheme);
        if (term == null) {
            return null;
        }
        return term.docFreq() == reader.maxDoc() ? NONE : new SchemeFilter(term);
    }

    /** From the first document. */
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

    /** The enumeration at the term; null if the leaf does not have it. */
    static TermsEnum seek(LeafReader reader, String field, String term) throws IOException {
        Terms terms = reader.terms(field);
        TermsEnum found = terms == null ? null : terms.iterator();
        return found != null && found.seekExact(new BytesRef(term)) ? found : null;
    }
}
