/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Set;
import java.util.TreeSet;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.FlatObjectFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;

/** Where an index keeps the text to verify: in {@code _source}, else in a stored field. */
record KeptText(QueryShardContext shard, String field) {

    /** Null if texts are only in {@code _source}. */
    MappedFieldType storedField() {
        MappedFieldType type = shard.fieldMapper(field);
        return type != null && type.isStored() ? type : null;
    }

    /**
     * Nested documents have no source.
     *
     * @param reader the option or the query that reads the text
     */
    void requireOutsideOfNested(String reader) {
        ObjectMapper nested = shard.nestedScope().getObjectMapper();
        if (nested != null) {
            throw new QueryShardException(
                    shard,
                    "[" + reader + "] must be outside of [nested], whose documents have no source to read a text from,"
                            + " got: path [" + nested.fullPath() + "]");
        }
    }

    /** Such fields have no sub-fields and stand in the source under their own path. */
    private boolean isInFlatObject(Set<String> paths) {
        return paths.stream()
                .map(shard.getMapperService()::fieldType)
                .allMatch(type -> type != null && FlatObjectFieldMapper.CONTENT_TYPE.equals(type.typeName()));
    }

    /** Without a text, no document matches, and nothing says why. */
    void requireKept() {
        if (storedField() != null) {
            return;
        }
        ObjectMapper object = shard.getObjectMapper(field);
        if (object != null && object.isEnabled()) {
            throw refusal(
                    "holds a text", "which is an object in [" + shard.index().getName() + "]");
        }
        MappedFieldType type = shard.fieldMapper(field);
        // An alias or a sub-field. A target of {@code copy_to} may have a text of its own.
        Set<String> paths = type == null ? Set.of(field) : shard.sourcePath(type.name());
        if (paths.contains(field) == false && isInFlatObject(paths) == false) {
            throw refusal(
                    "has its text in [_source] or stored",
                    "whose text in [" + shard.index().getName() + "] is that of " + new TreeSet<>(paths));
        }
        // A derived field is made when it is read.
        if (type instanceof DerivedFieldType || new KeptSource(shard).has(field) == false) {
            throw refusal(
                    "is kept in [_source] or stored",
                    "which is neither in [" + shard.index().getName() + "]");
        }
    }

    private QueryShardException refusal(String rule, String what) {
        return new QueryShardException(
                shard, "[verify] must have a [field] that " + rule + ", got: [" + field + "], " + what);
    }
}
