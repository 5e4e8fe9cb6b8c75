/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;

/**
 * Prints a line for each class of tests, and for each failure its stack trace with the command that repeats it. Writes to the
 * standard output that the JVM was started with: what tests print goes to files. Threads may run classes at once.
 */
public final class TestLines implements TestExecutionListener {

    private static final int MOST_LINES = 80;

    /** Engine and class in a unique id. */
    private static final int SEGMENTS = 2;

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private static final class Tally {

        private final long start = System.nanoTime();
        private int passed;
        private int failed;
        private int skipped;

        synchronized void add(Status status) {
            switch (status) {
                case SUCCESSFUL -> passed++;
                case FAILED -> failed++;
                case ABORTED -> skipped++;
            }
        }

        synchronized String line(String name) {
            return String.format(
                    Locale.ROOT,
                    "%-6s %4d tests%s %8.1f s  %s",
                    failed == 0 ? "ok" : "FAILED",
                    passed + failed,
                    (failed == 0 ? "" : ", " + failed + " failed") + (skipped == 0 ? "" : ", " + skipped + " skipped"),
                    (System.nanoTime() - start) / 1e9,
                    name);
        }
    }

    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        tally(test);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        tally(test).add(Status.ABORTED);
        endIfClass(test);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean isFailed = result.getStatus() == Status.FAILED;
        if (test.isTest() || isFailed) {
            tally(test).add(result.getStatus());
        }
        if (isFailed) {
            OUT.println(failure(test, result.getThrowable().orElse(null)));
        }
        endIfClass(test);
    }

    private void endIfClass(TestIdentifier test) {
        if (isClass(test)) {
            Tally tally = tallies.remove(key(test));
            OUT.println(tally.line(className(test)));
        }
    }

    private Tally tally(TestIdentifier test) {
        return tallies.computeIfAbsent(key(test), any -> new Tally());
    }

    private static String key(TestIdentifier test) {
        var segments = UniqueId.parse(test.getUniqueId()).getSegments();
        return segments.subList(0, Math.min(SEGMENTS, segments.size())).toString();
    }

    private static boolean isClass(TestIdentifier test) {
        return test.isContainer()
                && UniqueId.parse(test.getUniqueId()).getSegments().size() == SEGMENTS;
    }

    private static String className(TestIdentifier test) {
        if (test.getSource().orElse(null) instanceof MethodSource method) {
            return method.getClassName();
        }
        return test.getSource().orElse(null) instanceof ClassSource one
                ? one.getClassName()
                : test.getLegacyReportingName();
    }

    private static String failure(TestIdentifier test, Throwable thrown) {
        String name = className(test);
        String method =
                test.getSource().orElse(null) instanceof MethodSource source ? "#" + source.getMethodName() : "";
        StringWriter trace = new StringWriter();
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(trace));
        }
        return "FAILED " + name + method + "\n"
                + String.join("\n", trace.toString().lines().limit(MOST_LINES).toList())
                + "\nrepeat with: "
                + command(name.substring(name.lastIndexOf('.') + 1), method, seed(thrown), Rounds.NIGHT)
                + "\nits log: target/" + (isUnit(name) ? "surefire" : "failsafe") + "-reports/" + name + "-output.txt";
    }

    private static boolean isUnit(String name) {
        return name.endsWith("Tests");
    }

    /** Repeats one test of this build. */
    static String command(String name, String method, String seed, boolean isNight) {
        String maven = isNight ? "./mvnw -Pnight " : "./mvnw ";
        String start = isUnit(name)
                ? maven + "test -Dtest=" + name + method
                : maven + "verify -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=" + name + method;
        return seed == null ? start : start + " -Dtests.seed=" + seed;
    }

    /** Of all tests of the run, as {@link RandomSeed} and the randomized runner write it into stack traces, else as given; or null. */
    static String seed(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .limit(MOST_LINES)
                .flatMap(one -> Arrays.stream(one.getStackTrace()))
                .filter(frame -> frame.getClassName().equals(RandomSeed.FRAME))
                .map(frame -> frame.getFileName().replaceAll("[\\[\\]]|:.*", ""))
                .findFirst()
                .orElse(System.getProperty("tests.seed"));
    }
}
