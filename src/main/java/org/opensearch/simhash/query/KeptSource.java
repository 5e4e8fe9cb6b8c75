/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Map;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.ingest.DocumentTexts;

/** What the mapping of an index keeps of documents in {@code _source}. */
public record KeptSource(QueryShardContext shard) {

    /** Whether a field is kept, mapped or not: next to nothing to ask where the mapping leaves out nothing. */
    public boolean has(String path) {
        DocumentMapper mapper = shard.getMapperService().documentMapper();
        if (mapper == null || mapper.sourceMapper().isComplete()) {
            return true;
        }
        return mapper.sourceMapper().enabled() && DocumentTexts.has(path, filtered(path, mapper.sourceMapper()));
    }

    /** What is kept of a document that has nothing but the field. */
    private static Map<String, Object> filtered(String path, SourceFieldMapper source) {
        Object document = "value";
        String[] names = path.split("\\.", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            document = Map.of(names[i], document);
        }
        return XContentMapValues.filter(
                XContentMapValues.nodeMapValue(document, "document"),
                source.getIncludes().toArray(String[]::new),
                source.getExcludes().toArray(String[]::new));
    }
}
