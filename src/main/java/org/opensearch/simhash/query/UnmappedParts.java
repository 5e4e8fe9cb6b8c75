/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.function.Predicate;
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
     * Looks at the parts that targets have.
     *
     * @throws QueryShardException when documents may have one of them that is not mapped, naming it
     */
    void require(List<Target> targets, IndexedFields fields) {
        require(
                FingerprintFields.BITS,
                fields.bits(),
                targets,
                target -> target.bits().isPresent());
        require(FingerprintFields.DIGEST, fields.digest(), targets, target -> target.digest() != null);
        require(FingerprintFields.SCHEME, fields.scheme(), targets, target -> target.scheme() != null);
    }

    private void require(String part, String name, List<Target> targets, Predicate<Target> has) {
        if (shard.getMapperService().fieldType(name) == null
                && isLeftAside()
                && targets.stream().anyMatch(has)) {
            throw new QueryShardException(
                    shard,
                    "[simhash] [" + object + "." + part + "] must be mapped, but is not, and [" + object
                            + "] has [dynamic] [false]; map [" + object
                            + "] as in the plugin's config/index-template.json");
        }
    }

    private boolean isLeftAside() {
        ObjectMapper mapper = shard.getObjectMapper(object);
        Dynamic dynamic = mapper == null ? null : dynamic(mapper);
        return dynamic == Dynamic.FALSE || dynamic == Dynamic.FALSE_ALLOW_TEMPLATES;
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
