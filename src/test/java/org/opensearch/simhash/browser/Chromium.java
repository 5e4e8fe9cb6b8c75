/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A browser process with an empty profile, which ends with {@link #close}, with this JVM, and, where {@code setpriv} exists, with the
 * thread that started it. What its profile leaves goes, too.
 */
final class Chromium implements AutoCloseable {

    private static final List<String> PROGRAMS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final Pattern LISTENING = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)/\\S+");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path profile;
    private final Path log;
    private final ExecutorService launcher = Executors.newSingleThreadExecutor(Chromium::daemon);
    private final Thread hook = new Thread(this::stop, "stop-chromium");
    private Process process;
    private DevTools browser;

    private Chromium(Path profile) {
        this.profile = profile;
        this.log = profile.resolve("chromium.log");
    }

    /**
     * Starts it.
     *
     * @throws IllegalStateException when there is none, or it does not start
     */
    static Chromium start() {
        try {
            Path target = Path.of(System.getProperty("project.basedir"), "target");
            var chromium = new Chromium(Files.createTempDirectory(Files.createDirectories(target), "chromium-"));
            try {
                Runtime.getRuntime().addShutdownHook(chromium.hook);
                chromium.launch();
                return chromium;
            } catch (IOException | RuntimeException e) {
                chromium.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "chromium-launcher");
        thread.setDaemon(true);
        return thread;
    }

    private static Path program(String name) {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            Path program = Path.of(folder, name);
            if (folder.isEmpty() == false && Files.isExecutable(program)) {
                return program;
            }
        }
        return null;
    }

    private void launch() throws IOException {
        Path program = PROGRAMS.stream()
                .map(Chromium::program)
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no Chromium in PATH: install Debian's package chromium, or leave the profile browser out"));
        List<String> command = new ArrayList<>();
        if (program("setpriv") != null) {
            command.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
        }
        command.addAll(List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--no-proxy-server",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-extensions",
                "--force-color-profile=srgb",
                "--lang=en-US",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile.resolve("data"),
                "about:blank"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        // Nothing of the user's: neither settings nor fonts of a session.
        builder.environment().put("HOME", profile.toString());
        try {
            process = launcher.submit(builder::start).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IOException("Chromium does not start", e);
        }
        browser = DevTools.connect(address());
    }

    private URI address() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && process.isAlive()) {
            Matcher listening = LISTENING.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
            if (listening.find()) {
                return URI.create(listening.group());
            }
            Pause.shortly();
        }
        throw new IllegalStateException(
                "Chromium does not answer:\n" + Files.readString(log, StandardCharsets.ISO_8859_1));
    }

    /** An empty page of its own. */
    Tab newTab() {
        Object target = browser.call("Target.createTarget", Map.of("url", "about:blank"))
                .get("targetId");
        return new Tab(DevTools.connect(browser.address().resolve("/devtools/page/" + target)));
    }

    private void stop() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            try {
                process.waitFor(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            // What is ended by force leaves a folder with a socket beside those of all programs.
            Path socket = profile.resolve("data/SingletonSocket");
            if (Files.isSymbolicLink(socket)) {
                remove(Files.readSymbolicLink(socket).getParent());
            }
            remove(profile);
        } catch (IOException e) {
            // The next clean build removes it.
        }
    }

    private static void remove(Path folder) throws IOException {
        for (int tries = 5; Files.exists(folder); tries--) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (IOException | UncheckedIOException e) {
                if (tries == 0) {
                    throw new IOException(e);
                }
                Pause.shortly(); // A process of it is about to end.
            }
        }
    }

    @Override
    public void close() {
        if (browser != null) {
            browser.close();
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
