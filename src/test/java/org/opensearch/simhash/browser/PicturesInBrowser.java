/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;

/** Pictures of the page in its states, for people to look at: {@code target/review-*.png}. */
@RealNodes(1)
class PicturesInBrowser extends ReviewBrowser {

    PicturesInBrowser(RealCluster cluster) {
        super(cluster);
    }

    private static void picture(Tab tab, String state) throws IOException {
        tab.settle();
        assertEquals("", tab.text("problem"), state);
        tab.await("document.getAnimations().every((each) => !(each instanceof CSSTransition))");
        tab.screenshot(TARGET.resolve("review-" + state + ".png"));
    }

    @Test
    void testPicturesOfItsStates() throws IOException {
        index.fillNews();
        index.report();
        try (Tab tab = chromium.newTab()) {
            tab.resize(1280, 800);
            tab.colors("light");
            tab.open(address(""));
            tab.await("document.documentElement.dataset.shown");
            tab.awaitText("items", "Council approves tram line");
            tab.settle();
            int tram = ((Number) tab.eval("page.groups.findIndex((group) => group.title === 'New frog described')"))
                    .intValue();
            for (int i = 0; i < tram; i++) {
                tab.press("n");
            }
            tab.press("j");
            picture(tab, "group");
            tab.colors("dark");
            picture(tab, "dark");
            tab.colors("light");
            tab.press("x");
            picture(tab, "kept-apart");
            tab.awaitText("rows", "kept apart");
            tab.resize(320, 640);
            picture(tab, "telephone");
            tab.resize(320, 200);
            picture(tab, "zoom-400");
            tab.resize(1280, 800);
            tab.eval("document.getElementById('menu').open = true");
            picture(tab, "menu");
            tab.eval("document.getElementById('menu').open = false");
            tab.eval("(() => { document.getElementById('bulk-least').value = '0.5';"
                    + " document.getElementById('bulk-form').requestSubmit(); })()");
            tab.await("document.getElementById('bulk-dialog').open");
            picture(tab, "many");
            tab.eval("document.getElementById('bulk-go').click()");
            tab.awaitText("last", "Accepted: ");
            tab.await("document.body.classList.contains('empty')");
            picture(tab, "end");
            tab.press("Enter");
            tab.await("document.getElementById('finish-dialog').open");
            tab.eval("document.getElementById('apply-send').click()");
            tab.awaitText("apply-answer", "Done.");
            picture(tab, "applied");
        }
        client.must("DELETE", "/" + ReviewIndex.NAME + "/_doc/story-3-7?refresh=true", null);
        try (Tab tab = chromium.newTab()) {
            tab.resize(1280, 800);
            tab.open(address("?decision=&min_size=10"));
            tab.await("document.documentElement.dataset.shown");
            tab.awaitText("rows", "documents with this text");
            tab.awaitText("rows", "deleted since the job");
            picture(tab, "large");
            tab.eval("document.getElementById('print').click()");
            tab.await("watched.executed.length === 1");
            tab.media("print");
            picture(tab, "print");
        }
    }
}
