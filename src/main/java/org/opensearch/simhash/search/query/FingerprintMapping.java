/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.BinaryFieldMapper;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MappingLookup;
import org.opensearch.index.mapper.NumberFieldMapper.NumberType;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;

/**
 * Finds the Lucene fields of a fingerprint in the mapping of an index: that of the template or the dynamic one ({@code text} with
 * a {@code keyword} sub-field). Everything else is refused: aliases, and names that are patterns.
 */
public record FingerprintMapping(QueryShardContext context, String object) {

    /** In characters. Segments are not here: without them, the bits are compared. */
    private static final Map<String, Integer> LENGTHS = Map.of(
            FingerprintFields.DIGEST,
            Fingerprint.DIGEST_LENGTH,
            FingerprintFields.SCHEME,
            FingerprintFields.SCHEME_LENGTH);

    private static final String EVERY_CHARACTER = "v3-given-phash-0123456789abcdef";

    /**
     * Empty if the index has no fingerprints.
     *
     * @throws QueryShardException naming the field, its type and the right mapping
     */
    public Optional<IndexedFields> fields() {
        Optional<IndexedFields> fields = mapped();
        if (fields.isEmpty()) {
            // Fails if the index forbids unmapped fields, as every query does.
            context.fieldMapper(object + "." + FingerprintFields.BITS);
        }
        return fields;
    }

    /**
     * The fields that a document's fingerprint can be read from: bits and scheme from its doc values, the digest from doc values
     * or {@code _source}. Empty if the index has no fingerprints, even if it forbids unmapped fields in queries.
     *
     * @throws QueryShardException as {@link #fields}
     */
    public Optional<IndexedFields> readableFields() {
        Optional<IndexedFields> fields = mapped();
        new UnmappedParts(context, object).requireAll();
        fields.ifPresent(names -> {
            requireOutsideOfNested();
            if (lacksDocValues(names.scheme())) {
                throw error("[" + names.scheme()
                        + "] must be of type [keyword] with doc values, but is without doc values");
            }
            // The error names doc values, because the template maps digests without them.
            boolean isSourceKept =
                    context.getMapperService().documentMapper().sourceMapper().enabled();
            if (lacksDocValues(names.digest()) && isSourceKept == false) {
                throw new QueryShardException(
                        context,
                        "[simhash] [" + names.digest()
                                + "] must have doc values, because the index keeps no [_source] to"
                                + " read it from; the plugin's config/index-template.json maps it without");
            }
        });
        return fields;
    }

    /** Why the digest of a hit cannot be read: it is neither in doc values nor in {@code _source}. */
    public Optional<String> whyHitsLackDigests(IndexedFields names) {
        boolean isKept = new KeptSource(context).has(object + "." + FingerprintFields.DIGEST);
        return isKept || lacksDocValues(names.digest()) == false
                ? Optional.empty()
                : Optional.of(
                        "[" + names.digest() + "] must have doc values, because [_source] leaves it out, and a text too"
                                + " short for a fingerprint has nothing else");
    }

    /** A nested fingerprint has no values in the document itself. */
    private void requireOutsideOfNested() {
        if (new NestedPlace(context, object).isOutside() == false) {
            String path = context.getMapperService()
                    .documentMapper()
                    .mappers()
                    .getNestedScope(object + "." + FingerprintFields.BITS);
            throw error("[field] must be an object of the document itself, but [" + object + "] is inside of [" + path
                    + "] of type [nested]");
        }
    }

    private boolean lacksDocValues(String name) {
        MappedFieldType type = fieldType(name);
        return type != null && type.hasDocValues() == false;
    }

    private Optional<IndexedFields> mapped() {
        MappedFieldType itself = fieldType(object);
        if (itself != null) {
            throw error("[field] must be the object that the [simhash] processor writes, but [" + object
                    + "] is of type [" + itself.typeName() + "]");
        }
        requireEnabled();
        String bits = bits();
        String digest = keyword(FingerprintFields.DIGEST);
        if (bits == null && digest == null && hasLongBits() == false) {
            return Optional.empty();
        }
        String suffix = segmentSuffix();
        return Optional.of(new IndexedFields(
                orUnmapped(bits, FingerprintFields.BITS),
                orUnmapped(digest, FingerprintFields.DIGEST),
                orUnmapped(keyword(FingerprintFields.SCHEME), FingerprintFields.SCHEME),
                object + "." + FingerprintFields.SEGMENT,
                suffix));
    }

