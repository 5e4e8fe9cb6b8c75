/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.opensearch.simhash.folders.Folders;

/**
 * Where a node keeps temporary files: in its folder, unless there is white space in the path. The stock {@code jvm.options} name
 * that place, and {@code bin/opensearch} cuts options at white space. The node's {@code tmp} is then a link to a folder
 * elsewhere, so that it is found, also after a kill, by whoever removes the folder of the cluster.
 */
final class NodeTmp {

    private static final String NAME = "tmp";
    private static final String ELSEWHERE = "opensearch-simhash-";

    private NodeTmp() {}

    /** Makes it, unless it is there already. */
    static Path make(Path node) throws IOException {
        Path tmp = node.resolve(NAME);
        if (hasWhiteSpace(tmp) == false) {
            return Files.createDirectories(tmp);
        }
        if (Files.isSymbolicLink(tmp) == false) {
            Files.createSymbolicLink(tmp, elsewhere().resolve(ELSEWHERE + UUID.randomUUID()));
        }
        return Files.createDirectories(Files.readSymbolicLink(tmp));
    }

    /** Removes what the nodes of a cluster have elsewhere. */
    static void remove(Path cluster) throws IOException {
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(cluster)) {
            for (Path node : nodes) {
                Path tmp = node.resolve(NAME);
                if (Files.isSymbolicLink(tmp)) {
                    Path target = Files.readSymbolicLink(tmp);
                    if (target.getFileName().toString().startsWith(ELSEWHERE)) {
                        Folders.delete(target);
                    }
                }
            }
        } catch (NoSuchFileException removedMeanwhile) {
            return; // By another JVM, which looks for the same.
        }
    }

    private static Path elsewhere() {
        return Stream.of(System.getProperty("java.io.tmpdir"), System.getenv("TMPDIR"), "/tmp", "/var/tmp")
                .filter(name -> name != null)
                .map(Path::of)
                .filter(folder -> hasWhiteSpace(folder) == false && Files.isWritable(folder))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no folder for temporary files without white space in its path:"
                                + " neither TMPDIR nor /tmp nor /var/tmp is one"));
    }

    private static boolean hasWhiteSpace(Path path) {
        return path.toAbsolutePath().toString().chars().anyMatch(Character::isWhitespace);
    }
}
