/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts find a JDK that the build runs on, whatever Java is the machine's default. */
class JdkScriptTests {

    private static final Path SCRIPT = Path.of(System.getProperty("project.basedir"), ".mvn", "jdk.sh");
    private static final String NOTHING = "";

    /** A machine that has only what is put there. */
    @TempDir
    private Path machine;

    private Path commands;
    private final Map<String, String> variables = new TreeMap<>();

    @BeforeEach
    void make() throws IOException {
        commands = Files.createDirectories(machine.resolve("commands"));
        for (String command : List.of("sh", "sed", "env", "find")) {
            Files.createSymbolicLink(
                    commands.resolve(command), Commands.find(command).orElseThrow());
        }
        variables.put("PATH", commands.toString());
        variables.put("HOME", machine.resolve("my home").toString());
        variables.put("JDK_ROOT", machine.toString());
    }

    @Test
    void testNothingChangesWhereJavaIsNewEnough() throws Exception {
        jdk("opt/jdk-25", "25");
        pathHas(jdk("somewhere/jdk-21", "21"));
        assertEquals(NOTHING, found());
        variables.put("JAVA_HOME", jdk("elsewhere/jdk-22", "22").toString());
        assertEquals(variables.get("JAVA_HOME"), found());
    }

    @Test
    void testAJdkIsFoundInTheUsualFolders() throws Exception {
        for (String folder : List.of(
                "usr/lib/jvm/jdk-21",
                "opt/jdk-21",
                "usr/local/openjdk-21",
                "Library/Java/JavaVirtualMachines/temurin-21.jdk/Contents/Home",
                "my home/.sdkman/candidates/java/21.0.5-tem",
                "my home/.gradle/jdks/eclipse_adoptium-21/jdk-21.0.5+11",
                "my home/.local/share/mise/installs/java/21")) {
            Path jdk = jdk(folder, "21");
            assertEquals(jdk.toString(), found());
            Files.delete(jdk.resolve("bin/java"));
        }
    }

    @Test
    void testAnOlderJavaIsPassedOver() throws Exception {
        Path jdk = jdk("opt/jdk-21", "21");
        Path java = jdk("usr/lib/jvm/java-17", "17");
        pathHas(java);
        assertEquals(jdk.toString(), found(), "Java 17 in PATH");
        variables.put("JAVA_HOME", java.toString());
        assertEquals(jdk.toString(), found(), "Java 17 in JAVA_HOME");
        variables.put("JAVA_HOME", machine.resolve("gone").toString());
        assertEquals(jdk.toString(), found(), "JAVA_HOME of a JDK that is gone");
    }

    @Test
    void testPathAndVariablesAreLookedAt() throws Exception {
        variables.put("JAVA_HOME", jdk("old", "11").toString());
        Path inPath = jdk("new in path", "21");
        pathHas(inPath);
        assertEquals(inPath.toString(), found());
        Path named = jdk("named", "21");
        variables.put("JAVA_HOME_21_X64", named.toString());
        assertEquals(named.toString(), found());
    }

    @Test
    void testWhatDoesNotRunOrCannotCompileIsNoJdk() throws Exception {
        Files.delete(jdk("opt/jre-21", "21").resolve("bin/javac"));
        Files.writeString(jdk("opt/jdk-21-of-another-processor", "21").resolve("bin/java"), "#!/bin/sh\nexit 126\n");
        jdk("opt/jdk-20", "20");
        Ended ended = run();
        assertEquals(1, ended.status);
        assertTrue(ended.output.startsWith("No JDK of version 21 or newer was found"), ended.output);
        assertTrue(ended.output.contains("JAVA_HOME"), ended.output);
    }

    /** A JDK whose java tells its version as Java does. */
    private Path jdk(String folder, String version) throws IOException {
        Path home = machine.resolve(folder);
        Files.createDirectories(home.resolve("bin"));
        for (String command : List.of("java", "javac")) {
            Path file = Files.writeString(
                    home.resolve("bin").resolve(command),
                    "#!/bin/sh\necho '    java.home = " + home + "'\necho '    java.specification.version = " + version
                            + "'\n");
            assertTrue(file.toFile().setExecutable(true));
        }
        return home;
    }

    /** As links, as distributions do it. */
    private void pathHas(Path jdk) throws IOException {
        for (String command : List.of("java", "javac")) {
            Files.createSymbolicLink(
                    commands.resolve(command), jdk.resolve("bin").resolve(command));
        }
    }

    private record Ended(int status, String output) {}

    /** JAVA_HOME afterwards. */
    private String found() throws IOException, InterruptedException {
        Ended ended = run();
        assertEquals(0, ended.status, ended.output);
        return ended.output.lines().toList().getLast().replaceFirst("^JAVA_HOME=", "");
    }

    private Ended run() throws IOException, InterruptedException {
        String read = "set -eu; . \"$0\"; echo \"JAVA_HOME=${JAVA_HOME-}\"";
        var builder = new ProcessBuilder("sh", "-c", read, SCRIPT.toString()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
