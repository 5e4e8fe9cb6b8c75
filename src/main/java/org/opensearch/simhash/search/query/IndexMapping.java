/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentTexts;

/** The mapping of an index in the cluster state. Parses it once. */
public final class IndexMapping {

    private static final Set<String> OBJECTS = Set.of("object", "nested");

    private final Map<String, Object> mapping;

    public IndexMapping(IndexMetadata index) {
        this.mapping = index.mapping() == null ? Map.of() : index.mapping().sourceAsMap();
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

    /**
     * The object that has a kind of print: the usual one, or the only other one that is mapped. The usual one also where none or
     * several are.
     */
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