    /** Otherwise documents have fingerprints that no search finds. */
    private void requireEnabled() {
        for (int end = object.length(); end > 0; end = object.lastIndexOf('.', end - 1)) {
            String path = object.substring(0, end);
            ObjectMapper mapper = context.getObjectMapper(path);
            if (mapper != null && mapper.isEnabled() == false) {
                throw error("[" + object + "] must be an object with mapped fields, but [" + path
                        + "] is of type [object] with [enabled] false");
            }
        }
    }

    private String bits() {
        String name = object + "." + FingerprintFields.BITS;
        MappedFieldType type = fieldType(name);
        if (type == null) {
            if (fieldType(object + "." + FingerprintFields.segment(0)) != null && hasLongBits() == false) {
                throw error("[" + name + "] must be of type [long] with doc values, but is not mapped");
            }
            return null;
        }
        if (type.name().equals(name) == false) {
            throw error(
                    "[" + name + "] must be of type [long] with doc values, but is an alias of [" + type.name() + "]");
        }
        if (type.typeName().equals(NumberType.LONG.typeName()) == false || type.hasDocValues() == false) {
            throw error("[" + name + "] must be of type [long] with doc values, but is of type [" + type.typeName()
                    + "]" + (type.hasDocValues() ? "" : " without doc values"));
        }
        return type.name();
    }

    private boolean hasLongBits() {
        return fieldType(object + "." + FingerprintFields.BITS_256) != null;
    }

    /**
     * The fields of fingerprints of a length.
     *
     * @param fields of 64 bits
     * @throws QueryShardException naming the field, its type and the right mapping
     */
    public IndexedFields ofLength(IndexedFields fields, int length) {
        if (length == Long.SIZE) {
            return fields;
        }
        String name = object + "." + FingerprintFields.bits(length);
        MappedFieldType type = fieldType(name);
        MappedFieldType values = type != null && type.typeName().equals(TextFieldMapper.CONTENT_TYPE)
                ? fieldType(name + IndexMapping.SUB_FIELD)
                : type;
        boolean isReadable = values == null
                || (values.hasDocValues()
                        && (values.typeName().equals(BinaryFieldMapper.CONTENT_TYPE)
                                || values.typeName().equals(KeywordFieldMapper.CONTENT_TYPE)));
        if (isReadable == false
                || (type != null && (values == null || type.name().equals(name) == false))) {
            throw error("[" + name + "] must be of type [binary] with doc values, but is of type [" + type.typeName()
                    + "]" + (type.hasDocValues() ? "" : " without doc values"));
        }
        return fields.withBits(values == null ? name : values.name());
    }

    private String segmentSuffix() {
        String suffix = null;
        for (int i = 0; i < SegmentLayout.MAX_OF_WORDS; i++) {
            String term = keyword(FingerprintFields.segment(i));
            if (term != null) {
                String found = term.endsWith(IndexMapping.SUB_FIELD) ? IndexMapping.SUB_FIELD : "";
                if (suffix != null && suffix.equals(found) == false) {
                    String name = object + "." + FingerprintFields.segment(i);
                    throw error("[" + name + "] must be mapped like the segments before it, but is of type ["
                            + fieldType(name).typeName() + "]");
                }
                suffix = found;
            }
        }
        return suffix == null ? "" : suffix;
    }

    /** The field with the terms of a keyword; null if it is not mapped. */
    private String keyword(String part) {
        String name = object + "." + part;
        MappedFieldType type = fieldType(name);
        if (type == null) {
            return null;
        }
        if (type.name().equals(name) == false) {
            throw error("[" + name + "] must be of type [keyword], but is an alias of [" + type.name() + "]");
        }
        MappedFieldType terms =
                type.typeName().equals(TextFieldMapper.CONTENT_TYPE) ? fieldType(name + IndexMapping.SUB_FIELD) : type;
        if (terms == null
                || terms.typeName().equals(KeywordFieldMapper.CONTENT_TYPE) == false
                || terms.isSearchable() == false) {
            throw error(
                    "[" + name + "] must be of type [keyword], or [text] with a [keyword] sub-field, but is of type ["
                            + type.typeName() + "]"
                            + (terms != null && terms.isSearchable() == false ? " and not indexed" : ""));
        }
        requireWholeTerms(name, type, terms, part);
        return terms.name();
    }

