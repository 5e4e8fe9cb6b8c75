/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.ObjectMapper.Dynamic;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.IndexedFields;
import org.opensearch.simhash.match.Target;

/**
 * Parts of fingerprints that a mapping does not name. No document has them, unless the mapping leaves aside what it does not name:
 * then documents have them, and would not be found by them.
 *
 * @param object the fingerprint
 */
record UnmappedParts(QueryShardContext shard, String object) {

    /**
     * Looks at all parts, for who reads them.
     *
     * @throws QueryShardException when documents may have one of them that is not mapped, naming it
     */
    void requireAll(IndexedFields fields) {
        require(FingerprintFields.BITS, fields.bits());
        require(FingerprintFields.DIGEST, fields.digest());
        require(FingerprintFields.SCHEME, fields.scheme());
    }

    /** Looks at the parts that targets have; fails as the other. */
    void require(List<Target> targets, IndexedFields fields) {
        if (targets.stream().anyMatch(target -> target.bits().isPresent())) {
            require(FingerprintFields.BITS, fields.bits());
        }
        if (targets.stream().anyMatch(target -> target.digest() != null)) {
            require(FingerprintFields.DIGEST, fields.digest());
        }
        if (targets.stream().anyMatch(target -> target.scheme() != null)) {
            require(FingerprintFields.SCHEME, fields.scheme());
        }
    }

    private void require(String part, String name) {
        if (shard.getMapperService().fieldType(name) == null && isLeftAside()) {
            throw FingerprintMapping.error(
                    shard,
                    object,
                    "[" + object + "." + part + "] must be mapped, but is not, and [" + object
                            + "] has [dynamic] [false]");
        }
    }

    private boolean isLeftAside() {
        ObjectMapper mapper = shard.getObjectMapper(object);
        return mapper != null && dynamic(mapper) == Dynamic.FALSE;
    }

    /** Its own, or that of the nearest object around it that has one. */
    private Dynamic dynamic(ObjectMapper mapper) {
        Dynamic dynamic = mapper.dynamic();
        for (String path = mapper.fullPath(); dynamic == null && path.contains("."); ) {
            path = path.substring(0, path.lastIndexOf('.'));
            dynamic = shard.getObjectMapper(path).dynamic();
        }
        return dynamic == null
                ? shard.getMapperService().documentMapper().root().dynamic()
                : dynamic;
    }
}
