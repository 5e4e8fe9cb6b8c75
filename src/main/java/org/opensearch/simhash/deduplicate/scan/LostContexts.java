/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchContextMissingException;

/** By what it shows that a shard has a point in time no more. OpenSearch answers with HTTP 404, as if there were no such index. */
final class LostContexts {

    private LostContexts() {}

    /** The same as HTTP 503: a new job opens another one. Other failures as they are. */
    static RuntimeException told(RuntimeException e) {
        return SearchFailures.has(e, SearchContextMissingException.class)
                ? new OpenSearchStatusException(
                        "the point in time was lost, as when a node that holds a part of it restarts: start the job again",
                        RestStatus.SERVICE_UNAVAILABLE,
                        e)
                : e;
    }
}
