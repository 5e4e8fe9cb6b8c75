/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.folders.Folders;

/** However the JVM ends that started a node, the node ends with it. */
class NothingStaysBehindIT {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Distribution build = Distribution.ofTheBuild();

    private final Path work = build.work().resolveSibling("nodes-left-behind");

    @BeforeEach
    void removeWhatAFailedTestLeft() throws IOException {
        Files.createDirectories(work);
        Folders.delete(work);
        Files.createDirectories(work);
    }

    @Test
    void testNodeEndsWhenItsStarterIsTerminated() throws Exception {
        assertNodeEndsAfter(Process::destroy);
        assertEquals(0, folders(), "the folder of the cluster is removed");
    }

    @Test
    void testNodeEndsWhenItsStarterIsKilled() throws Exception {
        assumeTrue(Commands.has("setpriv"), "nothing ends a node after kill -9 but setpriv");
        assertNodeEndsAfter(Process::destroyForcibly);
        assertEquals(1, folders(), "nobody was left to remove the folder");
        Path next = new Distribution(build.stock(), build.zip(), work).newFolder();
        assertTrue(Files.exists(next));
        assertEquals(1, folders(), "the next cluster removes it");
    }

    @Test
    void testFailedStartTellsWhyAndLeavesNothing() throws Exception {
        var options = NodeOptions.quick(1).with("no.such.setting", "1");
        var distribution = new Distribution(build.stock(), build.zip(), work);
        var failure = assertThrows(IllegalStateException.class, () -> RealCluster.start(distribution, options));
        assertTrue(failure.getMessage().contains("unknown setting [no.such.setting]"), failure.getMessage());
        assertEquals(0, folders());
    }

    @Test
    void testOneInstallationIsKeptOfEachZip() throws Exception {
        Path zip = Files.copy(build.zip(), work.resolve("another.zip"));
        var distribution = new Distribution(build.stock(), zip, work.resolve("nodes"));
        Path installed = work.resolve("installed");
        distribution.install(work.resolve("first"), work.resolve("log"));
        Path first = only(installed);
        Files.setLastModifiedTime(zip, FileTime.fromMillis(0));
        distribution.install(work.resolve("second"), work.resolve("log"));
        assertNotEquals(first, only(installed));
        for (String home : List.of("first", "second")) {
            assertTrue(Files.exists(work.resolve(home).resolve("plugins/opensearch-simhash")), home);
        }
        assertEquals(List.of(), list(work.resolve("nodes")));
    }

    private static Path only(Path folder) throws IOException {
        List<Path> files = list(folder);
        assertEquals(1, files.size(), files.toString());
        return files.getFirst();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private void assertNodeEndsAfter(Consumer<Process> ended) throws IOException, InterruptedException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Ddistribution.home=" + build.stock(),
                "-Dplugin.zip=" + build.zip(),
                "-Dproject.basedir=" + System.getProperty("project.basedir"),
                "-classpath",
                System.getProperty("java.class.path"),
                ClusterUntilKilled.class.getName(),
                work.toString());
        Process starter = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(starter.getInputStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(output.readLine());
            try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                connection.setSoTimeout(PATIENCE_MILLIS);
                ended.accept(starter);
                assertEndOfStream(connection);
            }
            assertTrue(starter.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS), "the starter ends by itself");
            assertNobodyListens(port);
        } finally {
            starter.destroyForcibly().waitFor();
        }
    }

    /** A dead node's connections end: the operating system closes or resets them. */
    private static void assertEndOfStream(Socket connection) throws IOException {
        try {
            assertEquals(-1, connection.getInputStream().read());
        } catch (SocketException reset) {
            assertFalse(connection.isInputShutdown());
        }
    }

    /** A process that is being killed may accept a last connection before its sockets are closed. */
    private static void assertNobodyListens(int port) throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                connection.setSoTimeout(PATIENCE_MILLIS);
                assertEndOfStream(connection);
            } catch (ConnectException nobody) {
                return;
            }
        }
        fail("somebody still listens on port " + port);
    }

    private long folders() throws IOException {
        return list(work).size();
    }
}