    /** Values that the mapping drops or rewrites are not found. A normalizer that lowercases is harmless. */
    private void requireWholeTerms(String name, MappedFieldType type, MappedFieldType terms, String part) {
        Mapper mapper = context.getMapperService().documentMapper().mappers().getMapper(terms.name());
        NamedAnalyzer normalizer = terms.indexAnalyzer();
        boolean isKept = normalizer
                .normalize(terms.name(), EVERY_CHARACTER)
                .utf8ToString()
                .equals(EVERY_CHARACTER);
        String wrong = null;
        if (mapper instanceof KeywordFieldMapper == false) {
            wrong = "a pattern for its name";
        } else if (((KeywordFieldMapper) mapper).ignoreAbove() < LENGTHS.getOrDefault(part, 0)) {
            wrong = "[ignore_above] " + ((KeywordFieldMapper) mapper).ignoreAbove();
        } else if (isKept == false) {
            wrong = "[normalizer] " + normalizer.name();
        }
        if (wrong != null) {
            throw error("[" + name + "] must be of type [keyword] with all values as they are, but is of type ["
                    + type.typeName() + "] with " + wrong);
        }
    }

    /** Null if unmapped, even where the index forbids unmapped fields: some parts are optional. */
    private MappedFieldType fieldType(String name) {
        return context.getMapperService().fieldType(name);
    }

    private String orUnmapped(String name, String part) {
        return name == null ? object + "." + part : name;
    }

    private QueryShardException error(String message) {
        return UnmappedParts.error(context, object, message);
    }

    /**
     * Caches the fields of fingerprints per index, because finding them takes some twenty look-ups per shard and search. An entry is
     * valid until the mapping changes. Missing fields are not cached: their names are unlimited. Thread-safe. Takes some hundred
     * bytes per index and object.
     */
    static final class KnownFields {

        /** At this size the cache starts over. Nothing tells of deleted indices. */
        static final int MOST = 1000;

        private record IndexedObject(String index, String object) {}

        private record Known(WeakReference<DocumentMapper> mapping, IndexedFields fields) {}

        private final Map<IndexedObject, Known> known = new ConcurrentHashMap<>();

        Optional<IndexedFields> of(QueryShardContext shard, String object) {
            DocumentMapper mapping = shard.getMapperService().documentMapper();
            IndexedObject place =
                    new IndexedObject(shard.getFullyQualifiedIndex().getUUID(), object);
            Known before = known.get(place);
            if (mapping != null && before != null && before.mapping().refersTo(mapping)) {
                return Optional.of(before.fields());
            }
            Optional<IndexedFields> fields = new FingerprintMapping(shard, object).fields();
            WeakReference<DocumentMapper> found = new WeakReference<>(mapping);
            // Caches only if the mapping did not change meanwhile.
            if (mapping != null
                    && fields.isPresent()
                    && found.refersTo(shard.getMapperService().documentMapper())) {
                if (known.size() >= MOST) {
                    known.clear();
                }
                known.put(place, new Known(found, fields.get()));
            }
            return fields;
        }
    }

    /** Which documents have a fingerprint: those of the index, or the nested ones that OpenSearch makes per element of an array. */
    record NestedPlace(QueryShardContext shard, String object) {

        /** Paths of type nested; null stands for the documents of the index. */
        private Set<String> places() {
            MappingLookup mappers = shard.getMapperService().documentMapper().mappers();
            Set<String> places = new LinkedHashSet<>();
            String path = mappers.getNestedScope(object + "." + FingerprintFields.BITS);
            places.add(path);
            while (path != null) {
                String outer = mappers.getNestedScope(path);
                ObjectMapper.Nested nested = shard.getObjectMapper(path).nested();
                if (places.contains(path) && nested.isIncludeInParent()) {
                    places.add(outer);
                }
                if (places.contains(path) && nested.isIncludeInRoot()) {
                    places.add(null);
                }
                path = outer;
            }
            return places;
        }

