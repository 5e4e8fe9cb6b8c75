/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.opensearch.simhash.folders.Folders;

/**
 * One node: a process, and a folder with its configuration, data and logs. Bound to the loopback interface, on ports that
 * the operating system chose and the node wrote down.
 */
final class NodeProcess {

    private static final long START_MILLIS = 300_000;
    private static final String FIRST = "node-0";

    private final Path folder;
    private final Process process;

    private NodeProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts a node and does not wait for it. The calling thread has to live as long as the node.
     *
     * @param home the distribution with the plugin
     * @param folder the node's own; its name is the node's
     */
    static NodeProcess launch(Path home, Path folder, NodeOptions options) throws IOException {
        for (String sub : List.of("config", "logs")) {
            Files.createDirectories(folder.resolve(sub));
        }
        Path tmp = NodeFolders.tmp(folder);
        Path data = NodeFolders.data(folder, options.inMemory());
        writeConfiguration(home.resolve("config"), folder, data, options);
        NodeUser user = NodeUser.choose(home, folder);
        var jvmOptions = new ArrayList<>(options.jvmOptions());
        jvmOptions.addAll(user.jvmOptions());

        var builder = new ProcessBuilder(
                        user.command(home.resolve("bin/opensearch").toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("console.log").toFile());
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("OPENSEARCH_") || name.endsWith("JAVA_OPTS"));
        environment.put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
        environment.put("OPENSEARCH_PATH_CONF", folder.resolve("config").toString());
        environment.put("OPENSEARCH_TMPDIR", tmp.toString());
        environment.put("OPENSEARCH_JAVA_OPTS", String.join(" ", jvmOptions));
        return new NodeProcess(folder, builder.start());
    }

    /** Host and port of the HTTP interface, as soon as the node listens. */
    String httpAddress() throws IOException, InterruptedException {
        return address("http.ports");
    }

    /** Host and port that the other nodes use. */
    String transportAddress() throws IOException, InterruptedException {
        return address("transport.ports");
    }

    /** Tells the node where the others are. */
    void introduce(List<String> addresses) throws IOException {
        Path draft = Files.write(folder.resolve("config/unicast_hosts.draft"), addresses);
        Files.move(draft, folder.resolve("config/unicast_hosts.txt"), StandardCopyOption.REPLACE_EXISTING);
    }

    void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** As an operator does: what it holds, it hands over or closes. */
    void stop() {
        process.toHandle().destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** At once and without goodbye: what the node stored is thrown away with it. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A full collection, now: what of the heap is used afterwards is held. */
    void collectGarbage() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process collection = new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.run")
                .redirectErrorStream(true)
                .start();
        String said = new String(collection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (collection.waitFor() != 0) {
            throw new IllegalStateException("no collection: " + said);
        }
    }

    void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("no signal to process " + process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Forgets where a node that was killed listened, so that it can be launched again. */
    void forgetAddresses() throws IOException {
        Files.deleteIfExists(folder.resolve("logs/http.ports"));
        Files.deleteIfExists(folder.resolve("logs/transport.ports"));
    }

    /** For the exception when something goes wrong. */
    String lastWords() throws IOException {
        return folder.getFileName() + ":\n"
                + String.join("\n", Distribution.lastLines(folder.resolve("console.log"), 40));
    }

    private String address(String file) throws IOException, InterruptedException {
        Path ports = folder.resolve("logs").resolve(file);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
        while (Files.exists(ports) == false) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the node ended with status " + process.exitValue() + "; " + lastWords());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no node after " + START_MILLIS + " ms; " + lastWords());
            }
        }
        return Files.readAllLines(ports).getFirst();
    }

    private static void writeConfiguration(Path stock, Path folder, Path data, NodeOptions options) throws IOException {
        Path config = folder.resolve("config");
        Files.copy(
                stock.resolve("log4j2.properties"),
                config.resolve("log4j2.properties"),
                StandardCopyOption.REPLACE_EXISTING);
        Path security = stock.resolve("opensearch-security");
        if (Files.exists(security)) {
            Folders.link(security, config.resolve("opensearch-security"));
            try (DirectoryStream<Path> keys = Files.newDirectoryStream(stock, "*.pem")) {
                for (Path key : keys) {
                    Files.copy(key, config.resolve(key.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        // No collector log and no heap dumps from nodes that are thrown away.
        List<String> jvm = Files.readAllLines(stock.resolve("jvm.options")).stream()
                .filter(line -> line.contains("-Xlog:gc") == false && line.contains("HeapDump") == false)
                .toList();
        Files.write(config.resolve("jvm.options"), jvm);

        Map<String, String> settings = new TreeMap<>(Map.of(
                "node.name",
                folder.getFileName().toString(),
                "cluster.name",
                "simhash-" + folder.getParent().getFileName(),
                "path.data",
                data.toString(),
                "path.logs",
                folder.resolve("logs").toString(),
                "path.repo",
                folder.getParent().resolve("repository").toString(),
                "network.host",
                "127.0.0.1",
                "http.port",
                "0",
                "transport.port",
                "0",
                "node.portsfile",
                "true"));
        settings.putAll(Map.of(
                "discovery.seed_providers", "file",
                "discovery.initial_state_timeout", "0s",
                "cluster.initial_cluster_manager_nodes", FIRST,
                "cluster.routing.allocation.disk.threshold_enabled", "false"));
        settings.putAll(options.settings());
        Files.write(
                config.resolve("opensearch.yml"),
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + ": \"" + setting.getValue() + "\"")
                        .toList());
    }
}
