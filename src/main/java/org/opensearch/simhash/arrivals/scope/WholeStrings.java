/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.util.Map;
import java.util.Set;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.ValuesField;

/**
 * Chooses the field that matches whole strings: the field itself, or the {@code keyword} that dynamic mapping adds
 * below a text, which matches words.
 */
public final class WholeStrings {

    private static final Set<String> TEXTS = Set.of("text", "match_only_text");
    private static final Set<String> WHOLE = Set.of("keyword", "wildcard");

    private WholeStrings() {}

    /**
     * The definition of the matching field, or null if there is none.
     *
     * @param mapped definition of the named field
     */
    public static Map<?, ?> in(Map<?, ?> mapped) {
        Map<?, ?> found = isText(mapped) ? below(mapped) : mapped;
        boolean isFound = found != null && WHOLE.contains(String.valueOf(found.get("type"))) && isIndexed(found);
        return isFound ? found : null;
    }

    /**
     * Refuses an index that would lose ids in a field.
     *
     * @param who writes them
     * @param length of an id, in characters
     * @throws IllegalArgumentException naming the field and its type
     */
    public static void require(String who, String index, IndexMapping mapping, String name, int length) {
        Map<?, ?> mapped = mapping.definition(name);
        if (mapped == null) {
            return;
        }
        // A text field that is not indexed does not answer an exists query.
        boolean isIndexed = isIndexed(mapped);
        if (in(mapped) == null || isIndexed == false) {
            String type = mapped.get("type") == null ? "object" : String.valueOf(mapped.get("type"));
            String below = isText(mapped) ? " without an indexed [keyword] below it" : "";
            throw new IllegalArgumentException(who + " needs [" + name + "] of type [keyword], got: [" + index
                    + "], where it is of type [" + type + "]" + (isIndexed ? below : " and not indexed"));
        }
        if (longest(mapped) < length) {
            throw new IllegalArgumentException(who + " needs [" + name + "] with an [ignore_above] of at least "
                    + length + ", got: " + longest(mapped) + " in [" + index + "]");
        }
    }

    /** Length of the longest string that a field matches, in characters. */
    public static int longest(Map<?, ?> mapped) {
        Map<?, ?> found = in(mapped);
        return found != null && found.get("ignore_above") instanceof Number ignoreAbove
                ? ignoreAbove.intValue()
                : Integer.MAX_VALUE;
    }

    /** Whether a field matches words. */
    public static boolean isText(Map<?, ?> mapped) {
        return TEXTS.contains(String.valueOf(mapped.get("type")));
    }

    /** Whether a field of strings is searchable, sub-fields aside. */
    public static boolean isIndexed(Map<?, ?> mapped) {
        return isOn(mapped, "index") || (isKeyword(mapped) && isOn(mapped, "doc_values"));
    }

    private static Map<?, ?> below(Map<?, ?> text) {
        return text.get("fields") instanceof Map<?, ?> fields
                        && fields.get(ValuesField.SUB_FIELD.substring(1)) instanceof Map<?, ?> below
                        && isKeyword(below)
                ? below
                : null;
    }

    private static boolean isKeyword(Map<?, ?> field) {
        return KeywordFieldMapper.CONTENT_TYPE.equals(field.get("type"));
    }

    private static boolean isOn(Map<?, ?> mapped, String parameter) {
        return "false".equals(String.valueOf(mapped.get(parameter))) == false;
    }

    /** The name of the field in a shard; of the text itself if there is no keyword; null if nothing is mapped. */
    public static String in(QueryShardContext context, String name) {
        MappedFieldType type = context.getMapperService().fieldType(name);
        MappedFieldType below = context.getMapperService().fieldType(name + ValuesField.SUB_FIELD);
        boolean isBelow = type != null
                && TEXTS.contains(type.typeName())
                && below != null
                && KeywordFieldMapper.CONTENT_TYPE.equals(below.typeName());
        return type == null ? null : isBelow ? below.name() : name;
    }
}
