/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.CommonRuns.Passage;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.passages.Words;

/** The words of a source and of stored documents, cut alike. Equal ones give equal words. Thread-safe. */
public interface PassageTexts {

    PassageLayout layout();

    /** The source, ready to be compared by runs of {@code least} words. Made once. */
    CommonRuns source(int least);

    Documents open(LeafReaderContext leaf, Runnable checkWanted);

    /** The documents of a leaf. One thread. */
    interface Documents {

        /** Valid until the next call; the same object as before for a document with the same texts; null without text. */
        Words words(int doc) throws IOException;

        /** The places of passages in both stored texts, as evidence shows them, of the document that was asked for last. */
        List<Map<String, Object>> places(List<Passage> passages) throws IOException;
    }
}
