/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.query.WholeStrings;

/** Checks that an index can hold copies of deleted documents. Runs before anything is read, and before copies are written. */
public final class ArchiveCheck {

    private static final int LONGEST = MetadataCreateIndexService.MAX_INDEX_NAME_BYTES;

    private static final String DERIVED = "index.derived_source.enabled";

    private ArchiveCheck() {}

    /** @param archive the index that is written */
    public static void require(IndexMetadata archive) {
        requireChangeable(archive);
        requireWholeSource(archive);
        requireFound(archive);
    }

    /** A restore looks copies up by their run. The job maps what is not mapped yet. */
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

    /** Copies of documents that stay must be deleted again. */
    private static void requireChangeable(IndexMetadata archive) {
        if (archive.isAppendOnlyIndex()) {
            throw new IllegalArgumentException("[archive] must be an index whose copies can be taken back, got: "
                    + archive.getIndex().getName() + ", which is append-only");
        }
    }

    /** What an index leaves out cannot be restored, mapped or not. */
    private static void requireWholeSource(IndexMetadata archive) {
        String reason = archive.getSettings().getAsBoolean(DERIVED, false)
                ? "[" + DERIVED + "] true"
                : new IndexMapping(archive).leavesOut();
        if (reason != null) {
            throw new IllegalArgumentException("[archive] must keep the whole _source of documents, got: "
                    + archive.getIndex().getName() + " with " + reason);
        }
    }
}
