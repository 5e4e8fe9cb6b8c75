/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.prometheus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Commands;
import org.opensearch.simhash.node.RestClient;

/**
 * A Prometheus process on the loopback interface, with data of its own. It ends with {@link #close}, with this JVM, and, where
 * {@code setpriv} exists, with the thread that started it.
 */
final class Prometheus implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path folder;
    // The kernel kills the process together with the thread that started it, so that thread has to stay.
    private final ExecutorService launcher = Executors.newSingleThreadExecutor(Prometheus::daemon);
    private final Thread hook = new Thread(this::stop, "stop-prometheus");
    private Process process;
    private RestClient client;

    private Prometheus(Path folder) {
        this.folder = folder;
    }

    /** Where the build writes. */
    static Path target() throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("project.basedir"), "target"));
    }

    /**
     * Starts it and waits until it answers.
     *
     * @param files configuration by file name; {@code prometheus.yml} is the first that is read
     */
    static Prometheus start(Map<String, String> files) throws IOException, InterruptedException {
        var prometheus = new Prometheus(Files.createTempDirectory(target(), "prometheus-"));
        try {
            Runtime.getRuntime().addShutdownHook(prometheus.hook);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(prometheus.folder.resolve(file.getKey()), file.getValue());
            }
            prometheus.launch();
            return prometheus;
        } catch (IOException | InterruptedException | RuntimeException e) {
            prometheus.close();
            throw e;
        }
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "prometheus-launcher");
        thread.setDaemon(true);
        return thread;
    }

    private void launch() throws IOException, InterruptedException {
        if (Commands.has("prometheus") == false) {
            throw new IllegalStateException(
                    "no Prometheus in PATH: install Debian's package prometheus, or leave the profile metrics out");
        }
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        List<String> command = new ArrayList<>();
        if (Commands.has("setpriv")) {
            command.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
        }
        command.addAll(List.of(
                "prometheus",
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port));
        Path log = folder.resolve("prometheus.log");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        try {
            process = launcher.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException("Prometheus does not start", e);
        }
        client = new RestClient(URI.create("http://127.0.0.1:" + port));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (isReady() == false) {
            if (process.isAlive() == false || System.nanoTime() > end) {
                throw new IllegalStateException("Prometheus does not answer:\n" + Files.readString(log));
            }
            Thread.sleep(50);
        }
    }

    private boolean isReady() {
        try {
            return client.get("/-/ready").status() == 200;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** Series that an expression has at this moment. */
    List<?> query(String expression) {
        String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        Answer answer = client.must("GET", "/api/v1/query?query=" + query, null);
        return (List<?>) answer.at("data.result");
    }

    /** Names of the alerts that fire at this moment. */
    Set<String> firing() {
        List<?> alerts = (List<?>) client.must("GET", "/api/v1/alerts", null).at("data.alerts");
        return alerts.stream()
                .map(alert -> (Map<?, ?>) alert)
                .filter(alert -> alert.get("state").equals("firing"))
                .map(alert -> (String) ((Map<?, ?>) alert.get("labels")).get("alertname"))
                .collect(Collectors.toSet());
    }

    private void stop() {
        if (process != null) {
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            // The next clean build removes it.
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        stop();
        launcher.shutdownNow();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // It runs.
        }
    }
}
