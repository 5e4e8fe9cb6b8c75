/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.RealCluster;

/** Also an index with groups that it shows. */
abstract class ReviewBrowser extends WithBrowser {

    static final Path TARGET = Path.of(System.getProperty("project.basedir"), "target");

    final ReviewIndex index;

    final SplittableRandom random = new SplittableRandom(seed.value());

    ReviewBrowser(RealCluster cluster) {
        super(cluster);
        this.index = new ReviewIndex(client);
    }

    @BeforeEach
    void make() {
        index.make();
    }

    @AfterEach
    void remove() {
        index.remove();
    }

    String address(String parameters) {
        return client.address() + "/_plugins/_simhash/review/" + ReviewIndex.DEST + parameters;
    }

    Tab open(String parameters) {
        Tab tab = chromium.newTab();
        tab.open(address(parameters));
        return tab;
    }

    /** One whose first difference is there. */
    Tab compared(String parameters) {
        Tab tab = open(parameters);
        tab.await("document.documentElement.dataset.shown");
        return tab;
    }

    static void assertNothingRan(Tab tab) {
        assertEquals(List.of(), tab.executed());
        assertEquals(List.of(), tab.violations());
        assertEquals(List.of(), tab.problems());
    }

    /** What is stored of a group. */
    Object stored(Object group, String path) {
        Answer answer = client.must("GET", "/" + ReviewIndex.DEST + "/_doc/" + group, null);
        return answer.at("_source." + path);
    }

    static String axe() throws IOException {
        try (InputStream script = ReviewBrowser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static void assertNoViolation(Tab tab, String state) {
        // Colours change within a tenth of a second.
        tab.eval("document.getAnimations().forEach((each) => each.finish())");
        Object found =
                tab.eval("axe.run({ resultTypes: ['violations'] }).then((answer) => answer.violations.map((each) =>"
                        + " each.id + ': ' + each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' +"
                        + " node.failureSummary).join(' | ')).join('\\n'))");
        assertEquals("", found, state);
    }
}
