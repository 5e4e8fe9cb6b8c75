/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentTexts;

/** The mapping of an index. Parses it once. */
public final class IndexMapping {

    /** The {@code keyword} that dynamic mapping adds below a text. */
    public static final String SUB_FIELD = ".keyword";

    private static final Set<String> OBJECTS = Set.of("object", "nested");
    private static final Set<String> TEXTS = Set.of("text", "match_only_text");
    private static final Set<String> WHOLE = Set.of("keyword", "wildcard");

    private final Map<String, Object> mapping;

    public IndexMapping(IndexMetadata index) {
        this(index.mapping());
    }

    private IndexMapping(MappingMetadata mapping) {
        this.mapping = mapping == null ? Map.of() : mapping.sourceAsMap();
    }

    static IndexMapping of(QueryShardContext shard) {
        DocumentMapper mapper = shard.getMapperService().documentMapper();
        return new IndexMapping(mapper == null ? null : new MappingMetadata(mapper));
    }

    /** The field of an index that matches whole strings: a field itself, or the keyword below a text, which matches words. */
    public record WholeField(String name, Map<?, ?> definition) {

        /** In characters. It ignores longer strings. */
        public int longest() {
            return definition.get("ignore_above") instanceof Number most ? most.intValue() : Integer.MAX_VALUE;
        }

        public boolean hasValues() {
            return isOn(definition, "doc_values");
        }
    }

    /** Null if nothing is mapped, or nothing matches whole strings. */
    public WholeField whole(String path) {
        Map<?, ?> mapped = definition(path);
        Object below = mapped != null && isText(path) ? below(path + SUB_FIELD) : null;
        boolean isBelow = below instanceof Map<?, ?> keyword && isKeyword(keyword);
        Map<?, ?> found = isBelow ? (Map<?, ?>) below : mapped;
        boolean isFound = found != null && WHOLE.contains(type(found)) && isIndexed(found);
        return isFound ? new WholeField(isBelow ? path + SUB_FIELD : path, found) : null;
    }

    /**
     * Refuses an index that would lose ids in a field.
     *
     * @param length of an id, in characters
     */
    public void requireWhole(String who, String index, String name, int length) {
        Map<?, ?> mapped = definition(name);
        if (mapped == null) {
            return;
        }
        WholeField found = whole(name);
        // A text field that is not indexed does not answer an exists query.
        boolean isIndexed = isIndexed(mapped);
        if (found == null || isIndexed == false) {
            throw new IllegalArgumentException(
                    who + " needs [" + name + "] of type [keyword], got: [" + index + "], where it is of type ["
                            + type(mapped) + "]" + (isIndexed ? lacksWhole(name) : " and not indexed"));
        }
        if (found.longest() < length) {
            throw new IllegalArgumentException(who + " needs [" + name + "] with an [ignore_above] of at least "
                    + length + ", got: " + found.longest() + " in [" + index + "]");
        }
    }

    /** What a text lacks to match whole strings, for errors; empty for another type. */
    public String lacksWhole(String path) {
        return isText(path) ? " without an indexed [keyword] below it" : "";
    }

    public boolean isText(String path) {
        Map<?, ?> mapped = definition(path);
        return mapped != null && TEXTS.contains(type(mapped));
    }

    public static String type(Map<?, ?> definition) {
        return definition.get("type") == null ? "object" : String.valueOf(definition.get("type"));
    }

    private static boolean isKeyword(Map<?, ?> definition) {
        return KeywordFieldMapper.CONTENT_TYPE.equals(definition.get("type"));
    }

    /** Whether a field of strings is searchable, sub-fields aside. */
    private static boolean isIndexed(Map<?, ?> definition) {
        return isOn(definition, "index") || (isKeyword(definition) && isOn(definition, "doc_values"));
    }

    private static boolean isOn(Map<?, ?> definition, String parameter) {
        return "false".equals(String.valueOf(definition.get(parameter))) == false;
    }

    /** The field of a shard with whole strings: itself, or the keyword below a text. Null if the index does not map it. */
    public static MappedFieldType whole(QueryShardContext shard, String name) {
        MappedFieldType type = shard.getMapperService().fieldType(name);
        MappedFieldType below = shard.getMapperService().fieldType(name + SUB_FIELD);
        return type != null && below != null && isBelow(type.typeName(), below.typeName()) ? below : type;
    }

