/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.query.QueryShardContext;

/**
 * Which field of an index has the values that documents are compared by: the field itself, or the {@code keyword} that dynamic
 * mapping puts below a text, which has no such values.
 */
public final class ValuesField {

    /** Of a text, in its own index. */
    public static final String SUB_FIELD = ".keyword";

    private ValuesField() {}

    /** Whether a field's values are those of its sub-field. */
    public static boolean isBelow(String type, boolean hasValues, String subType, boolean subHasValues) {
        return hasValues == false
                && type.equals(TextFieldMapper.CONTENT_TYPE)
                && subHasValues
                && KeywordFieldMapper.CONTENT_TYPE.equals(subType);
    }

    /** Null where an index does not map it. */
    static MappedFieldType of(QueryShardContext context, String name) {
        MappedFieldType type = context.getMapperService().fieldType(name);
        MappedFieldType below = context.getMapperService().fieldType(name + SUB_FIELD);
        return type != null
                        && below != null
                        && isBelow(type.typeName(), type.isAggregatable(), below.typeName(), below.isAggregatable())
                ? below
                : type;
    }
}
