/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the script {@code target/java}, which runs a main class of the tests as this JVM runs this one: same Java, class
 * path and system properties. So Maven only builds; what follows has the terminal, Ctrl-C and the exit status to itself.
 */
public final class Launcher {

    private static final List<String> PROPERTIES =
            List.of("project.basedir", "node.version", "distribution.home", "plugin.zip");

    private Launcher() {}

    public static void main(String[] args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String property : PROPERTIES) {
            command.add("-D" + property + "=" + System.getProperty(property));
        }
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        String quoted = String.join(" ", command.stream().map(Launcher::quote).toList());
        Path script = Path.of(System.getProperty("project.basedir"), "target", "java");
        Files.writeString(script, "#!/bin/sh\nexec " + quoted + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
