/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** Parts of searches that only jobs send. Nodes read them from streams; the parser refuses them. */
final class SentByJobs {

    private SentByJobs() {}

    /** Registers a query. */
    static <Q extends QueryBuilder> QuerySpec<Q> query(String name, Writeable.Reader<Q> reader) {
        return new QuerySpec<>(name, reader, parser -> {
            throw refusal(name, parser);
        });
    }

    /** The error for a user who types it. */
    static IllegalArgumentException refusal(String name, XContentParser parser) {
        return new IllegalArgumentException("[" + name
                + "] is sent by deduplication jobs and not allowed in requests, got: " + parser.getTokenLocation());
    }
}
