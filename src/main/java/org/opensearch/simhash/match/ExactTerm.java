/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

final class ExactTerm {

    private ExactTerm() {}

    /** The enumeration at the term; null if the leaf does not have it. */
    static TermsEnum seek(LeafReader reader, String field, BytesRef term) throws IOException {
        Terms terms = reader.terms(field);
        if (terms == null) {
            return null;
        }
        TermsEnum termsEnum = terms.iterator();
        return termsEnum.seekExact(term) ? termsEnum : null;
    }
}
