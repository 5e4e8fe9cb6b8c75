/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/** Documents of a single term. */
final class TermPostings {

    private TermPostings() {}

    /** The enumeration positioned at the term, null when the leaf does not have it. */
    static TermsEnum seek(LeafReader reader, String field, BytesRef term) throws IOException {
        Terms terms = reader.terms(field);
        if (terms == null) {
            return null;
        }
        TermsEnum termsEnum = terms.iterator();
        return termsEnum.seekExact(term) ? termsEnum : null;
    }

    /** The documents that have the term, none when the leaf does not have it. */
    static DocIdSetIterator open(LeafReader reader, String field, String term) throws IOException {
        TermsEnum terms = term == null ? null : seek(reader, field, new BytesRef(term));
        return terms == null ? DocIdSetIterator.empty() : terms.postings(null, PostingsEnum.NONE);
    }
}
