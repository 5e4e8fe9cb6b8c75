/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import java.util.Collection;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexMetadata;

/** Whether an index keeps its documents whole: what it leaves out can neither be archived nor be restored. */
public final class WholeSource {

    private static final String DERIVED = "index.derived_source.enabled";

    private WholeSource() {}

    /** An archive has to keep all of a document, mapped or not. */
    public static void requireInArchive(IndexMetadata archive) {
        String reason =
                archive.getSettings().getAsBoolean(DERIVED, false) ? "[" + DERIVED + "] true" : leavesOut(archive);
        if (reason != null) {
            throw new IllegalArgumentException("[archive] must keep the whole _source of documents, got: "
                    + archive.getIndex().getName() + " with " + reason);
        }
    }

    /** What makes the mapping leave something of the source out, or null. */
    public static String leavesOut(IndexMetadata index) {
        if (index.mapping() == null || index.mapping().sourceAsMap().get("_source") instanceof Map<?, ?> == false) {
            return null;
        }
        Map<?, ?> source = (Map<?, ?>) index.mapping().sourceAsMap().get("_source");
        boolean isWhole = "false".equals(String.valueOf(source.get("enabled"))) == false
                && isEmpty(source.get("includes"))
                && isEmpty(source.get("excludes"));
        return isWhole ? null : "[_source] " + source;
    }

    private static boolean isEmpty(Object patterns) {
        return patterns == null || (patterns instanceof Collection<?> several && several.isEmpty());
    }
}
