/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.List;
import java.util.Optional;
import org.opensearch.index.mapper.BinaryFieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.MinHashQuery.SketchedFields;

/**
 * Finds the Lucene fields of a sketch in an index's mapping. Dynamic mapping would make it a text, which cannot be
 * compared, so the mapping must be that of the index template.
 *
 * @param object of the sketch
 */
public record SketchMapping(QueryShardContext shard, String object) {

    /**
     * Empty if the index has no sketches.
     *
     * @throws QueryShardException naming the field, its type and the mapping to use
     */
    Optional<SketchedFields> fields() {
        if (type(object) != null) {
            throw error("[field] must be the object that the [minhash] processor writes, but [" + object
                    + "] is of type [" + type(object).typeName() + "]");
        }
        MappedFieldType sketch = type(part(SketchFields.SKETCH));
        if (sketch == null && type(part(SketchFields.DIGEST)) == null && type(part(SketchFields.BANDS)) == null) {
            // Fails if the index forbids unmapped fields, as every query does.
            shard.fieldMapper(part(SketchFields.SKETCH));
            return Optional.empty();
        }
        if (sketch == null
                || sketch.typeName().equals(BinaryFieldMapper.CONTENT_TYPE) == false
                || sketch.hasDocValues() == false) {
            throw error("[" + part(SketchFields.SKETCH) + "] must be of type [binary] with doc values, but is "
                    + described(sketch));
        }
        return Optional.of(new SketchedFields(
                keyword(SketchFields.BANDS),
                sketch.name(),
                keyword(SketchFields.DIGEST),
                keyword(SketchFields.SCHEME)));
    }

    /**
     * The fields with doc values of the scheme. Empty if the index has no sketches, also if it forbids unmapped fields.
     *
     * @throws QueryShardException as {@link #fields}
     */
    Optional<SketchedFields> readableFields() {
        boolean isMapped = SketchFields.all().anyMatch(part -> type(part(part)) != null);
        Optional<SketchedFields> fields = isMapped ? fields() : Optional.empty();
        if (isMapped && type(part(SketchFields.SCHEME)).hasDocValues() == false) {
            throw error("[" + part(SketchFields.SCHEME)
                    + "] must be of type [keyword] with doc values, but is without doc values");
        }
        return fields;
    }

    /**
     * The fields of {@link #readableFields} as those of a fingerprint, whose bits are the sketch.
     *
     * @throws QueryShardException as {@link #fields}
     */
    public static Optional<IndexedFields> indexedFields(QueryShardContext shard, String object) {
        return new SketchMapping(shard, object)
                .readableFields()
                .map(fields -> new IndexedFields(fields.sketch(), fields.digest(), fields.scheme(), List.of()));
    }

    private String keyword(String part) {
        MappedFieldType type = type(part(part));
        if (type == null
                || type.typeName().equals(KeywordFieldMapper.CONTENT_TYPE) == false
                || type.isSearchable() == false) {
            throw error("[" + part(part) + "] must be of type [keyword] and indexed, but is " + described(type));
        }
        return type.name();
    }

    private static String described(MappedFieldType type) {
        return type == null ? "not mapped" : "of type [" + type.typeName() + "]";
    }

    private String part(String name) {
        return object + "." + name;
    }

    private MappedFieldType type(String path) {
        return shard.getMapperService().fieldType(path);
    }

    private QueryShardException error(String message) {
        return new QueryShardException(
                shard, "[minhash] " + message + "; map [" + object + "] as in the plugin's config/index-template.json");
    }
}
