/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.simhash.SimHashPlugin;

/** The options that the code reads, found by reflection in the classes of the plugin, and in the sources of its REST handlers. */
final class CodeOptions {

    private static final Path SOURCES =
            Path.of(System.getProperty("project.basedir", "."), "src", "main", "java", "org", "opensearch", "simhash");
    private static final Pattern PARAMETER =
            Pattern.compile("\\b(?:request(?:\\.param\\w*\\(|, )|ARCHIVE = )\"(\\w+)\"");

    /** Names of parameters that are part of a path. */
    private static final Set<String> IN_PATH = Set.of("index", "dest", "nodeId", "stat", "name");

    private CodeOptions() {}

    /** By the name of the constant: the fields of each parser of objects. A {@code PARSER} has the name of the outermost class. */
    static Map<String, Set<String>> parsers() throws ReflectiveOperationException {
        Map<String, Set<String>> parsers = new TreeMap<>();
        for (Field constant : constants()) {
            if (ObjectParser.class.isAssignableFrom(constant.getType())) {
                parsers.put(parser(constant), fields(constant.get(null)));
            } else if (ConstructingObjectParser.class.isAssignableFrom(constant.getType())) {
                Field inner = ConstructingObjectParser.class.getDeclaredField("objectParser");
                inner.setAccessible(true);
                parsers.put(parser(constant), fields(inner.get(constant.get(null))));
            }
        }
        return parsers;
    }

    private static Set<String> fields(Object parser) throws ReflectiveOperationException {
        Field fields = ObjectParser.class.getDeclaredField("fieldParserMap");
        fields.setAccessible(true);
        Set<String> names = new TreeSet<>();
        ((Map<?, ?>) fields.get(parser)).keySet().forEach(name -> names.add((String) name));
        return names;
    }

    /** By the simple name of the outermost class: each constant {@code OPTIONS}, the names of a processor's options. */
    static Map<String, Set<String>> processors() throws ReflectiveOperationException {
        Map<String, Set<String>> processors = new TreeMap<>();
        for (Field constant : constants()) {
            if (constant.getName().equals("OPTIONS") == false) {
                continue;
            }
            if (constant.get(null) instanceof Collection<?> options) {
                processors.put(owner(constant), names(options));
            } else if (constant.get(null) instanceof Map<?, ?> byKind) {
                byKind.forEach((kind, options) -> processors.put(
                        owner(constant) + "." + ((Enum<?>) kind).name(), names((Collection<?>) options)));
            }
        }
        return processors;
    }

    private static Set<String> names(Collection<?> options) {
        Set<String> names = new TreeSet<>();
        options.forEach(name -> names.add((String) name));
        return names;
    }

    /**
     * By the simple name of the class: the parameters in the URL that it reads, those in the path excepted, and each constant
     * {@code PARAMETERS}.
     */
    static Map<String, Set<String>> parameters() throws IOException, ReflectiveOperationException {
        Map<String, Set<String>> parameters = new TreeMap<>();
        for (Field constant : constants()) {
            if (constant.getName().equals("PARAMETERS") && constant.get(null) instanceof Collection<?> named) {
                parameters.put(owner(constant), names(named));
            }
        }
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                Set<String> names = new TreeSet<>();
                PARAMETER.matcher(Files.readString(source)).results().forEach(name -> names.add(name.group(1)));
                names.removeAll(IN_PATH);
                if (names.isEmpty() == false) {
                    parameters.put(source.getFileName().toString().replace(".java", ""), names);
                }
            }
        }
        return parameters;
    }

    private static String parser(Field constant) {
        return owner(constant) + (constant.getName().equals("PARSER") ? "" : "." + constant.getName());
    }

    private static String owner(Field constant) {
        return constant.getDeclaringClass().getName().replaceFirst("^.*\\.", "").replaceFirst("\\$.*$", "");
    }

    /** The static fields of all classes of the plugin that parse or name options. A class is initialised only for these. */
    private static List<Field> constants() throws ReflectiveOperationException {
        List<Field> constants = new ArrayList<>();
        for (String name : classNames()) {
            Class<?> type = Class.forName(name, false, SimHashPlugin.class.getClassLoader());
            Arrays.stream(type.getDeclaredFields())
                    .filter(field -> Modifier.isStatic(field.getModifiers()))
                    .filter(field -> field.getName().endsWith("PARSER")
                            || List.of("OPTIONS", "PARAMETERS").contains(field.getName()))
                    .forEach(constants::add);
        }
        constants.forEach(constant -> constant.setAccessible(true));
        return constants;
    }

    private static List<String> classNames() {
        try {
            Path classes = Path.of(SimHashPlugin.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(classes)) {
                return files.filter(file -> file.toString().endsWith(".class"))
                        .map(file -> classes.relativize(file).toString().replace('/', '.'))
                        .map(file -> file.substring(0, file.length() - ".class".length()))
                        .filter(name -> name.endsWith("-info") == false)
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
