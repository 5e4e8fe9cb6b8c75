/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What classes of the plugin refer to in OpenSearch and Lucene, and what a node has of it. Reads the constant pools of class files and
 * runs nothing, so that it finds what would end in a {@link LinkageError} on the day somebody calls it. Not thread-safe. About
 * half a second for the whole plugin.
 */
final class MissingMembers {

    private static final String OWN = "org/opensearch/simhash/";
    private static final List<String> OTHERS = List.of("org/opensearch/", "org/apache/lucene/", "org/apache/logging/");

    /** Tags of entries of a constant pool, as in the Java Virtual Machine Specification, 4.4. */
    private static final int CLASS = 7;

    private static final Set<Integer> MEMBERS = Set.of(9, 10, 11);

    private final ClassLoader loader;
    /** By name; empty if there is no such class. */
    private final Map<String, Optional<Shape>> shapes = new HashMap<>();

    private final Map<String, References> references = new HashMap<>();

    /** What others see of a class: the superclass and interfaces, and access flags by name and descriptor. */
    private record Shape(boolean isAbstract, List<String> parents, Map<String, Integer> members) {}

    /** What a class refers to: classes of the plugin, and what the node lacks. */
    private record References(Set<String> own, Set<String> missing) {}

    MissingMembers(ClassLoader loader) {
        this.loader = loader;
    }

    /** What the node lacks for a class and for all classes of the plugin that it leads to. Empty if it fits. */
    SortedSet<String> of(Class<?> entry) {
        SortedSet<String> missing = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(entry.getName().replace('.', '/'));
        while (open.isEmpty() == false) {
            String name = open.remove();
            if (seen.add(name)) {
                References of = references.computeIfAbsent(name, this::references);
                missing.addAll(of.missing());
                open.addAll(of.own());
            }
        }
        return missing;
    }

    private References references(String name) {
        Set<String> own = new HashSet<>();
        Set<String> missing = new TreeSet<>();
        ClassReader file = read(name).orElseThrow(() -> new IllegalArgumentException("no class file of " + name));
        char[] buffer = new char[file.getMaxStringLength()];
        for (int item = 1; item < file.getItemCount(); item++) {
            int offset = file.getItem(item);
            // An entry of eight bytes takes the place of two.
            int tag = offset == 0 ? 0 : file.readByte(offset - 1);
            if (tag == CLASS) {
                String type = file.readUTF8(offset, buffer);
                if (type.startsWith(OWN)) {
                    own.add(type);
                } else if (isOther(type) && shape(type).isEmpty()) {
                    missing.add(forPeople(type));
                }
            } else if (MEMBERS.contains(tag)) {
                String owner = file.readClass(offset, buffer);
                int signature = file.getItem(file.readUnsignedShort(offset + 2));
                String member = file.readUTF8(signature, buffer) + file.readUTF8(signature + 2, buffer);
                // A member of OpenSearch that a class of the plugin inherits has that class as its owner.
                if ((owner.startsWith(OWN) || isOther(owner)) && isSeen(owner, member) == false) {
                    missing.add(forPeople(owner) + "#" + member);
                }
            }
        }
        Shape shape = shape(name).orElseThrow();
        if (shape.isAbstract() == false) {
            Set<String> left = new HashSet<>();
            collectAbstract(name, left);
            left.removeIf(member -> isImplemented(name, member));
            left.forEach(member -> missing.add(forPeople(name) + " implements no " + member));
        }
        return new References(own, missing);
    }

    private static boolean isOther(String type) {
        return type.startsWith(OWN) == false && OTHERS.stream().anyMatch(type::startsWith);
    }

    /** Whether a class or one above it has a member that the plugin may use. */
    private boolean isSeen(String owner, String member) {
        int seen = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
        return find(owner, member).anyMatch(access -> owner.startsWith(OWN) || (access & seen) != 0);
    }

    private boolean isImplemented(String owner, String member) {
        return find(owner, member).anyMatch(access -> (access & Opcodes.ACC_ABSTRACT) == 0);
    }

    /** The access flags of a member in a class and in those above it. */
    private Stream<Integer> find(String owner, String member) {
        return shape(owner).stream()
                .flatMap(shape -> Stream.concat(
                        Stream.ofNullable(shape.members().get(member)),
                        shape.parents().stream().flatMap(parent -> find(parent, member))));
    }

    /** Abstract methods of OpenSearch and Lucene above a class. */
    private void collectAbstract(String name, Set<String> members) {
        shape(name).ifPresent(shape -> {
            if (isOther(name)) {
                shape.members().forEach((member, access) -> {
                    if ((access & Opcodes.ACC_ABSTRACT) != 0) {
                        members.add(member);
                    }
                });
            }
            shape.parents().forEach(parent -> collectAbstract(parent, members));
        });
    }

    private Optional<Shape> shape(String name) {
        Optional<Shape> known = shapes.get(name);
        if (known == null) {
            known = name.startsWith("java/") ? ofJava(name) : read(name).map(MissingMembers::shape);
            shapes.put(name, known);
        }
        return known;
    }

    private static Shape shape(ClassReader file) {
        Map<String, Integer> members = new HashMap<>();
        file.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public FieldVisitor visitField(int access, String name, String type, String generic, Object value) {
                        members.put(name + type, access);
                        return null;
                    }

                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String type, String generic, String[] thrown) {
                        members.put(name + type, access);
                        return null;
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        Stream<String> superclass = Stream.ofNullable(file.getSuperName());
        return new Shape(
                (file.getAccess() & Opcodes.ACC_ABSTRACT) != 0,
                Stream.concat(superclass, Arrays.stream(file.getInterfaces())).toList(),
                members);
    }

    /** Not from its file: a Java may be newer than the library that reads class files. */
    private static Optional<Shape> ofJava(String name) {
        try {
            Class<?> type = Class.forName(name.replace('/', '.'), false, null);
            Map<String, Integer> members = new HashMap<>();
            Arrays.stream(type.getDeclaredMethods())
                    .forEach(method -> members.put(
                            method.getName()
                                    + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                            .descriptorString(),
                            method.getModifiers()));
            Arrays.stream(type.getDeclaredFields())
                    .forEach(field ->
                            members.put(field.getName() + field.getType().descriptorString(), field.getModifiers()));
            List<String> parents = Stream.concat(
                            Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                    .map(parent -> parent.getName().replace('.', '/'))
                    .toList();
            return Optional.of(new Shape(type.isInterface(), parents, members));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private Optional<ClassReader> read(String name) {
        try (InputStream file = loader.getResourceAsStream(name + ".class")) {
            return file == null ? Optional.empty() : Optional.of(new ClassReader(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String forPeople(String name) {
        return name.replace('/', '.');
    }
}
