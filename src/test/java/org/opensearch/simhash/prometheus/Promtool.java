/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.prometheus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The checks that come with Prometheus. */
final class Promtool {

    private Promtool() {}

    /** What a check says when it is not content; empty when it is. */
    static String complaints(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        Path said = Files.createTempFile(Prometheus.target(), "promtool-", ".log");
        try {
            Process process = builder.redirectOutput(said.toFile()).start();
            boolean ended = process.waitFor(1, TimeUnit.MINUTES);
            if (ended == false) {
                process.destroyForcibly();
            }
            String text = Files.readString(said, StandardCharsets.UTF_8);
            // Of files that are right it tells how many rules they have.
            boolean isContent = ended && process.exitValue() == 0 && (input == null || text.isEmpty());
            return isContent ? "" : "promtool " + List.of(arguments) + ": " + text;
        } finally {
            Files.delete(said);
        }
    }
}
