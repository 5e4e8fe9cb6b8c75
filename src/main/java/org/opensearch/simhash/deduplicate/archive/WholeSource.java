/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.simhash.query.IndexMapping;

/** Checks that an index keeps whole documents. What it leaves out cannot be restored. */
final class WholeSource {

    private static final String DERIVED = "index.derived_source.enabled";

    private WholeSource() {}

    /** Also for fields that are not mapped. */
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
