/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintsAcrossJvmsTests {

    /** Turkish has another lower case of I, Thai other digits; the encoding decides what {@code getBytes()} gives. */
    @Test
    void testLocaleCharsetTimeZoneAndProcessorsDoNotMatter() throws Exception {
        String one = run("-Duser.language=en", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8");
        String other = run(
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Duser.timezone=Asia/Kathmandu",
                "-Dfile.encoding=ISO-8859-1",
                "-XX:ActiveProcessorCount=1",
                "-XX:+UseSerialGC");
        String third = run("-Duser.language=th", "-Duser.country=TH", "-Duser.variant=TH", "-XX:TieredStopAtLevel=1");
        assertTrue(one.startsWith(FingerprintsOfSample.DOCUMENTS + " "), one);
        assertEquals(one, other);
        assertEquals(one, third);
    }

    private static String run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath(), FingerprintsOfSample.class.getName()));
        Process java = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertEquals(0, java.waitFor());
            return output;
        } finally {
            java.destroyForcibly();
        }
    }

    /** Surefire may hide the real one behind a manifest. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
