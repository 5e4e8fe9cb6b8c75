/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.simhash.core.fingerprint.TagFields;

/**
 * From which documents people keep one apart. Two documents are apart while each names the other's {@code _id}. A text that has
 * changed has lost its names, so that it is apart from none until people are asked again. The name of an index plays no
 * part: the same {@code _id} in another index is the same document.
 *
 * @param id of the document; null if it is not known, and then it is apart from none
 * @param named the ids in its {@value TagFields#APART}
 */
public record Apart(String id, Set<String> named) {

    /** Reads the documents of a leaf, in their order. */
    @FunctionalInterface
    public interface Leaf {
        Apart of(int doc, String id) throws IOException;
    }

    /** Of the values in a document's source or in its doc values. */
    public static Apart of(String id, Collection<?> values) {
        return new Apart(id, values.stream().map(Object::toString).collect(Collectors.toSet()));
    }

    /**
     * By doc values.
     *
     * @param field as {@code ValuesField} finds it; documents of an index that does not map it, null, name none
     */
    public static Leaf open(LeafReader reader, MappedFieldType field) throws IOException {
        FieldInfo info = field == null ? null : reader.getFieldInfos().fieldInfo(field.name());
        SortedSetDocValues values = info != null && info.getDocValuesType() == DocValuesType.SORTED_SET
                ? reader.getSortedSetDocValues(field.name())
                : DocValues.emptySortedSet();
        return (doc, id) -> {
            Set<String> named = new HashSet<>();
            for (int i = values.advanceExact(doc) ? values.docValueCount() : 0; i > 0; i--) {
                named.add(values.lookupOrd(values.nextOrd()).utf8ToString());
            }
            return new Apart(id, named);
        };
    }

    public boolean isFrom(Apart other) {
        return id != null && other.id != null && named.contains(other.id) && other.named.contains(id);
    }
}
