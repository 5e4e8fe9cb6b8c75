/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.simhash.folders.Folders;

/**
 * A stock distribution and the plugin's zip, as the build made them available.
 *
 * @param stock the unpacked distribution; never written to
 * @param zip the plugin; null for a node without it
 * @param work where clusters make their folders, one per cluster, gone when the cluster is closed
 */
public record Distribution(Path stock, Path zip, Path work) {

    /** As the build sets {@code distribution.home}, {@code plugin.zip} and {@code project.basedir}. */
    public static Distribution ofTheBuild() {
        return new Distribution(
                Path.of(System.getProperty("distribution.home")),
                Path.of(System.getProperty("plugin.zip")),
                Path.of(System.getProperty("project.basedir"), "target", "nodes"));
    }

    /** A folder that no other cluster uses. Folders of JVMs that were killed are removed first. */
    public Path newFolder() throws IOException {
        Path folder = Folders.ofThisProcess(work, "", Distribution::deleteCluster);
        // Reachable for the user that the node runs as.
        folder.toFile().setExecutable(true, false);
        folder.toFile().setReadable(true, false);
        return folder;
    }

    /**
     * A home of its own with the plugin installed by the distribution's installer. Hard links: no copying, and the stock
     * distribution stays stock. The installer runs once for each zip.
     */
    void install(Path home, Path log) throws IOException, InterruptedException {
        Folders.link(zip == null ? stock : installed(log), home);
    }

    private Path installed(Path log) throws IOException, InterruptedException {
        Path all = Files.createDirectories(work.resolveSibling("installed"));
        String key = String.join(
                "-",
                zip.getFileName().toString(),
                Long.toString(Files.getLastModifiedTime(zip).toMillis()),
                Integer.toHexString(stock.toAbsolutePath().hashCode()),
                Long.toString(Files.getLastModifiedTime(stock).toMillis()));
        Path installed = all.resolve(key);
        synchronized (Distribution.class) {
            if (Files.exists(installed) == false) {
                Path draft = newFolder();
                try {
                    Folders.link(stock, draft.resolve("home"));
                    runInstaller(draft.resolve("home"), log);
                    Files.move(draft.resolve("home"), installed, StandardCopyOption.ATOMIC_MOVE);
                    deleteOlder(installed);
                } catch (FileSystemException e) {
                    if (Files.exists(installed) == false) {
                        throw e;
                    } // Another JVM was faster.
                } finally {
                    Folders.delete(draft);
                }
            }
        }
        return installed;
    }

    /** What was installed of the zip as it was before it was built again. */
    private void deleteOlder(Path installed) throws IOException {
        try (Stream<Path> others = Files.list(installed.getParent())) {
            String name = zip.getFileName() + "-";
            for (Path other : (Iterable<Path>) others::iterator) {
                if (other.equals(installed) == false
                        && other.getFileName().toString().startsWith(name)) {
                    Folders.delete(other);
                }
            }
        }
    }

    private void runInstaller(Path home, Path log) throws IOException, InterruptedException {
        runInstaller(home, zip, log);
    }

    /** Installs a plugin by the distribution's installer. */
    public static void runInstaller(Path home, Path zip, Path log) throws IOException, InterruptedException {
        var installer = new ProcessBuilder(
                        home.resolve("bin/opensearch-plugin").toString(),
                        "install",
                        "--batch",
                        zip.toUri().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        installer.environment().keySet().removeIf(name -> name.startsWith("OPENSEARCH_"));
        installer.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
        if (installer.start().waitFor() != 0) {
            throw new IllegalStateException("installing " + zip + " failed:\n" + Files.readString(log));
        }
    }

    /** Removes the folder of a cluster, and what its nodes have elsewhere. */
    static void deleteCluster(Path folder) throws IOException {
        NodeFolders.remove(folder);
        Folders.delete(folder);
    }

    static List<String> lastLines(Path log, int count) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }
}
