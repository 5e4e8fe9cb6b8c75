/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.xcontent.yaml.YamlXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/** A role as the security plugin reads it: what it does not grant is refused. Immutable. */
record Role(String name, List<Grant> grants) {

    private static final String CLUSTER = "cluster_permissions";
    private static final String INDICES = "index_permissions";
    private static final String PATTERNS = "index_patterns";
    private static final String ACTIONS = "allowed_actions";

    /**
     * One action, on one pattern.
     *
     * @param pattern of indices; null for actions of the cluster
     * @param action its name, or a pattern of names
     */
    record Grant(String pattern, String action) {

        /** Whether it grants an action of the cluster. */
        boolean covers(String wanted) {
            return pattern == null && Regex.simpleMatch(action, wanted);
        }

        /** @param names of an index, and of its aliases and data stream */
        boolean covers(String wanted, Set<String> names) {
            return pattern != null
                    && Regex.simpleMatch(action, wanted)
                    && names.stream().anyMatch(name -> Regex.simpleMatch(pattern, name));
        }
    }

    /** Those of a file, which has nothing else in it: a mistyped key grants less than it seems. */
    static Map<String, Role> read(Path file) throws IOException {
        Map<String, Object> content;
        try (XContentParser yaml = YamlXContent.yamlXContent.createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                Files.newInputStream(file))) {
            content = yaml.mapOrdered();
        }
        requireEqual(Map.of("type", "roles", "config_version", 2), content.remove("_meta"));
        Map<String, Role> roles = new LinkedHashMap<>();
        content.forEach((name, role) -> roles.put(name, of(name, map(role))));
        return roles;
    }

    private static Role of(String name, Map<String, Object> content) {
        requireEqual(Set.of("description", CLUSTER, INDICES), content.keySet());
        List<Grant> grants = new ArrayList<>();
        strings(content.get(CLUSTER)).forEach(action -> grants.add(new Grant(null, action)));
        for (Object rights : (List<?>) content.get(INDICES)) {
            requireEqual(Set.of(PATTERNS, ACTIONS), map(rights).keySet());
            for (String pattern : strings(map(rights).get(PATTERNS))) {
                strings(map(rights).get(ACTIONS)).forEach(action -> grants.add(new Grant(pattern, action)));
            }
        }
        return new Role(name, List.copyOf(grants));
    }

    private static void requireEqual(Object expected, Object got) {
        if (expected.equals(got) == false) {
            throw new IllegalArgumentException("expected " + expected + ", got: " + got);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<String> strings(Object value) {
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    boolean permits(String action) {
        return grants.stream().anyMatch(grant -> grant.covers(action));
    }

    boolean permits(String action, Set<String> names) {
        return grants.stream().anyMatch(grant -> grant.covers(action, names));
    }

    /** The same role without one of its rights. */
    Role without(Grant line) {
        return new Role(
                name,
                grants.stream().filter(grant -> grant.equals(line) == false).toList());
    }
}
