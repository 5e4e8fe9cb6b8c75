/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/**
 * Behaves like {@code terms} on the field that matches whole strings ({@link WholeStrings}), but matches nothing if the
 * field is not mapped.
 */
public final class WholeStringsQueryBuilder extends JobQueryBuilder<WholeStringsQueryBuilder> {

    static final String NAME = "simhash_whole_strings";

    private final String field;
    private final List<String> values;

    /** @param values a document matches if its field has one of them */
    public WholeStringsQueryBuilder(String field, Collection<String> values) {
        super(NAME);
        this.field = field;
        this.values = List.copyOf(values);
    }

    WholeStringsQueryBuilder(StreamInput in) throws IOException {
        super(NAME, in);
        this.field = in.readString();
        this.values = in.readStringList();
    }

    public static QuerySpec<WholeStringsQueryBuilder> spec() {
        return SentByJobs.query(NAME, WholeStringsQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(field);
        out.writeStringCollection(values);
    }

    @Override
    Object value() {
        return List.of(field, values);
    }

    @Override
    Map<String, ?> shown() {
        return Map.of(field, values);
    }

    @Override
    QueryBuilder onShard(QueryShardContext shard) {
        String name = WholeStrings.in(shard, field);
        return name == null ? new MatchNoneQueryBuilder() : QueryBuilders.termsQuery(name, values);
    }
}
