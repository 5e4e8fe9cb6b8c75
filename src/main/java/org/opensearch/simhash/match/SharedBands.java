/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.IOSupplier;

/** The documents that have one of a few bands, which are opened when the first document is asked for. One thread, ascending documents. */
final class SharedBands {

    /** Takes every document. */
    static final SharedBands ANY = new SharedBands(null);

    private final IOSupplier<List<PostingsEnum>> bands;
    private List<PostingsEnum> postings;

    SharedBands(IOSupplier<List<PostingsEnum>> bands) {
        this.bands = bands;
    }

    boolean have(int doc) throws IOException {
        if (bands == null) {
            return true;
        }
        if (postings == null) {
            postings = bands.get();
        }
        for (PostingsEnum band : postings) {
            if (band.docID() == doc || (band.docID() < doc && band.advance(doc) == doc)) {
                return true;
            }
        }
        return false;
    }
}
