/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A cluster of real nodes with the plugin, and a folder with all that it has on disk. Whatever ends this JVM ends the nodes:
 * {@link #close}, a shutdown hook (Ctrl-C, SIGTERM, exit), and for {@code kill -9} the kernel, see {@link NodeUser}.
 */
public final class RealCluster implements AutoCloseable {

    private final Path folder;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<RestClient> clients = new CopyOnWriteArrayList<>();
    /** Of the nodes that were upgraded. */
    private final Map<Integer, Path> homes = new HashMap<>();
    // The kernel kills a node together with the thread that started it, so that thread has to stay.
    private final ExecutorService launcher = Executors.newSingleThreadExecutor(RealCluster::daemon);
    private final Thread hook = new Thread(this::stop, "stop-nodes");
    private boolean stopped;

    /** Of all requests. */
    private final Map<String, String> headers;

    private RealCluster(Path folder, Map<String, String> headers) {
        this.folder = folder;
        this.headers = headers;
    }

    /**
     * Installs the plugin, starts the nodes and waits until all are in the cluster.
     *
     * @throws IllegalStateException with the last lines of the installer or of the node when that fails; nothing stays behind
     */
    public static RealCluster start(Distribution distribution, NodeOptions options) {
        return start(distribution, options, Map.of());
    }

    /** @param headers of all requests */
    public static RealCluster start(Distribution distribution, NodeOptions options, Map<String, String> headers) {
        try {
            var cluster = new RealCluster(distribution.newFolder(), headers);
            try {
                Runtime.getRuntime().addShutdownHook(cluster.hook);
                cluster.bringUp(distribution, options);
                return cluster;
            } catch (IOException | InterruptedException | RuntimeException e) {
                cluster.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void bringUp(Distribution distribution, NodeOptions options) throws IOException, InterruptedException {
        distribution.install(home(), folder.resolve("install.log"));
        for (int i = 0; i < options.nodes(); i++) {
            launch(i, options);
        }
        introduce();
        for (NodeProcess node : nodes) {
            clients.add(clientOf(node));
        }
        String green = "/_cluster/health?wait_for_status=green&timeout=240s&wait_for_nodes=" + options.nodes();
        Answer health = clients.getFirst().get(green);
        while (health.text().contains("Security not initialized")) {
            Thread.sleep(200);
            health = clients.getFirst().get(green);
        }
        if (health.ok() == false) {
            throw new IllegalStateException("no cluster: " + health.text() + "\n" + lastWords());
        }
    }

    /** The client of the first node. */
    public RestClient client() {
        return clients.getFirst();
    }

    public RestClient client(int node) {
        return clients.get(node);
    }

    /** Ends one node at once and without goodbye, as a power cut does. */
    public void kill(int node) {
        nodes.get(node).kill();
    }

    /** A full collection of a node's heap. */
    void collectGarbage(int node) throws IOException, InterruptedException {
        nodes.get(node).collectGarbage();
    }

    /** Lets a node stand still (SIGSTOP), as a long collection of garbage or a virtual machine does. */
    public void pause(int node) {
        nodes.get(node).signal("STOP");
    }

    /** Lets it go on. */
    public void resume(int node) {
        nodes.get(node).signal("CONT");
    }

    /** The distribution with the plugin, as installed. */
    public Path home() {
        return folder.resolve("home");
    }

    /**
     * Ends one node as an operator does, and starts it again as a node of another release or plugin, with what it has on disk.
     *
     * @param name of what is installed once, for all nodes that get it
     */
    void upgrade(int node, String name, Distribution newer, NodeOptions options) {
        Path upgraded = folder.resolve("upgraded-" + name);
        try {
            if (Files.exists(upgraded) == false) {
                newer.install(upgraded, folder.resolve("install.log"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        nodes.get(node).stop();
        homes.put(node, upgraded);
        restart(node, options);
    }

    /** Starts a node again that was killed, with what it has on disk; its client is a new one. */
    public void restart(int node, NodeOptions options) {
        try {
            nodes.get(node).forgetAddresses();
            launch(node, options);
            introduce();
            clients.set(node, clientOf(nodes.get(node))).close();
            client(node)
                    .must(
                            "GET",
                            "/_cluster/health?wait_for_status=yellow&timeout=240s&wait_for_nodes=" + nodes.size(),
                            null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The last lines that the nodes wrote. */
    public String lastWords() throws IOException {
        var words = new StringBuilder();
        for (NodeProcess node : nodes) {
            words.append(node.lastWords()).append('\n');
        }
        return words.toString();
    }

    /** Returns when the first node ends, whatever ended it. */
    public void awaitEnd() throws InterruptedException {
        nodes.getFirst().awaitEnd();
    }

    @Override
    public void close() {
        stop();
        clients.forEach(RestClient::close);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            return;
        }
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "launch-nodes");
        thread.setDaemon(true);
        return thread;
    }

    private RestClient clientOf(NodeProcess node) throws IOException, InterruptedException {
        return new RestClient(URI.create("http://" + node.httpAddress()), headers);
    }

    /** Tells all nodes where the others are. */
    private void introduce() throws IOException, InterruptedException {
        List<String> transport = new ArrayList<>();
        for (NodeProcess node : nodes) {
            transport.add(node.transportAddress());
        }
        for (NodeProcess node : nodes) {
            node.introduce(transport);
        }
    }

    /** Starts a node in place of the killed one of this number, or as the next one. */
    private synchronized void launch(int number, NodeOptions options) throws IOException, InterruptedException {
        if (stopped) {
            throw new IllegalStateException("the cluster is stopped");
        }
        Path nodeFolder = Files.createDirectories(folder.resolve("node-" + number));
        try {
            NodeProcess node = launcher.submit(
                            () -> NodeProcess.launch(homes.getOrDefault(number, home()), nodeFolder, options))
                    .get();
            if (number < nodes.size()) {
                nodes.set(number, node);
            } else {
                nodes.add(node);
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        nodes.forEach(NodeProcess::kill);
        launcher.shutdown();
        try {
            Distribution.deleteCluster(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
