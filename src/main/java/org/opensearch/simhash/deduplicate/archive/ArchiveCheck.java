/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.simhash.deduplicate.scan.WholeStrings;
import org.opensearch.simhash.query.IndexMapping;

/** What an index has to be for copies of removed documents: looked at before anything is read, and where they are written. */
public final class ArchiveCheck {

    private static final int LONGEST = MetadataCreateIndexService.MAX_INDEX_NAME_BYTES;

    private ArchiveCheck() {}

    /** @param archive the index that is written, of an alias, too */
    public static void require(IndexMetadata archive) {
        requireChangeable(archive);
        WholeSource.requireInArchive(archive);
        requireFound(archive);
    }

    /** What cannot be looked up by its run cannot be restored. What is not mapped yet, the job maps. */
    private static void requireFound(IndexMetadata archive) {
        IndexMapping mapping = new IndexMapping(archive);
        Map<?, ?> origin = mapping.definition(ArchiveIndex.ORIGIN);
        if (origin != null && (mapping.isObject(ArchiveIndex.ORIGIN) == false || "nested".equals(origin.get("type")))) {
            throw notFound(archive, ArchiveIndex.RUN, ArchiveIndex.ORIGIN, origin);
        }
        for (String path : List.of(ArchiveIndex.RUN, ArchiveIndex.INDEX)) {
            Map<?, ?> mapped = mapping.definition(path);
            if (mapped != null && (WholeStrings.in(mapped) == null || WholeStrings.longest(mapped) < LONGEST)) {
                throw notFound(archive, path, path, mapped);
            }
        }
    }

    private static IllegalArgumentException notFound(
            IndexMetadata archive, String path, String field, Map<?, ?> mapped) {
        return new IllegalArgumentException("[archive] must find copies by [" + path + "] as a whole, got: "
                + archive.getIndex().getName() + " with [" + field + "] " + mapped);
    }

    /** OpenSearch refuses to delete there: the copies of documents that stay could not be taken back. */
    private static void requireChangeable(IndexMetadata archive) {
        if (archive.isAppendOnlyIndex()) {
            throw new IllegalArgumentException("[archive] must be an index whose copies can be taken back, got: "
                    + archive.getIndex().getName() + ", which is append-only");
        }
    }
}
