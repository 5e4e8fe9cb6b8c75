/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import org.opensearch.cluster.metadata.IndexMetadata;

/** What an index has to be for copies of removed documents: looked at before anything is read, and where they are written. */
public final class ArchiveCheck {

    private ArchiveCheck() {}

    /** @param archive the index that is written, of an alias, too */
    public static void require(IndexMetadata archive) {
        requireChangeable(archive);
        WholeSource.requireInArchive(archive);
    }

    /** OpenSearch refuses to delete there: the copies of documents that stay could not be taken back. */
    private static void requireChangeable(IndexMetadata archive) {
        if (archive.isAppendOnlyIndex()) {
            throw new IllegalArgumentException("[archive] must be an index whose copies can be taken back, got: "
                    + archive.getIndex().getName() + ", which is append-only");
        }
    }
}
