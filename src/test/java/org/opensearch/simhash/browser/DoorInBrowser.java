/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/** Somebody who has never read the docs cleans up an index: from the front door alone, and back. */
@RealNodes(1)
class DoorInBrowser {

    private static final String INDEX = "door-articles";
    private static final String DOOR = "/_plugins/_simhash";
    private static final int DOCUMENTS = 200;

    private static Chromium chromium;

    private final RestClient client;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    DoorInBrowser(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() {
        chromium.close();
    }

    @BeforeEach
    @AfterEach
    void remove() {
        client.send("DELETE", "/*door-*", null);
        client.send("DELETE", "/_ingest/pipeline/*door-*", null);
    }

    /** Every second is the one before with another word. */
    private void index(String name, String title) {
        Random random = new Random(seed.value());
        List<String> words = new SampleIndex().words("en");
        StringBuilder bulk = new StringBuilder();
        String last = "";
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i % 2 == 0) {
                StringBuilder text = new StringBuilder();
                for (int j = 0; j < 100; j++) {
                    text.append(words.get(random.nextInt(words.size()))).append(' ');
                }
                last = text.toString();
            } else {
                last += "changed";
            }
            bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
            bulk.append(Json.write(Map.of("title", title, "body", last))).append('\n');
        }
        client.must("POST", "/" + name + "/_bulk?refresh=true", bulk.toString());
    }

    private Tab open(String address) {
        Tab tab = chromium.newTab();
        tab.open(client.address() + address);
        tab.await("document.documentElement.dataset.ready");
        return tab;
    }

    /** Loads the page anew. */
    private static void again(Tab tab) {
        tab.eval("delete document.documentElement.dataset.ready");
        tab.eval("setTimeout(() => location.reload())");
        tab.await("document.documentElement.dataset.ready");
    }

    private static void assertNothingRan(Tab tab) {
        assertEquals(List.of(), tab.executed());
        assertEquals(List.of(), tab.violations());
    }

    /** Clicks the button with this text in the step with this title, and waits for what is shown after it. */
    private static void send(Tab tab, String step, String button, String shown) {
        String details = "[...document.querySelectorAll('.step')].find((each) =>"
                + " each.firstChild.textContent.startsWith(" + Text.quoted(step) + "))";
        String found = "[..." + details + ".querySelectorAll('button')].find((each) => each.textContent === "
                + Text.quoted(button) + ")";
        tab.await("!!" + details + " && !!" + found);
        tab.eval(details + ".open = true");
        tab.eval(found + ".click()");
        tab.await("(" + details + "?.textContent ?? '').includes(" + Text.quoted(shown) + ")");
    }

    @Test
    void testFromTheFrontDoorToAppliedDecisionsAndBack() {
        index(INDEX, "An article");
        try (Tab tab = open(DOOR)) {
            tab.await("[...document.querySelectorAll('#indices button')].some((each) => each.dataset.name === '" + INDEX
                    + "')");
            tab.eval("[...document.querySelectorAll('#indices button')].find((each) => each.dataset.name === '" + INDEX
                    + "').click()");
            // The dry run shows the steps and changes nothing.
            tab.await("document.querySelector('.step').textContent.includes('PUT /" + INDEX + "/_mapping')");
            assertTrue(tab.text("list").contains("[body] has "), tab.text("list"));
            assertEquals(
                    404,
                    client.send("GET", "/_ingest/pipeline/fingerprint-" + INDEX, null)
                            .status());

            send(tab, "Set up", "Set up", DOCUMENTS + " documents: " + DOCUMENTS + " with a fingerprint");
            again(tab);
            send(tab, "Check", "Check", "ok");
            send(tab, "Find groups", "Find groups", DOCUMENTS / 2 + " groups with " + DOCUMENTS / 2 + " duplicates");
            acceptAll();

            again(tab);
            send(tab, "Apply", "Tag what was accepted", "Done:");
            assertEquals(DOCUMENTS / 2, tagged());
            send(tab, "Apply", "Remove all tags", "cleared");
            assertEquals(0, tagged());
            assertNothingRan(tab);
            assertEquals(List.of(), tab.problems());
        }
    }

    /** As people do on the page of the review. */
    private void acceptAll() {
        client.must("POST", "/groups-" + INDEX + "/_refresh", null);
        client.must(
                "POST",
                "/groups-" + INDEX + "/_update_by_query?refresh=true",
                "{\"query\":{\"exists\":{\"field\":\"members.id\"}},\"script\":{\"source\":\"ctx._source.decision ="
                        + " 'accepted'\"}}");
    }

    private long tagged() {
        client.must("POST", "/" + INDEX + "/_refresh", null);
        return client.must(
                        "POST",
                        "/" + INDEX + "/_count",
                        "{\"query\":{\"exists\":{\"field\":\"simhash.duplicate_of\"}}}")
                .number("count");
    }

    @Test
    void testEveryRequestIsShownAndNoneIsSentUnseen() {
        index(INDEX, "An article");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.await("document.querySelector('.step').textContent.includes('PUT /" + INDEX + "/_mapping')");
            List<String> foreign = tab.requests().stream()
                    .filter(request -> request.startsWith(client.address().toString()) == false)
                    .toList();
            assertEquals(List.of(), foreign);
            assertEquals(
                    404,
                    client.send("GET", "/_ingest/pipeline/fingerprint-" + INDEX, null)
                            .status());
            assertEquals(
                    "POST /_plugins/_simhash/setup/" + INDEX,
                    tab.eval("document.querySelector('.step .request .line').textContent"));
            assertEquals(
                    true,
                    Json.at(
                            Json.parse(String.valueOf(
                                    tab.eval("document.querySelector('.step .request textarea').value"))),
                            "apply"));
        }
    }

    @Test
    void testAChoiceOfTheUserIsAsked() {
        client.must(
                "PUT",
                "/" + INDEX + "/_doc/1?refresh=true",
                "{\"a\":\"a text of some length, as good as the other\",\"b\":\"a text of some length, as good as this\"}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.await("document.querySelector('.step .note.bad')?.textContent.includes('[a]')");
            tab.eval("document.getElementById('setup-field').value = 'a'");
            send(tab, "Set up", "Show the steps", "PUT /" + INDEX + "/_mapping");
            assertNothingRan(tab);
        }
    }

    @Test
    void testHostileNamesAndTextsStayText() {
        String hostile = "<img src=x onerror=alert(1)>";
        index(INDEX, hostile);
        client.must("PUT", "/door-fields", "{\"mappings\":{\"properties\":{\"" + hostile + "\":{\"type\":\"text\"}}}}");
        try (Tab tab = open(DOOR + "#door-fields")) {
            tab.await("document.querySelector('.step').textContent.includes('" + hostile + "')");
            assertEquals(0, ((Number) tab.eval("document.querySelectorAll('#steps img').length")).intValue());
            tab.eval("location.hash = " + Text.quoted("#" + hostile));
            again(tab);
            assertTrue(tab.text("steps-name").contains("not there"), tab.text("steps-name"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testTheCalibrationIsAPlace() {
        index(INDEX, "An article");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        try (Tab tab = open(DOOR + "/calibrate/" + INDEX + "?format=html")) {
            tab.eval(
                    "[...document.querySelectorAll('button')].find((each) => each.textContent === 'Calibrate').click()");
            tab.await("document.documentElement.dataset.shown");
            tab.await("document.getElementById('curve').naturalWidth > 0");
            assertTrue(tab.text("suggestion").contains("Recall"), tab.text("suggestion"));
            assertTrue(tab.text("rows").contains("(suggested)"), tab.text("rows"));
            String address = String.valueOf(tab.eval("location.href"));
            assertTrue(address.contains("task="), address);
            assertNothingRan(tab);
            again(tab);
            tab.await("document.documentElement.dataset.shown");
            tab.eval("[...document.querySelectorAll('#suggestion button')].find((each) => each.textContent === 'Find"
                    + " groups').click()");
            tab.await("document.getElementById('suggestion').textContent.includes(' groups with ')");
            assertTrue(client.send("HEAD", "/groups-" + INDEX, null).ok());
            assertNothingRan(tab);
        }
    }

    @Test
    void testFitsATelephoneInTheDark() {
        index(INDEX, "An article");
        for (String scheme : List.of("light", "dark")) {
            try (Tab tab = open(DOOR + "#" + INDEX)) {
                tab.resize(320, 640);
                tab.colors(scheme);
                tab.await("document.querySelector('.step').textContent.includes('PUT /" + INDEX + "/_mapping')");
                assertTrue(
                        (Boolean) tab.eval("document.documentElement.scrollWidth <= 320"),
                        String.valueOf(tab.eval("document.documentElement.scrollWidth")));
            }
        }
    }

    @Test
    void testThePagesAreSmallAndClosed() {
        for (String path : List.of(DOOR, DOOR + "/", DOOR + "/calibrate/any?format=html")) {
            Answer page = client.send("GET", path, null);
            assertEquals(200, page.status());
            assertTrue(page.text().length() < 120_000, path);
            assertTrue(page.text().contains("<html lang=\"en\">"), path);
        }
    }
}
