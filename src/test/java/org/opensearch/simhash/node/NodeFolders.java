/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.opensearch.simhash.folders.Folders;
import org.opensearch.simhash.folders.TemporaryFilesInMemory;

/**
 * Where a node keeps temporary files and data: in its folder or elsewhere, to where its {@code tmp} or {@code data} is then a link,
 * so that it is found, also after a kill, by whoever removes the folder of the cluster.
 */
final class NodeFolders {

    private static final String TMP = "tmp";
    private static final String DATA = "data";
    private static final String ELSEWHERE = "opensearch-simhash-";
    private static final String IN_MEMORY = ELSEWHERE + "nodes-";

    /** Of all nodes at once, many times over. */
    private static final long ROOM = 4L << 30;

    private NodeFolders() {}

    /**
     * Makes the one for temporary files, unless it is there already: elsewhere if there is white space in the path. The stock
     * {@code jvm.options} name it, and {@code bin/opensearch} cuts options at white space.
     */
    static Path tmp(Path node) throws IOException {
        Path tmp = node.resolve(TMP);
        if (hasWhiteSpace(tmp) == false) {
            return Files.createDirectories(tmp);
        }
        if (Files.isSymbolicLink(tmp) == false) {
            Files.createSymbolicLink(tmp, elsewhere().resolve(ELSEWHERE + UUID.randomUUID()));
        }
        return Files.createDirectories(Files.readSymbolicLink(tmp));
    }

    /**
     * Makes the one for data, unless it is there already. In memory it is as safe from a killed process as on a disk, which each
     * change of the cluster's state would wait for. What processes that were killed have left there is removed, also if nothing is
     * left of their project's folders.
     */
    static Path data(Path node, boolean inMemory) throws IOException {
        Path data = node.resolve(DATA);
        if (Files.isDirectory(data) || (inMemory && TemporaryFilesInMemory.hasRoom(ROOM)) == false) {
            return Files.createDirectories(data).toRealPath();
        }
        if (Files.isSymbolicLink(data) == false) {
            Path memory = Folders.ofThisProcess(TemporaryFilesInMemory.MEMORY, IN_MEMORY, Folders::delete);
            Files.createSymbolicLink(data, memory);
        }
        return Files.createDirectories(Files.readSymbolicLink(data));
    }

    /** Removes what the nodes of a cluster have elsewhere. */
    static void remove(Path cluster) throws IOException {
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(cluster)) {
            for (Path node : nodes) {
                for (String name : List.of(TMP, DATA)) {
                    Path link = node.resolve(name);
                    if (Files.isSymbolicLink(link)) {
                        Path target = Files.readSymbolicLink(link);
                        if (target.getFileName().toString().startsWith(ELSEWHERE)) {
                            Folders.delete(target);
                        }
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
