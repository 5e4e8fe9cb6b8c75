/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.release;

import static org.hamcrest.Matchers.hasItem;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.SortedSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.opensearch.Version;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.search.ingest.TextProcessor;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.query.PrintQueryBuilder;
import org.opensearch.test.OpenSearchTestCase;

/** Releases are made up of the one that the tests run on: without a class, without a method, with one method more. */
public class MissingMembersTests extends OpenSearchTestCase {

    private static final String QUERY = "org/apache/lucene/search/Query";
    private static final String INGEST = "org/opensearch/ingest/AbstractProcessor";

    public void testThePluginFitsTheReleaseOfTheTests() {
        assertEquals(Set.of(), missing(SimHashPlugin.class, MissingMembersTests.class.getClassLoader()));
    }

    public void testAMissingClassIsFoundWhereverThePathLeadsToIt() {
        ClassLoader without = release(QUERY, null);
        assertThat(missing(PrintQueryBuilder.class, without), hasItem("org.apache.lucene.search.Query"));
        assertThat(missing(SimHashQuery.class, without), hasItem("org.apache.lucene.search.Query"));
    }

    public void testAMissingMethodConcernsOnlyThoseWhoCallIt() {
        ClassLoader without = release(QUERY, file -> without(file, "classHash"));
        assertThat(
                missing(SimHashQuery.class, without),
                hasItem("org.opensearch.simhash.search.match.PrintQuery#classHash()I"));
        assertEquals(Set.of(), missing(MissingMembers.class, without));
    }

    public void testAMethodThatIsNotSeenAnyMoreIsMissing() {
        ClassLoader hidden = release("org/opensearch/ingest/ConfigurationUtils", file -> hidden(file));
        String first = missing(TextProcessor.Factory.class, hidden).first();
        assertTrue(first, first.startsWith("org.opensearch.ingest.ConfigurationUtils#"));
    }

    public void testANewAbstractMethodIsMissing() {
        ClassLoader more = release(INGEST, file -> withAbstract(file, "review"));
        assertThat(
                missing(TextProcessor.class, more),
                hasItem("org.opensearch.simhash.search.ingest.TextProcessor implements no review()V"));
    }

    /** Written for a Java that came after the library which reads class files. */
    public void testAClassThatCannotBeReadSwitchesNothingOff() {
        ClassLoader newer = release(QUERY, file -> ofNewerJava(file));
        assertTrue(new NodeRelease(Version.fromString("3.42.0"), new MissingMembers(newer)::of)
                .fits(PrintQueryBuilder.class));
    }

    private static SortedSet<String> missing(Class<?> entry, ClassLoader loader) {
        return new MissingMembers(loader).of(entry);
    }

    private interface Change {
        byte[] of(ClassReader file);
    }

    /** @param change of the named class; null if there is no such class */
    private static ClassLoader release(String name, Change change) {
        return new ClassLoader(MissingMembersTests.class.getClassLoader()) {
            @Override
            public InputStream getResourceAsStream(String resource) {
                InputStream file = super.getResourceAsStream(resource);
                if (resource.equals(name + ".class") == false) {
                    return file;
                }
                try (file) {
                    return change == null ? null : new ByteArrayInputStream(change.of(new ClassReader(file)));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        };
    }

    private static byte[] without(ClassReader file, String method) {
        ClassWriter writer = new ClassWriter(0);
        file.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String type, String generic, String[] thrown) {
                        return name.equals(method) ? null : super.visitMethod(access, name, type, generic, thrown);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static byte[] ofNewerJava(ClassReader file) {
        ClassWriter writer = new ClassWriter(0);
        file.accept(writer, 0);
        byte[] written = writer.toByteArray();
        written[7] = 99;
        return written;
    }

    private static byte[] hidden(ClassReader file) {
        ClassWriter writer = new ClassWriter(0);
        file.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String type, String generic, String[] thrown) {
                        return super.visitMethod(access & ~Opcodes.ACC_PUBLIC, name, type, generic, thrown);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static byte[] withAbstract(ClassReader file, String method) {
        ClassWriter writer = new ClassWriter(0);
        file.accept(writer, 0);
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, method, "()V", null, null)
                .visitEnd();
        return writer.toByteArray();
    }
}
