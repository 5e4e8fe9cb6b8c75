/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/**
 * Behaves like {@code exists}, but matches nothing if the field is not mapped. A job reads indices that lack some of
 * its fields; {@code exists} fails there if {@code index.query.parse.allow_unmapped_fields} is false.
 */
public final class MappedExistsQueryBuilder extends JobQueryBuilder<MappedExistsQueryBuilder> {

    static final String NAME = "simhash_mapped_exists";

    private final String field;

    public MappedExistsQueryBuilder(String field) {
        super(NAME);
        this.field = field;
    }

    MappedExistsQueryBuilder(StreamInput in) throws IOException {
        super(NAME, in);
        this.field = in.readString();
    }

    public static QuerySpec<MappedExistsQueryBuilder> spec() {
        return SentByJobs.query(NAME, MappedExistsQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(field);
    }

    @Override
    Object value() {
        return field;
    }

    @Override
    Map<String, ?> shown() {
        return Map.of("field", field);
    }

    @Override
    QueryBuilder onShard(QueryShardContext shard) {
        boolean isMapped = shard.getMapperService().fieldType(field) != null;
        return isMapped ? QueryBuilders.existsQuery(field) : new MatchNoneQueryBuilder();
    }
}
