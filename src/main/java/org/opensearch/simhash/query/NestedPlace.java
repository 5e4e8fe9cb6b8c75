/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.opensearch.index.mapper.MappingLookup;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.fingerprint.FingerprintFields;

/**
 * Which documents have a fingerprint: those of the index, or the nested ones that OpenSearch makes per element of an array.
 *
 * @param object the fingerprint
 */
record NestedPlace(QueryShardContext shard, String object) {

    /** Paths of type nested; null stands for the documents of the index. */
    private Set<String> places() {
        MappingLookup mappers = shard.getMapperService().documentMapper().mappers();
        Set<String> places = new LinkedHashSet<>();
        String path = mappers.getNestedScope(object + "." + FingerprintFields.BITS);
        places.add(path);
        while (path != null) {
            String outer = mappers.getNestedScope(path);
            ObjectMapper.Nested nested = shard.getObjectMapper(path).nested();
            if (places.contains(path) && nested.isIncludeInParent()) {
                places.add(outer);
            }
            if (places.contains(path) && nested.isIncludeInRoot()) {
                places.add(null);
            }
            path = outer;
        }
        return places;
    }

    /** Whether documents of the index have the fingerprint. */
    boolean isOutside() {
        return places().contains(null);
    }

    /**
     * Fails if the query stands at another level than the documents with the fingerprint. It would find nothing there.
     *
     * @throws org.opensearch.index.query.QueryShardException naming the path
     */
    void requireScope() {
        if (shard.getMapperService().documentMapper().hasNestedObjects() == false) {
            return;
        }
        ObjectMapper scope = shard.nestedScope().getObjectMapper();
        String path = scope == null ? null : scope.fullPath();
        Set<String> places = places();
        if (places.contains(path)) {
            return;
        }
        String inside = places.stream().filter(Objects::nonNull).findFirst().orElse(null);
        String rule = inside == null
                ? "must stand outside of [nested] queries, as [" + object + "] is an object of the documents themselves"
                : "must stand in a [nested] query of [path] [" + inside + "], as [" + object + "] is inside of ["
                        + inside + "] of type [nested]";
        throw FingerprintMapping.error(
                shard, object, rule + ", got: " + (path == null ? "no [nested] query" : "[path] [" + path + "]"));
    }
}
