/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.Map;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.ingest.DocumentTexts;

/** What the mapping of an index keeps of documents in {@code _source}. */
public record KeptSource(QueryShardContext shard) {

    /** Mapped or not. Cheap if the mapping leaves out nothing. */
    public boolean has(String path) {
        DocumentMapper mapper = shard.getMapperService().documentMapper();
        if (mapper == null || mapper.sourceMapper().isComplete()) {
            return true;
        }
        SourceFieldMapper source = mapper.sourceMapper();
        return source.enabled() && keeps(path, source.getIncludes(), source.getExcludes());
    }

    public static boolean keeps(String path, Collection<String> includes, Collection<String> excludes) {
        Object document = "value";
        String[] names = path.split("\\.", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            document = Map.of(names[i], document);
        }
        Map<String, Object> kept = XContentMapValues.filter(
                XContentMapValues.nodeMapValue(document, "document"),
                includes.toArray(String[]::new),
                excludes.toArray(String[]::new));
        return DocumentTexts.has(path, kept);
    }
}
