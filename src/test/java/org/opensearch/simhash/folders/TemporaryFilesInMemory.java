/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.folders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets test clusters in this JVM write into memory where Linux offers it with room to spare. At each change of the cluster's
 * state each node makes a dozen files, which took a fifth of all these tests' processor time on disk (ext4).
 */
public final class TemporaryFilesInMemory implements LauncherSessionListener {

    /** Read by Lucene's test framework when it is loaded. */
    private static final String PROPERTY = "tempDir";

    public static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "opensearch-simhash-tests-";

    /** Two JVMs of tests took up to 40 MB; containers often have 64 MB. */
    private static final long ROOM = 1L << 30;

    /** Called for each session; the first one decides. */
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        try {
            if (System.getProperty(PROPERTY) == null && hasRoom(ROOM)) {
                Path folder = Folders.ofThisProcess(MEMORY, PREFIX, TemporaryFilesInMemory::removeOwn);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> removeAtEnd(folder), "remove-temporary-files"));
                System.setProperty(PROPERTY, folder.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether so many bytes may be written there. */
    public static boolean hasRoom(long bytes) throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= bytes;
    }

    private static void removeOwn(Path folder) throws IOException {
        try {
            Folders.delete(folder);
        } catch (AccessDeniedException ofAnotherUser) {
            return;
        }
    }

    private static void removeAtEnd(Path folder) {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
