/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The commands of this machine, looked up in {@code PATH} as a shell does it: small systems have no {@code which}. */
public final class Commands {

    private Commands() {}

    public static boolean has(String name) {
        return find(name).isPresent();
    }

    static Optional<Path> find(String name) {
        String path = System.getenv("PATH");
        return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(command -> Files.isRegularFile(command) && Files.isExecutable(command))
                .findFirst();
    }
}
