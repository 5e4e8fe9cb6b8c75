/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.query.IndexMapping;

/** Whether an index keeps its documents whole: what it leaves out can neither be archived nor be restored. */
final class WholeSource {

    private static final String DERIVED = "index.derived_source.enabled";

    private WholeSource() {}

    /** An archive has to keep all of a document, mapped or not. */
    static void requireInArchive(IndexMetadata archive) {
        String reason = archive.getSettings().getAsBoolean(DERIVED, false)
                ? "[" + DERIVED + "] true"
                : new IndexMapping(archive).leavesOut();
        if (reason != null) {
            throw new IllegalArgumentException("[archive] must keep the whole _source of documents, got: "
                    + archive.getIndex().getName() + " with " + reason);
        }
    }
}
