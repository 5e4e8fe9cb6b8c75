/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeUserTests {

    /** In a folder that everybody can reach, which those of JUnit are not. */
    @TempDir
    private Path temporary;

    private Path home;
    private Path folder;
    private Path java;

    @BeforeEach
    void make() throws IOException {
        home = temporary.resolve("home");
        folder = Files.createDirectories(temporary.resolve("node"));
        write(home.resolve("bin/opensearch"), "r-xr-xr-x");
        java = temporary.resolve("jdk/bin/java");
        write(java, "r-xr-xr-x");
        everybody(temporary);
    }

    private static void write(Path script, String permissions) throws IOException {
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString(permissions));
    }

    private static void everybody(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void testSomebodyCanRunTheNodeHere() {
        List<String> command = NodeUser.choose(home, folder).command("x", "y");
        assertEquals(List.of("x", "y"), command.subList(command.size() - 2, command.size()));
    }

    /** Nobody was chosen where the JDK was below root's own folder. */
    @ParameterizedTest
    @EnumSource
    void testWhoCannotRunJavaIsNotChosen(NodeUser user) throws IOException {
        boolean works = user.works(home, folder, java);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("r--r--r--"));
        assertFalse(user.works(home, folder, java));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("r-xr-xr-x"));
        assertEquals(works, user.works(home, folder, java));
        Files.setPosixFilePermissions(java.getParent(), PosixFilePermissions.fromString("rwx------"));
        boolean isOther = user == NodeUser.NOBODY;
        assertEquals(works && isOther == false, user.works(home, folder, java));
    }

    /** It was an exception, and those behind were not tried. */
    @ParameterizedTest
    @EnumSource
    void testAFolderThatCannotBeGivenAwayIsNoException(NodeUser user) {
        assertFalse(user.works(home, folder.resolve("missing"), java));
    }
}
