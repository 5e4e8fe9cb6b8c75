/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Map;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.ingest.DocumentTexts;

/** Where an index keeps the text that verification compares: in {@code _source}, else in a stored field. */
record KeptText(QueryShardContext shard, String field) {

    /** Null where texts are in the source only. */
    MappedFieldType storedField() {
        MappedFieldType type = shard.getMapperService().fieldType(field);
        return type != null && type.isStored() ? type : null;
    }

    /** Refuses indices and places where no document could be verified: none would match, and nobody would know why. */
    void require() {
        ObjectMapper nested = shard.nestedScope().getObjectMapper();
        if (nested != null) {
            throw new QueryShardException(
                    shard,
                    "[verify] must be outside of [nested], whose documents have no source to read a text from, got: path ["
                            + nested.fullPath() + "]");
        }
        DocumentMapper mapper = shard.getMapperService().documentMapper();
        if (mapper != null && isInSource(mapper.sourceMapper()) == false && storedField() == null) {
            throw new QueryShardException(
                    shard,
                    "[verify] must have a [field] that is kept in [_source] or stored, got: [" + field
                            + "], which is neither in [" + shard.index().getName() + "]");
        }
    }

    private boolean isInSource(SourceFieldMapper source) {
        if (source.isComplete()) {
            return true;
        }
        return source.enabled() && DocumentTexts.has(field, filtered(source));
    }

    /** What is kept of a document that has nothing but the text. */
    private Map<String, Object> filtered(SourceFieldMapper source) {
        Object document = "text";
        String[] path = field.split("\\.", -1);
        for (int i = path.length - 1; i >= 0; i--) {
            document = Map.of(path[i], document);
        }
        return XContentMapValues.filter(
                XContentMapValues.nodeMapValue(document, "document"),
                source.getIncludes().toArray(String[]::new),
                source.getExcludes().toArray(String[]::new));
    }
}