        /** Whether documents of the index have the fingerprint. */
        boolean isOutside() {
            return places().contains(null);
        }

        /**
         * Fails if the query stands at another level than the documents with the fingerprint. It would find nothing there.
         *
         * @throws org.opensearch.index.query.QueryShardException naming the path
         */
        void requireScope() {
            if (shard.getMapperService().documentMapper().hasNestedObjects() == false) {
                return;
            }
            ObjectMapper scope = shard.nestedScope().getObjectMapper();
            String path = scope == null ? null : scope.fullPath();
            Set<String> places = places();
            if (places.contains(path)) {
                return;
            }
            String inside = places.stream().filter(Objects::nonNull).findFirst().orElse(null);
            String rule = inside == null
                    ? "must stand outside of [nested] queries, as [" + object
                            + "] is an object of the documents themselves"
                    : "must stand in a [nested] query of [path] [" + inside + "], as [" + object + "] is inside of ["
                            + inside + "] of type [nested]";
            throw UnmappedParts.error(
                    shard, object, rule + ", got: " + (path == null ? "no [nested] query" : "[path] [" + path + "]"));
        }
    }

    /**
     * Finds the Lucene fields of a sketch or of passages in an index's mapping. Dynamic mapping would make them texts, which cannot
     * be compared, so the mapping must be that of the index template.
     *
     * @param object of the sketch, or of the passages
     */
    public record SketchMapping(QueryShardContext shard, SketchKind kind, String object) {

        /**
         * Empty if the index has none.
         *
         * @throws QueryShardException naming the field, its type and the mapping to use
         */
        Optional<IndexedFields> fields() {
            if (kind == SketchKind.PASSAGES) {
                return type(part(FingerprintFields.TERMS)) == null
                        ? unmapped(FingerprintFields.TERMS)
                        : Optional.of(ofTerms(keyword(FingerprintFields.TERMS)));
            }
            if (type(object) != null) {
                throw error("[field] must be the object that the [minhash] processor writes, but [" + object
                        + "] is of type [" + type(object).typeName() + "]");
            }
            MappedFieldType sketch = type(part(FingerprintFields.SKETCH));
            if (sketch == null
                    && type(part(FingerprintFields.DIGEST)) == null
                    && type(part(FingerprintFields.BANDS)) == null) {
                return unmapped(FingerprintFields.SKETCH);
            }
            if (sketch == null
                    || sketch.typeName().equals(BinaryFieldMapper.CONTENT_TYPE) == false
                    || sketch.hasDocValues() == false) {
                throw error("[" + part(FingerprintFields.SKETCH) + "] must be of type [binary] with doc values, but is "
                        + described(sketch));
            }
            String bands = keyword(FingerprintFields.BANDS);
            return Optional.of(new IndexedFields(
                    sketch.name(),
                    keyword(FingerprintFields.DIGEST),
                    keyword(FingerprintFields.SCHEME),
                    List.of(bands)));
        }

        /**
         * The fields with doc values of the scheme. Empty if the index has no sketches, also if it forbids unmapped fields.
         *
         * @throws QueryShardException as {@link #fields}
         */
        public Optional<IndexedFields> readableFields() {
            boolean isMapped = FingerprintFields.allOfSketch().anyMatch(part -> type(part(part)) != null);
            Optional<IndexedFields> fields = isMapped ? fields() : Optional.empty();
            if (isMapped && type(part(FingerprintFields.SCHEME)).hasDocValues() == false) {
                throw error("[" + part(FingerprintFields.SCHEME)
                        + "] must be of type [keyword] with doc values, but is without doc values");
            }
            return fields;
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

        private static IndexedFields ofTerms(String terms) {
            return new IndexedFields(terms, terms, terms, List.of());
        }

        /** Fails if the index forbids unmapped fields, as every query does. */
        private Optional<IndexedFields> unmapped(String part) {
            shard.fieldMapper(part(part));
            return Optional.empty();
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
                    shard,
                    "[" + kind + "] " + message + "; map [" + object
                            + "] as in the plugin's config/index-template.json");
        }
    }
}
