/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.query.QueryShardContext;

/**
 * Chooses the field with comparable values: the field itself, or the {@code keyword} that dynamic mapping adds below a
 * text.
 */
public final class ValuesField {

    public static final String SUB_FIELD = ".keyword";

    private ValuesField() {}

    /** Whether the sub-field has the values. */
    public static boolean isBelow(String type, String subType, boolean subHasValues) {
        return type.equals(TextFieldMapper.CONTENT_TYPE)
                && subHasValues
                && KeywordFieldMapper.CONTENT_TYPE.equals(subType);
    }

    /** Null if the index does not map the field. */
    public static MappedFieldType of(QueryShardContext context, String name) {
        MappedFieldType type = context.getMapperService().fieldType(name);
        MappedFieldType below = context.getMapperService().fieldType(name + SUB_FIELD);
        return type != null && below != null && isBelow(type.typeName(), below.typeName(), below.isAggregatable())
                ? below
                : type;
    }
}
