/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.Commands;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.SampleIndex;

/** What {@code ./demo} shows. */
@RealNodes(1)
class DemoIT {

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final RealCluster cluster;
    private final Demo demo;

    DemoIT(RealCluster cluster) {
        this.cluster = cluster;
        this.demo = new Demo(cluster.client(), new Terminal(new PrintStream(screen, false, StandardCharsets.UTF_8)));
    }

    @BeforeEach
    void index() {
        demo.index();
    }

    @AfterEach
    void remove() {
        new SampleIndex().remove(cluster.client());
        cluster.client().send("DELETE", "/" + Demo.GROUPS, null);
    }

    @Test
    void testItsGroupsAreReadyForReview() {
        demo.deduplicate();
        String page = demo.review();
        assertTrue(cluster.client()
                .must("GET", URI.create(page).getPath(), null)
                .text()
                .startsWith("<!DOCTYPE html>"));
        assertTrue(cluster.client()
                        .must("GET", URI.create(page).getPath() + "/groups", null)
                        .number("runs.0.groups")
                > 0);
    }

    @Test
    void testShowsNearDuplicatesByTextIdAndHash() {
        demo.search();
        List<String> lines = screen.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.stream().anyMatch(line -> line.endsWith("indexed 404 of 404 documents")));
        List<String> tables = lines.stream()
                .filter(line -> line.startsWith("  distance  score  document"))
                .toList();
        assertEquals(3, tables.size());
        int byText = lines.indexOf(row(lines, "By text"));
        assertTrue(
                lines.subList(byText, byText + 2).stream().anyMatch(line -> line.contains(Demo.EDITED)),
                "the original of the edited copy is among the nearest two");
        assertTrue(row(lines, "By id").contains("  zh.guides.deploy.codeberg.v"));
        assertTrue(row(lines, "By hash").startsWith("         0  1.000  " + Demo.EDITED));
    }

    @Test
    void testShowsASearchWithAndWithoutNearDuplicates() {
        demo.search();
        List<String> lines = screen.toString(StandardCharsets.UTF_8).lines().toList();
        List<String> without = page(lines, "  without collapse_near_duplicates");
        List<String> with = page(lines, "  with collapse_near_duplicates");
        assertEquals(5, without.size());
        assertEquals(5, with.size());
        assertTrue(with.stream().anyMatch(line -> line.contains(" near-duplicate")), with.toString());
        assertTrue(pages(with) > pages(without), with + " " + without);
    }

    private static List<String> page(List<String> lines, String headline) {
        return lines.stream()
                .dropWhile(line -> line.startsWith(headline) == false)
                .skip(1)
                .takeWhile(line -> line.startsWith("  ") && Character.isDigit(line.charAt(2)))
                .toList();
    }

    /** Number of different pages of which versions are listed. */
    private static long pages(List<String> rows) {
        return rows.stream()
                .map(row -> row.strip().split("\\s+", -1)[1].replaceAll("\\.v\\d+$", ""))
                .distinct()
                .count();
    }

    @Test
    void testShowsTheGroupsAndWhatIsLeftWithoutDuplicates() {
        demo.deduplicate();
        List<String> lines = screen.toString(StandardCharsets.UTF_8).lines().toList();
        long rows = lines.stream()
                .filter(line -> line.matches(" +[0-9]+  [a-z]{2}\\..*\\([0-9]+\\).*"))
                .count();
        assertEquals(10, rows, lines.toString());
        assertTrue(lines.contains("  before: 404 documents"), lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.endsWith("tagging again writes 0")), lines.toString());
    }

    @Test
    void testShowsWhatEachDistanceFinds() {
        demo.calibrate();
        List<String> lines = screen.toString(StandardCharsets.UTF_8).lines().toList();
        long rows = lines.stream()
                .filter(line -> line.matches(" +[0-9]+ +[0-9]+ +[0-9.?]+ +[0-9.?]+ \\(.*\\) +[0-9.?]+ \\(.*\\)"))
                .count();
        assertEquals(13, rows, lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("  suggested: ")), lines.toString());
    }

    @Test
    void testLinesFitTheTerminal() {
        demo.search();
        demo.calibrate();
        demo.deduplicate();
        screen.toString(StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> assertTrue(Terminal.width(line) <= Terminal.WIDTH, line));
    }

    @Test
    void testRequestsToTryWork() throws Exception {
        assumeTrue(Commands.has("curl"), "no curl");
        String[] found = {"hits.hits.0._id", "hits.hits.1._id", "docs.0.doc._source.simhash.hash"};
        List<String> invitations = demo.invitations();
        for (int i = 0; i < found.length; i++) {
            Process curl = new ProcessBuilder("sh", "-c", invitations.get(i)).start();
            String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(Json.at(Json.parse(answer), found[i]) instanceof String, answer);
        }
    }

    /** The first row of the table below a headline. */
    private static String row(List<String> lines, String headline) {
        int i = 0;
        while (lines.get(i).startsWith(headline) == false) {
            i++;
        }
        return lines.get(i + 2);
    }
}
