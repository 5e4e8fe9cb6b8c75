/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchContextMissingException;

/** Recognises that a shard has lost its point in time. OpenSearch answers HTTP 404, as if the index were missing. */
final class LostContexts {

    private LostContexts() {}

    /** Turns it into HTTP 503, because a new job would open another point in time. Returns other failures unchanged. */
    static RuntimeException told(RuntimeException e) {
        return SearchFailures.has(e, SearchContextMissingException.class)
                ? new OpenSearchStatusException(
                        "the point in time was lost, as when a node that holds a part of it restarts: start the job again",
                        RestStatus.SERVICE_UNAVAILABLE,
                        e)
                : e;
    }
}
