/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured, as Markdown: printed while it comes in, and kept in a file with a section per number of documents. */
@SuppressWarnings("AnnotateFormatMethod") // An annotation of Error Prone's that is worth no dependency.
final class Report {

    private static final String SECTION = "## ";
    private static final String TITLE = """
            # Benchmarks over HTTP

            Written by `tools/benchmark`, one section per number of documents; each run replaces its own. One real node, 2 GB heap,
            one shard in one Lucene leaf; node and clients share the machine. Forms of search are asked in turns, 200 searches
            each (26 of those that visit every document), half of the fingerprints new, half near an indexed one. `took` is the
            node's own time in whole milliseconds, `wall` what the client waits, recall is against a comparison with every document.

            """;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final StringBuilder section = new StringBuilder();
    private final List<String> bars = new ArrayList<>();
    private final String heading;
    private final Path file;

    /** @param file where to keep it, below the project; null: printed only */
    Report(int documents, Path file) {
        this.file = file == null
                ? null
                : Path.of(System.getProperty("project.basedir")).resolve(file);
        heading = SECTION + String.format(Locale.ROOT, "%,d documents", documents);
        line(heading);
        line("");
    }

    void progress(String message) {
        long seconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1000;
        out.printf(Locale.ROOT, "[%5d s, load %.1f] %s%n", seconds, load(), message);
    }

    void line(String format, Object... values) {
        String line = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
        out.println(line);
        section.append(line).append('\n');
    }

    /** Starts a part; says how busy the machine is. The parts before are kept from now on. */
    void part(String name) {
        write();
        line("");
        line("### " + name);
        line("");
        line("Load before: %.1f on %d processors.", load(), processors());
        line("");
    }

    void table(String... columns) {
        line("| " + String.join(" | ", columns) + " |");
        line("|" + "---|".repeat(columns.length));
    }

    /** A promise, and whether it was kept here. */
    void bar(boolean kept, String promise, String format, Object... figures) {
        String bar = (kept ? "PASS" : "FAIL") + ": " + promise + ": " + String.format(Locale.ROOT, format, figures);
        out.println(bar);
        bars.add("- " + bar);
    }

    void end() {
        write();
        out.println();
        bars.forEach(out::println);
    }

    /** Puts what there is so far into the file, in the place of a section of the same heading. */
    private void write() {
        if (file == null) {
            return;
        }
        String text = section + "\n### Bars\n\n" + String.join("\n", bars) + '\n';
        try {
            String old = Files.exists(file) ? Files.readString(file) : TITLE;
            int start = old.indexOf(heading + '\n');
            if (start < 0) {
                Files.writeString(file, old.stripTrailing() + "\n\n" + text);
            } else {
                int next = old.indexOf('\n' + SECTION, start);
                Files.writeString(file, old.substring(0, start) + text + (next < 0 ? "" : old.substring(next)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }
}
