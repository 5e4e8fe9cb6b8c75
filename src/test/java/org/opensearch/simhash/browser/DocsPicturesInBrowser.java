/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.SampleIndex;

/**
 * The pictures of README and docs/, of the documents of the demo: {@code target/review.png} and {@code target/calibration.png}. With
 * {@code -Dscreenshot.update=true} they are those in docs/ from now on.
 */
@RealNodes(1)
class DocsPicturesInBrowser extends WithBrowser {

    private static final String GROUPS = "groups-docs";

    /** Three texts of sentences, whose differences stand near their beginning. */
    private static final String SURVIVOR = "en.core-concepts.partial-hydration.v12";

    private final SampleIndex sample = new SampleIndex();

    DocsPicturesInBrowser(RealCluster cluster) {
        super(cluster);
    }

    @BeforeEach
    void fill() {
        remove();
        sample.configure(client);
        sample.fill(client, SampleIndex.NAME, indexed -> {});
    }

    @AfterEach
    void remove() {
        sample.remove(client);
        client.send("DELETE", "/" + GROUPS, null);
    }

    private static void keep(String name) throws IOException {
        if (Boolean.getBoolean("screenshot.update")) {
            Files.copy(
                    ReviewBrowser.TARGET.resolve(name),
                    Path.of(System.getProperty("project.basedir"), "docs", name),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void testAGroup() throws IOException {
        client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + SampleIndex.NAME,
                "{\"query\":{\"match\":{\"language\":\"en\"}},\"verify\":{\"min_similarity\":0.6},\"dest\":{\"index\":\""
                        + GROUPS + "\"}}");
        client.must("POST", "/" + GROUPS + "/_refresh", null);
        String group = client.must(
                        "POST",
                        "/" + GROUPS + "/_search",
                        "{\"query\":{\"term\":{\"survivor.id\":\"" + SURVIVOR + "\"}}}")
                .string("hits.hits.0._id");
        try (Tab tab = chromium.newTab()) {
            tab.resize(1280, 760);
            tab.colors("light");
            tab.open(client.address() + "/_plugins/_simhash/review/" + GROUPS + "?columns=title,version,updated&group="
                    + group);
            tab.await("document.documentElement.dataset.shown");
            tab.awaitText("rows", SURVIVOR);
            tab.settle();
            assertEquals("", tab.text("problem"));
            assertTrue(
                    ((Number) tab.eval("[...document.querySelectorAll('mark')].filter((each) =>"
                                            + " each.getBoundingClientRect().bottom < innerHeight).length"))
                                    .intValue()
                            > 4,
                    "differences in sight");
            tab.screenshot(ReviewBrowser.TARGET.resolve("review.png"));
            keep("review.png");
            assertEquals(List.of(), tab.problems());
        }
    }

    @Test
    void testACalibration() throws IOException {
        try (Tab tab = chromium.newTab()) {
            tab.resize(860, 900);
            tab.colors("light");
            tab.open(client.address() + "/_plugins/_simhash/calibrate/" + SampleIndex.NAME + "?format=html");
            tab.await("document.documentElement.dataset.ready");
            tab.eval(
                    "[...document.querySelectorAll('button')].find((each) => each.textContent === 'Calibrate').click()");
            tab.await("document.documentElement.dataset.shown");
            tab.await("document.getElementById('curve').naturalWidth > 0");
            assertTrue(tab.text("suggestion").contains(" of the near pairs seen"), tab.text("suggestion"));
            tab.screenshot(ReviewBrowser.TARGET.resolve("calibration.png"), "suggestion-name", "curve");
            keep("calibration.png");
            assertEquals(List.of(), tab.problems());
        }
    }
}
