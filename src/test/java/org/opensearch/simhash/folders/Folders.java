/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.folders;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/** Folders with all in them. */
public final class Folders {

    private Folders() {}

    /** How a folder is removed of which nobody is left to do it. */
    @FunctionalInterface
    public interface Removal {

        void remove(Path folder) throws IOException;
    }

    /**
     * A new folder of this process. Those of processes that were killed are removed first.
     *
     * @param parent all folders in it whose names begin so were made here
     */
    public static Path ofThisProcess(Path parent, String prefix, Removal removal) throws IOException {
        Files.createDirectories(parent);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path folder : folders) {
                String name = folder.getFileName().toString().substring(prefix.length());
                long owner = Long.parseLong(name.split("-", 2)[0]);
                if (ProcessHandle.of(owner).isEmpty()) {
                    removal.remove(folder);
                }
            }
        }
        return Files.createTempDirectory(
                parent, prefix + ProcessHandle.current().pid() + "-");
    }

    /** Hard links where the file system has them, else copies. */
    public static void link(Path from, Path to) throws IOException {
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
    public static void delete(Path folder) throws IOException {
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
