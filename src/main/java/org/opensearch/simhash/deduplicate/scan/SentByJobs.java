/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** What a deduplication job sends in its searches, between nodes: a node reads it from there, and nobody can type it. */
final class SentByJobs {

    private SentByJobs() {}

    /** A query, for the node's registry. */
    static <Q extends QueryBuilder> QuerySpec<Q> query(String name, Writeable.Reader<Q> reader) {
        return new QuerySpec<>(name, reader, parser -> {
            throw refusal(name, parser);
        });
    }

    /** For who types it all the same. */
    static IllegalArgumentException refusal(String name, XContentParser parser) {
        return new IllegalArgumentException("[" + name
                + "] is sent by deduplication jobs and not allowed in requests, got: " + parser.getTokenLocation());
    }
}
