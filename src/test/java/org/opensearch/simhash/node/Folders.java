/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/** Folders with all in them. */
final class Folders {

    private Folders() {}

    /** Hard links where the file system has them, else copies. */
    static void link(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    linkOrCopy(file, target);
                }
            }
        }
    }

    private static void linkOrCopy(Path file, Path target) throws IOException {
        try {
            Files.createLink(target, file);
        } catch (IOException | UnsupportedOperationException notOnThisFileSystem) {
            Files.copy(file, target);
        }
    }

    /** Removes a folder, also when others remove or add files meanwhile. */
    static void delete(Path folder) throws IOException {
        try {
            deleteOnce(folder);
        } catch (DirectoryNotEmptyException somethingWasAdded) {
            deleteOnce(folder);
        }
    }

    private static void deleteOnce(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