    /** Whether a sub-field has the whole strings of a field. */
    public static boolean isBelow(String type, String subType) {
        return TEXTS.contains(type) && KeywordFieldMapper.CONTENT_TYPE.equals(subType);
    }

    public boolean maps(String path) {
        return at(path) != null;
    }

    /** The definition of a field or an object, or null. */
    public Map<?, ?> definition(String path) {
        return at(path) instanceof Map<?, ?> found ? found : null;
    }

    /** Whether the path is an object with fields. An object that is not enabled may hold anything. */
    public boolean isObject(String path) {
        Map<?, ?> found = definition(path);
        boolean isLeaf = found == null
                || (found.containsKey("type") && OBJECTS.contains(String.valueOf(found.get("type"))) == false);
        return isLeaf == false && "false".equals(String.valueOf(found.get("enabled"))) == false;
    }

    /** The object that has a kind of print: the usual one, or the only other one that is mapped. The usual one also where none or several are. */
    public static String print(Metadata metadata, Collection<String> indices, SketchKind kind) {
        Set<String> found = new TreeSet<>();
        indices.stream()
                .map(metadata::index)
                .filter(Objects::nonNull) // else it was deleted meanwhile
                .map(index -> Set.copyOf(new IndexMapping(index).paths()))
                .forEach(paths -> paths.stream()
                        .filter(path -> isPrint(path, kind, paths))
                        .forEach(found::add));
        return found.size() == 1 ? found.iterator().next() : kind.defaultObject();
    }

    private static boolean isPrint(String path, SketchKind kind, Set<String> paths) {
        boolean mayBe = path.equals(kind.defaultObject()) || paths.contains(path + "." + FingerprintFields.SCHEME);
        boolean isLonger = kind == SketchKind.SIMHASH && paths.contains(path + "." + FingerprintFields.BITS_256);
        return mayBe && (isLonger || paths.contains(path + "." + kind.part()));
    }

    /** The setting that keeps something out of {@code _source}, or null. */
    public String leavesOut() {
        boolean isWhole = isSourceKept()
                && patterns("includes").isEmpty()
                && patterns("excludes").isEmpty();
        return isWhole ? null : "[_source] " + source();
    }

    /**
     * Whether the value of a field can be read again: from {@code _source}, mapped or not, or from a stored field. The value of
     * an alias or a sub-field is under another path.
     */
    public boolean keeps(String path) {
        return isStored(path) || (isElsewhere(path) == false && keepsInSource(path));
    }

    /** Mapped or not. */
    public boolean keepsInSource(String path) {
        return isSourceKept() && KeptSource.keeps(path, patterns("includes"), patterns("excludes"));
    }

    /** Whether {@code copy_to} fills a field with values that are not in documents under this path. */
    public boolean isCopiedTo(String path) {
        return isCopiedTo(path, mapping);
    }

    private static boolean isCopiedTo(String path, Map<?, ?> definition) {
        Object targets = definition.get("copy_to");
        return path.equals(targets)
                || (targets instanceof List<?> several && several.contains(path))
                || definition.values().stream()
                        .anyMatch(part -> part instanceof Map<?, ?> map && isCopiedTo(path, map));
    }

    /** The {@code dynamic} that applies to an object; {@code ""} is the document itself. */
    public String dynamic(String object) {
        for (String path = object; path.isEmpty() == false; ) {
            Map<?, ?> definition = definition(path);
            if (definition != null && definition.get("dynamic") != null) {
                return String.valueOf(definition.get("dynamic"));
            }
            int dot = path.lastIndexOf('.');
            path = dot < 0 ? "" : path.substring(0, dot);
        }
        Object dynamic = mapping.get("dynamic");
        return dynamic == null ? "true" : String.valueOf(dynamic);
    }

    /** What keeps out of the index what the mapping does not name below an object, and where; empty if nothing does. */
    Optional<String> leavesAside(String object) {
        int end = object.length();
        while (end > 0 && definition(object.substring(0, end)) == null) {
            end = object.lastIndexOf('.', end - 1);
        }
        String where = end > 0 ? "[" + object.substring(0, end) + "]" : "the mapping";
        if (isOn(end > 0 ? definition(object.substring(0, end)) : mapping, "enabled") == false) {
            return Optional.of(where + " has [enabled] [false]");
        }
        String dynamic = dynamic(object);
        return dynamic.startsWith("false") ? Optional.of(where + " has [dynamic] [" + dynamic + "]") : Optional.empty();
    }

