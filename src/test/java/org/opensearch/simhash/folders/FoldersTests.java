/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.folders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTests {

    private static final String PREFIX = "tests-";

    @TempDir
    private Path parent;

    @Test
    void testWhatAKilledProcessLeftIsRemoved() throws IOException, InterruptedException {
        Path others = Files.createDirectory(parent.resolve("others"));
        Path own = Folders.ofThisProcess(parent, PREFIX, Folders::delete);
        Path left = Files.createDirectory(parent.resolve(PREFIX + ended() + "-x"));
        Files.writeString(left.resolve("file"), "x");
        Path next = Folders.ofThisProcess(parent, PREFIX, Folders::delete);
        assertNotEquals(own, next);
        assertTrue(Files.isDirectory(next));
        assertEquals(Set.of(others, own, next), in(parent));
    }

    private static long ended() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.waitFor();
        return process.pid();
    }

    private static Set<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.collect(Collectors.toSet());
        }
    }
}
