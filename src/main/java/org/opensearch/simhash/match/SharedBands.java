/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;

/** The documents that have one of a few bands. One thread, ascending documents. */
final class SharedBands {

    /** Takes every document. */
    static final SharedBands ANY = new SharedBands(null);

    private final List<PostingsEnum> postings;

    SharedBands(List<PostingsEnum> postings) {
        this.postings = postings;
    }

    boolean have(int doc) throws IOException {
        if (postings == null) {
            return true;
        }
        for (PostingsEnum band : postings) {
            if (band.docID() == doc || (band.docID() < doc && band.advance(doc) == doc)) {
                return true;
            }
        }
        return false;
    }
}
