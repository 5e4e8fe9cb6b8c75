/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.Map;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.simhash.deduplicate.archive.ArchivedSource;
import org.opensearch.simhash.deduplicate.write.BulkWrites;

/**
 * A copy to write into the archive.
 *
 * @param replaced the origin of a copy of the same version, from a run that ended before the delete; or null
 */
record Copy(IndexRequest request, Map<String, Object> replaced) {

    /** Restores the archive as it was before the copy, unless somebody has changed it since. */
    DocWriteRequest<?> undo(DocWriteResponse written) {
        if (replaced == null) {
            return new DeleteRequest(written.getIndex(), written.getId())
                    .setIfSeqNo(written.getSeqNo())
                    .setIfPrimaryTerm(written.getPrimaryTerm());
        }
        IndexRequest earlier = new IndexRequest(written.getIndex())
                .id(written.getId())
                .source(ArchivedSource.copy(ArchivedSource.original(request.source()), replaced), XContentType.JSON)
                .setIfSeqNo(written.getSeqNo())
                .setIfPrimaryTerm(written.getPrimaryTerm());
        return BulkWrites.asItIs(earlier);
    }
}
