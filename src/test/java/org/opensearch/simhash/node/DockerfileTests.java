/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a linter asks of the Dockerfile: known instructions, a pinned image, local files by COPY, nothing left behind, no sudo. No image
 * is built.
 */
class DockerfileTests {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));

    @Test
    void testItPutsTheZipOfThisBuildIntoATestedRelease() throws IOException {
        List<String> lines = Files.readAllLines(PROJECT.resolve("Dockerfile")).stream()
                .filter(line -> line.startsWith("#") == false)
                .toList();
        assertEquals(
                List.of("ARG", "FROM", "ARG", "COPY", "RUN"),
                lines.stream().map(line -> line.split(" ", 2)[0]).toList());
        String pom = Files.readString(PROJECT.resolve("pom.xml"));
        assertEquals("ARG RELEASE=" + property(pom, "node.version"), lines.get(0));
        assertEquals("FROM opensearchproject/opensearch:${RELEASE}", lines.get(1));
        assertEquals("ARG ZIP=opensearch-simhash-" + property(pom, "revision") + ".zip", lines.get(2));
        assertEquals(
                "COPY --chown=1000:1000 target/releases/${ZIP} /tmp/", lines.get(3), "readable for the image's user");
        assertTrue(lines.get(4).contains("install --batch file:///tmp/${ZIP}"), lines.get(4));
        assertTrue(lines.get(4).endsWith("&& rm /tmp/${ZIP}"), lines.get(4));
        assertTrue(lines.stream().noneMatch(line -> line.contains("sudo")));
    }

    private static String property(String pom, String name) {
        return pom.replaceFirst("(?s).*?<" + name + ">([^<$]+)<.*", "$1");
    }
}
