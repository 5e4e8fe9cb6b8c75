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
 * A copy of a document, to be written into the archive.
 *
 * @param replaced where the archive has the same version from already, by a run that ended before it deleted it; or null
 */
record Copy(IndexRequest request, Map<String, Object> replaced) {

    /** Puts the archive into the state that it had before the copy was written, if nobody has changed it since. */
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
