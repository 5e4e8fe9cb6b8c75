/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Optional;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.ObjectMapper.Dynamic;
import org.opensearch.index.query.QueryShardContext;

/** What an index makes of fields that its mapping does not name. */
record UnmappedFields(QueryShardContext context) {

    /** The setting by which no document's fields below an object are indexed; empty where they are, or the object is not mapped. */
    Optional<String> whyLeftOut(String object) {
        ObjectMapper mapper = context.getObjectMapper(object);
        if (mapper == null) {
            return Optional.empty();
        }
        if (mapper.isEnabled() == false) {
            return Optional.of("[enabled] [false]");
        }
        return dynamic(mapper) == Dynamic.FALSE ? Optional.of("[dynamic] [false]") : Optional.empty();
    }

    /** Its own, or that of the nearest object around it that has one. */
    private Dynamic dynamic(ObjectMapper mapper) {
        Dynamic dynamic = mapper.dynamic();
        for (String path = mapper.fullPath(); dynamic == null && path.contains("."); ) {
            path = path.substring(0, path.lastIndexOf('.'));
            dynamic = context.getObjectMapper(path).dynamic();
        }
        return dynamic == null
                ? context.getMapperService().documentMapper().root().dynamic()
                : dynamic;
    }
}