    public boolean hasDynamicTemplate(String path) {
        return mapping.get("dynamic_templates") instanceof List<?> templates
                && templates.stream().anyMatch(template -> isFor(path, template));
    }

    private static boolean isFor(String path, Object template) {
        return template instanceof Map<?, ?> named
                && named.values().stream()
                        .anyMatch(rule -> rule instanceof Map<?, ?> options
                                && options.get("path_match") instanceof String pattern
                                && Regex.simpleMatch(pattern, path));
    }

    /** Paths of fields and objects, without sub-fields. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", mapping, paths);
        return paths;
    }

    private static void collect(String prefix, Map<?, ?> object, List<String> paths) {
        if (object.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, field) -> {
                if (field instanceof Map<?, ?> definition) {
                    paths.add(prefix + name);
                    collect(prefix + name + ".", definition, paths);
                }
            });
        }
    }

    /** Whether the path is another way to index the field above it. */
    public boolean isSubField(String path) {
        return below(path) != null;
    }

    /** Whether a field may have the values that documents have at a path: itself, an alias, a sub-field or a copy. */
    public boolean isOf(String path, String field) {
        String aliased = aliased(at(field));
        String itself = aliased == null ? field : aliased;
        String name = isSubField(itself) ? itself.substring(0, itself.lastIndexOf('.')) : itself;
        Map<?, ?> definition = definition(path);
        return name.equals(path)
                || (definition != null
                        && (definition.get("copy_to") instanceof List<?> copies
                                ? copies.contains(name)
                                : name.equals(definition.get("copy_to"))));
    }

    private boolean isElsewhere(String path) {
        return isSubField(path) || aliased(at(path)) != null;
    }

    private boolean isStored(String path) {
        Object field = below(path) == null ? at(path) : below(path);
        String aliased = aliased(field);
        return (aliased == null ? field : at(aliased)) instanceof Map<?, ?> found
                && "true".equals(String.valueOf(found.get("store")));
    }

    /** A sub-field, or null. */
    private Object below(String path) {
        int dot = path.lastIndexOf('.');
        Object above = dot > 0 ? at(path.substring(0, dot)) : null;
        Object fields = above instanceof Map<?, ?> field ? field.get("fields") : null;
        return fields instanceof Map<?, ?> below ? below.get(path.substring(dot + 1)) : null;
    }

    /** Null for another field. */
    private static String aliased(Object field) {
        return field instanceof Map<?, ?> alias && "alias".equals(alias.get("type"))
                ? String.valueOf(alias.get("path"))
                : null;
    }

    private boolean isSourceKept() {
        return "false".equals(String.valueOf(source().get("enabled"))) == false;
    }

    private List<String> patterns(String which) {
        return switch (source().get(which)) {
            case null -> List.of();
            case Collection<?> several -> several.stream().map(String::valueOf).toList();
            case Object one -> List.of(String.valueOf(one));
        };
    }

    private Map<?, ?> source() {
        return mapping.get("_source") instanceof Map<?, ?> source ? source : Map.of();
    }

    private Object at(String path) {
        return at(path, mapping);
    }

    /** A mapping without objects has names with dots. This makes up the object that they stand for. */
    private static Object at(String path, Object definition) {
        if ((definition instanceof Map<?, ?> object && object.get("properties") instanceof Map<?, ?>) == false) {
            return null;
        }
        Map<?, ?> properties = (Map<?, ?>) ((Map<?, ?>) definition).get("properties");
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            Object found = at(path.substring(dot + 1), properties.get(path.substring(0, dot)));
            if (found != null) {
                return found;
            }
        }
        if (properties.get(path) != null) {
            return properties.get(path);
        }
        Map<String, Object> below = new HashMap<>();
        properties.forEach((name, field) -> {
            if (name.toString().startsWith(path + ".")) {
                below.put(name.toString().substring(path.length() + 1), field);
            }
        });
        return below.isEmpty() ? null : Map.of("properties", below);
    }

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
}
