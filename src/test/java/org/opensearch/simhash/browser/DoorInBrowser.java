/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NewIndex;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;
import org.opensearch.simhash.node.SampleIndex;

/** Somebody who has never read the docs cleans up an index: from the front door alone, and back. */
@RealNodes(value = 1, takesLong = true)
class DoorInBrowser extends WithBrowser {

    private static final String INDEX = "door-articles";
    private static final String DOOR = "/_plugins/_simhash";
    private static final int DOCUMENTS = 200;

    private static final String PRESS =
            "((key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))(";
    private static final String SO_FAR =
            "[...document.querySelectorAll('.judge > p')].map((each) => each.textContent).find((each) => each.startsWith('So far'))";

    DoorInBrowser(RealCluster cluster) {
        super(cluster);
    }

    @BeforeEach
    @AfterEach
    void remove() {
        client.send("DELETE", DOOR + "/schedules/door-articles-daily", null);
        client.send("DELETE", "/_data_stream/door-*", null);
        client.send("DELETE", "/_index_template/door-*", null);
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

    /** Clicks the button with this text in the step with this title, and waits for what the steps show after it. */
    private static void send(Tab tab, String step, String button, String shown) {
        String details = "[...document.querySelectorAll('.step')].find((each) =>"
                + " each.firstChild.textContent.startsWith(" + Text.quoted(step) + "))";
        String found = "[..." + details + ".querySelectorAll('button')].find((each) => each.textContent === "
                + Text.quoted(button) + ")";
        tab.await("!!" + details + " && !!" + found);
        tab.eval(details + ".open = true");
        tab.eval(found + ".click()");
        tab.awaitText("list", shown);
    }

    /** The titles of the six steps: those that are done, the open one in brackets, and the later ones. */
    private static String way(Tab tab) {
        return String.valueOf(tab.eval("[...document.querySelectorAll('#list > li')].map((each) => {"
                + " const title = each.querySelector('h3').textContent;"
                + " return each.querySelector('details').open ? `[${title}]` : each.className === 'done' ? `${title} ✓` : title;"
                + " }).join(', ')"));
    }

    private static void awaitWay(Tab tab, String way) {
        String last = "";
        for (int i = 0; i < 100 && last.equals(way) == false; i++) {
            Pause.shortly();
            last = way(tab);
        }
        assertEquals(way, last, () -> tab.text("list"));
    }

    /** The buttons that somebody sees in the open step, without those that answer a question. */
    private static List<?> buttons(Tab tab) {
        return (List<?>)
                tab.eval(
                        "[...document.querySelectorAll('.now .button, .now button')]"
                                + ".filter((each) => each.checkVisibility() && each.closest('.judge') === null).map((each) => each.textContent)");
    }

    @Test
    void testFromTheFrontDoorToAppliedDecisionsAndBack() throws IOException {
        index(INDEX, "An article");
        try (Tab tab = open(DOOR)) {
            tab.await("[...document.querySelectorAll('#indices button')].some((each) => each.dataset.name === '" + INDEX
                    + "')");
            tab.eval("[...document.querySelectorAll('#indices button')].find((each) => each.dataset.name === '" + INDEX
                    + "').click()");
            // The dry run shows the steps and changes nothing.
            tab.await("document.querySelector('.step')?.textContent.includes('PUT /" + INDEX + "/_mapping')");
            assertTrue(tab.text("list").contains("[body] has "), tab.text("list"));
            assertEquals(
                    404,
                    client.send("GET", "/_ingest/pipeline/fingerprint-" + INDEX, null)
                            .status());
            assertEquals("[Set up], Calibrate, Find groups, Review, Apply, Keep it so", way(tab));
            assertEquals(List.of("Set up"), buttons(tab));

            // Each result opens the next step.
            send(tab, "Set up", "Set up", DOCUMENTS + " documents: " + DOCUMENTS + " with a fingerprint");
            awaitWay(tab, "Set up ✓, [Calibrate], Find groups, Review, Apply, Keep it so");
            assertEquals(List.of("Calibrate"), buttons(tab));
            tab.await("document.activeElement === document.querySelector('.now summary')");
            tab.awaitText("steps-why", "index, fingerprints, 200 documents");
            assertEquals(1, ((Number) tab.eval("document.querySelectorAll('table').length")).intValue());
            assertFalse(tab.text("list").contains("to doPUT"), tab.text("list"));
            send(tab, "Calibrate", "Calibrate", "of the near pairs seen");
            awaitWay(tab, "Set up ✓, Calibrate ✓, [Find groups], Review, Apply, Keep it so");
            tab.await("document.querySelector('.now img').naturalWidth > 0");
            assertEquals(List.of("Find groups"), buttons(tab));
            picture(tab, "door.png");
            send(tab, "Find groups", "Find groups", " groups with ");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, [Review], Apply, Keep it so");
            assertEquals(List.of("Review them"), buttons(tab));

            // What is decided on another page is seen when somebody comes back to this one.
            acceptAll();
            tab.eval("dispatchEvent(new Event('focus'))");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, Review ✓, [Apply], Keep it so");
            send(tab, "Apply", "Tag what was accepted", "Done: ");
            long tagged = tagged();
            assertTrue(tagged > DOCUMENTS / 4, String.valueOf(tagged));
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, Review ✓, Apply ✓, [Keep it so]");

            // Nothing is taken back without a question.
            send(tab, "Apply", "Remove the tags", " groups lose the tag that this run gave them. Other tags stay.");
            assertEquals(tagged, tagged());
            send(tab, "Apply", "Yes", "cleared");
            assertEquals(0, tagged());
            send(tab, "Keep it so", "Look every day", "door-articles-daily, every 1d");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, Review ✓, Apply ✓, [Keep it so]");
            tab.awaitText("schedules", "door-articles-daily report " + INDEX + " every 1d");
            tab.eval("location.hash = ''");
            again(tab);
            assertTrue(tab.text("list").contains("groups-" + INDEX), "runs of all indices: " + tab.text("list"));
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

    /** From nothing to decided groups, and to what is done with them: each result opens the next step. */
    @TestFactory
    Stream<DynamicTest> testFiveKindsOfIndicesHaveOneWay() {
        return NewIndex.five("door-")
                .map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
                    try {
                        goTheWay(kind, kind.make(client));
                    } finally {
                        remove();
                    }
                }));
    }

    private void goTheWay(NewIndex kind, int documents) {
        try (Tab tab = open(DOOR + "#" + kind.name())) {
            awaitWay(tab, "[Set up], Calibrate, Find groups, Review, Apply, Keep it so");
            send(tab, "Set up", "Set up", documents + " documents: " + documents + " with a fingerprint");
            awaitWay(tab, "Set up ✓, [Calibrate], Find groups, Review, Apply, Keep it so");
            send(tab, "Calibrate", "Calibrate", "of the near pairs seen");
            awaitWay(tab, "Set up ✓, Calibrate ✓, [Find groups], Review, Apply, Keep it so");
            assertFalse(tab.text("list").contains("<main>"), "pairs are shown as people read them");
            send(tab, "Find groups", "Find groups", " groups with ");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, [Review], Apply, Keep it so");
            tab.eval("document.querySelector('.now a.main').click()");
            tab.await("document.documentElement.dataset.shown");
            tab.eval("document.getElementById('bulk-least').value = '0'");
            tab.eval("document.getElementById('bulk-form').requestSubmit()");
            tab.await("document.getElementById('bulk').disabled === false");
            tab.eval("document.getElementById('bulk').click()");
            tab.eval("document.getElementById('bulk-go').click()");
            tab.awaitText("none", "All groups are decided");
            tab.eval("setTimeout(() => history.back())");
            tab.await("location.hash !== '' && document.documentElement.dataset.ready");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, Review ✓, [Apply], Keep it so");
            send(tab, "Apply", "Tag what was accepted", "Done: ");
            awaitWay(tab, "Set up ✓, Calibrate ✓, Find groups ✓, Review ✓, Apply ✓, [Keep it so]");
            assertNothingRan(tab);
            assertEquals(List.of(), tab.problems());
        }
    }

    /** Each copy of a text differs in some more words than the one before: people say by keys from where on that is too much. */
    @Test
    void testPairsAreJudged() throws IOException {
        Random random = new Random(seed.value());
        List<String> words = new SampleIndex().words("en");
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 80; i++) {
            List<String> text = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                text.add(words.get(random.nextInt(words.size())));
            }
            for (String id : List.of("a" + i, "b" + i)) {
                bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
                bulk.append(Json.write(Map.of("body", String.join(" ", text)))).append('\n');
                for (int j = 0; j <= i % 10; j++) {
                    text.set(10 * j + 5, "changed");
                }
            }
        }
        client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            send(tab, "Calibrate", "Calibrate", "Is this a near-duplicate for you?");
            tab.eval(axe() + "; undefined");
            for (String scheme : List.of("dark", "light")) {
                tab.colors(scheme);
                assertNoViolation(tab, "a pair to judge, " + scheme);
            }
            tab.resize(320, 640);
            assertEquals(
                    "",
                    tab.eval(
                            "[...document.querySelectorAll('body *')].filter((each) => each.closest('.wide') === null &&"
                                    + " each.getBoundingClientRect().right > 320).map((each) => each.outerHTML).join('\\n')"));
            String marked = String.valueOf(tab.eval("document.querySelector('.judge').innerHTML"));
            assertTrue(marked.contains("<del>") && marked.contains("<ins>"), marked);
            tab.eval("document.querySelector('.judge button').focus()");
            String least = "";
            for (int i = 1; i <= 12; i++) {
                tab.eval(
                        "{ const [, similarity] = /similarity ([0-9.]+)/.exec(document.querySelector('.judge .marked + p').textContent);"
                                + " press(similarity >= 0.64 ? 'y' : 'n') }".replace("press(", PRESS));
                tab.awaitText("list", i + " of 12 judged");
                tab.await("document.querySelector('.judge').textContent.includes('So far: similarity from ')");
                String now = String.valueOf(tab.eval(SO_FAR));
                assertTrue(i < 4 || (now.contains("–") && now.contains("0.00") == false), now);
                least = now;
            }
            picture(tab, "judging.png");
            tab.awaitText("list", "12 pairs are judged.");
            Number found = (Number) Json.at(body(tab, "Find groups", "Find groups"), "verify.min_similarity");
            assertEquals(0.64, found.doubleValue(), 0.06, least);
            tab.eval(PRESS + "'z')");
            tab.awaitText("list", "11 of 12 judged");
            tab.eval(PRESS + "'s')");
            tab.await("document.querySelector('.judge').textContent.includes('So far: similarity from ')");
            assertTrue(tab.eval("document.querySelector('.judge pre').textContent")
                    .toString()
                    .contains("\"near\": true"));
            assertNoViolation(tab, "judged");
            assertNothingRan(tab);
            assertEquals(List.of(), tab.problems());
        }
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
            tab.eval("document.getElementById('setup-field').dispatchEvent(new Event('change'))");
            tab.awaitText("list", "PUT /" + INDEX + "/_mapping");
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

    /** For people to look at. */
    private static void picture(Tab tab, String name) throws IOException {
        tab.resize(1000, 1500);
        tab.colors("light");
        tab.screenshot(ReviewBrowser.TARGET.resolve(name));
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
    void testWhatRunsIsShownAndCancelled() {
        index(INDEX, "An article");
        String task = client.must(
                        "POST",
                        DOOR + "/setup/" + INDEX + "?wait_for_completion=false&requests_per_second=2",
                        "{\"apply\":true}")
                .string("task");
        try (Tab tab = open(DOOR)) {
            tab.await("document.getElementById('tasks').textContent.includes('setup of [" + INDEX + "]')");
            tab.await("/write [0-9]+ of " + DOCUMENTS + "/.test(document.getElementById('tasks').textContent)");
            tab.eval("document.querySelector('#tasks button').click()");
            tab.await("document.getElementById('running').hidden");
            assertTrue(client.await(task).text().contains("task_cancelled_exception"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testSchedulesAreShownWithTheirResults() {
        index(INDEX, "An article");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        String path = DOOR + "/schedules/door-hourly";
        client.must(
                "PUT",
                path,
                "{\"every\":\"1h\",\"index\":\"" + INDEX + "\",\"action\":\"tag\",\"dest\":{\"index\":\"groups-" + INDEX
                        + "\"}}");
        try (Tab tab = open(DOOR)) {
            tab.await("document.documentElement.dataset.ready");
            tab.awaitText("schedules", "door-hourly tag " + INDEX + " every 1h · next ");
            tab.await("/completed .* group/.test(document.getElementById('schedules').textContent)");
            assertNothingRan(tab);
        } finally {
            client.must("DELETE", path, null);
        }
    }

    @Test
    void testAMendIsARequest() {
        index(INDEX, "An article");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.default_pipeline\":\"_none\"}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", "see inside");
            send(tab, "Set up", "Mend", "The mend is sent.");
            tab.await("document.getElementById('list').textContent.includes('see inside') === false");
            assertNothingRan(tab);
        }
    }

    /** A fingerprint may be deep in a document; a page is shown as it is stored, and as people read it. */
    @Test
    void testAnotherObjectIsFoundAndAPageIsShown() {
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            String page = "<!doctype html><html><body><nav>" + "<a href=\"/\">home</a>".repeat(20)
                    + "</nav><main><p>The council approved the new tram line number " + i
                    + " on Monday, and work begins in spring.</p></main></body></html>";
            bulk.append("{\"index\":{}}\n")
                    .append(Json.write(Map.of("body", page)))
                    .append('\n');
        }
        client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true,\"target_field\":\"meta.print\"}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", "4 documents: 4 with a fingerprint");
            tab.eval("document.querySelector('.step').open = true");
            tab.awaitText("list", "As people read it: The council approved");
            assertTrue(tab.text("list").contains("One text as it is: <!doctype html>"), tab.text("list"));
            assertNothingRan(tab);
        }
    }

    /** Nested objects are no documents, and an alias may show some of them. */
    @Test
    void testDocumentsAreCountedAsPeopleCountThem() {
        client.must("PUT", "/" + INDEX, "{\"mappings\":{\"properties\":{\"parts\":{\"type\":\"nested\"}}}}");
        for (int i = 0; i < 3; i++) {
            client.must(
                    "PUT",
                    "/" + INDEX + "/_doc/" + i + "?refresh=true",
                    "{\"kind\":" + i + ",\"body\":\"Some words.\",\"parts\":[{\"a\":1},{\"a\":2}]}");
        }
        client.must(
                "POST",
                "/_aliases",
                "{\"actions\":[{\"add\":{\"index\":\"" + INDEX
                        + "\",\"alias\":\"door-some\",\"filter\":{\"term\":{\"kind\":1}}}}]}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("steps-why", "index, not set up, 3 documents");
            assertEquals(
                    "alias, 1 document",
                    tab.eval("[...document.querySelectorAll('#indices button')].find((each) => each.dataset.name ==="
                            + " 'door-some').querySelector('small').textContent"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testWorksBelowAPrefix() throws IOException {
        index(INDEX, "An article");
        try (PrefixProxy proxy = new PrefixProxy(client.address(), "/search/engine");
                Tab tab = chromium.newTab()) {
            tab.open(proxy.address() + DOOR + "#" + INDEX);
            tab.await("document.documentElement.dataset.ready");
            send(tab, "Set up", "Set up", DOCUMENTS + " documents: " + DOCUMENTS + " with a fingerprint");
            send(tab, "Find groups", "Find groups", " groups with ");
            String page = String.valueOf(tab.eval("document.querySelector('.now a').getAttribute('href')"));
            assertTrue(page.startsWith("/search/engine/_plugins/_simhash/review/groups-" + INDEX), page);
            acceptAll();
            tab.eval("dispatchEvent(new Event('focus'))");
            tab.awaitText("list", " 0 to decide");
            send(tab, "Apply", "Tag what was accepted", "Done: ");
            send(tab, "Apply", "Remove the tags", " groups lose the tag that this run gave them. Other tags stay.");
            assertEquals(List.of(), proxy.outside());
            assertNothingRan(tab);
        }
    }

    /** The body that a button of a step sends. */
    private static Map<?, ?> body(Tab tab, String step, String button) {
        String found =
                "[...document.querySelectorAll('.step')].filter((each) => each.firstChild.textContent.startsWith("
                        + Text.quoted(step)
                        + ")).flatMap((each) => [...each.querySelectorAll('.request')]).find((each) =>"
                        + " each.querySelector('button').textContent === " + Text.quoted(button)
                        + ")?.querySelector('textarea').value";
        tab.await(found);
        return (Map<?, ?>) Json.parse(String.valueOf(tab.eval(found)));
    }

    /** Each step goes on with the sketches that the index has, wherever they are, and none makes fingerprints beside them. */
    @Test
    void testAnIndexOfSketchesKeepsToThem() {
        index(INDEX, "An article");
        client.must(
                "POST",
                DOOR + "/setup/" + INDEX,
                "{\"sketch\":\"minhash\",\"target_field\":\"meta.print\",\"apply\":true}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", DOCUMENTS + " documents: " + DOCUMENTS + " with a fingerprint");
            assertEquals("minhash", tab.eval("document.getElementById('setup-sketch').value"));
            tab.eval("document.querySelector('.step').open = true");
            Map<?, ?> again = body(tab, "Set up", "Do it again");
            assertEquals(Map.of("sketch", "minhash", "target_field", "meta.print", "apply", true), again);
            Map<?, ?> calibrate = body(tab, "Calibrate", "Calibrate");
            assertEquals("minhash", calibrate.get("sketch"));
            assertEquals("meta.print", calibrate.get("field"));
            send(tab, "Calibrate", "Calibrate", "of the near pairs seen");
            awaitWay(tab, "Set up ✓, Calibrate ✓, [Find groups], Review, Apply, Keep it so");
            Map<?, ?> job = body(tab, "Find groups", "Find groups");
            assertEquals("minhash", job.get("sketch"));
            assertEquals("meta.print", job.get("field"));
            send(tab, "Keep it so", "Catch them at their arrival", "Find groups");
            tab.await("JSON.stringify(learnt.get('" + INDEX + "').setup).includes('near_duplicate')");
            String pipelines =
                    client.must("GET", "/_ingest/pipeline/*door-*", null).text();
            assertTrue(pipelines.contains("\"near_duplicate\":{"), pipelines);
            assertTrue(pipelines.contains("\"sketch\":\"minhash\""), pipelines);
            assertFalse(pipelines.contains("\"simhash\":{"), pipelines);
            String mapping = client.must("GET", "/" + INDEX + "/_mapping", null).text();
            assertFalse(mapping.contains("\"simhash\":{"), mapping);
            assertNothingRan(tab);
        }
    }

    /** A setup has seen the texts: what it says of the later steps is what they send. */
    @Test
    void testLinesAreComparedAsTheSetupSays() throws IOException {
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            bulk.append(
                    "{\"index\":{}}\n{\"body\":\"The tram line number " + i + " begins in spring at the station\"}\n");
        }
        client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", "A better way for these texts: half of the texts in [body] have at most 30 words");
            assertEquals(List.of("Set up for short texts", "Set up"), buttons(tab));
            tab.eval(axe() + "; undefined");
            assertNoViolation(tab, "a proposal");
            send(tab, "Set up", "Set up for short texts", "20 documents: 20 with a fingerprint");
            awaitWay(tab, "Set up ✓, [Calibrate], Find groups, Review, Apply, Keep it so");
            Map<?, ?> job = body(tab, "Find groups", "Find groups");
            assertEquals("facts", Json.at(job, "verify.measure"));
            assertEquals(0.4, job.get("min_similarity"));
            assertEquals("facts", Json.at(body(tab, "Calibrate", "Calibrate"), "verify.measure"));
            // Whoever opens the page later is told the same.
            again(tab);
            tab.await("[...document.querySelectorAll('textarea')].some((each) => each.value.includes('facts'))");
            assertEquals("facts", Json.at(body(tab, "Find groups", "Find groups"), "verify.measure"));
            assertEquals(
                    0.4,
                    Json.at(body(tab, "Keep it so", "Catch them at their arrival"), "near_duplicate.min_similarity"));
            assertEquals("groups-logs", tab.eval("destOf({ name: 'Logs-' })"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testASetupIsNotDoneWhileDocumentsLackTheirPassages() {
        client.must("PUT", "/" + INDEX, "{\"mappings\":{\"properties\":{\"body\":{\"type\":\"text\"}}}}");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"field\":\"body\",\"sketch\":\"passages\",\"apply\":true}");
        String text = "{\"body\":\"" + "a text of some length, as good as the other ".repeat(5) + "\"}";
        client.must("PUT", "/" + INDEX + "/_doc/1?refresh=true", text);
        client.must("PUT", "/" + INDEX + "/_doc/2?refresh=true&pipeline=_none", text);
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", "1 of 2 documents have no passage");
            tab.eval("document.querySelector('.step').open = true");
            assertEquals("passages", body(tab, "Set up", "Set up").get("sketch"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testABodyThatIsNoJsonIsSaid() {
        index(INDEX, "An article");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            body(tab, "Set up", "Set up");
            tab.eval("document.querySelector('.step .request textarea').value = '{'");
            send(tab, "Set up", "Set up", "The body is not JSON: ");
            assertEquals(
                    "true", tab.eval("document.querySelector('.step .request textarea').getAttribute('aria-invalid')"));
            // A mended one is sent.
            tab.eval("document.querySelector('.step .request textarea').value = '{\"apply\":true}'");
            send(tab, "Set up", "Set up", DOCUMENTS + " with a fingerprint");
            assertNothingRan(tab);
            assertEquals(List.of(), tab.problems());
        }
    }

    /** An index that others write to all the time. */
    @Test
    void testWhatIsTypedStaysWhileDocumentsCome() {
        index(INDEX, "An article");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        try (Tab tab = open(DOOR + "#" + INDEX)) {
            tab.awaitText("list", DOCUMENTS + " documents: " + DOCUMENTS + " with a fingerprint");
            body(tab, "Calibrate", "Calibrate");
            tab.eval("document.querySelector('.now textarea').value = 'typed'");
            client.must("PUT", "/" + INDEX + "/_doc/new?refresh=true", "{\"body\":\"A text that somebody writes\"}");
            tab.forgetEvents();
            // Browsers tell both as somebody comes back.
            tab.eval("document.dispatchEvent(new Event('visibilitychange'))");
            tab.eval("dispatchEvent(new Event('focus'))");
            tab.awaitText("steps-why", (DOCUMENTS + 1) + " documents");
            assertEquals("typed", tab.eval("document.querySelector('.now textarea').value"));
            tab.eval("door.reading");
            assertEquals(
                    1,
                    tab.requests().stream()
                            .filter(request -> request.contains("/_resolve/index/"))
                            .count());
            assertNothingRan(tab);
        }
    }

    /** What a whole check says is not lost to a small one that was asked before, and nothing is asked twice. */
    @Test
    void testSmallChecksAreAskedOnceAndYield() {
        index(INDEX, "An article");
        client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
        try (Tab tab = open(DOOR)) {
            tab.await("checks.has('" + INDEX + "')");
            assertEquals(
                    "1 ok",
                    tab.eval("(async () => { const original = ask; let asked = 0; checks.clear();"
                            + " ask = async (method, path, body) => {"
                            + " if (!path.includes('/check/" + INDEX + "?')) { return original(method, path, body); }"
                            + " asked++; await pause(100); checks.set('" + INDEX
                            + "', 'ok'); return { status: 'error' }; };"
                            + " await Promise.all([checkAll(door.indices, () => 0), checkAll(door.indices, () => 0)]);"
                            + " ask = original; return asked + ' ' + checks.get('" + INDEX + "'); })()"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testThereIsNothingThatAssistiveToolsCannotUse() throws IOException {
        index(INDEX, "An article");
        client.must("PUT", "/door-empty", null);
        String axe = axe();
        for (String scheme : List.of("light", "dark")) {
            client.must("PUT", "/" + INDEX + "/_settings", "{\"index.default_pipeline\":\"_none\"}");
            try (Tab tab = open(DOOR + "#" + INDEX)) {
                tab.colors(scheme);
                tab.eval(axe + "; undefined");
                tab.await("document.querySelector('.step').textContent.includes('_mapping')"
                        + " || document.querySelector('.step .note')");
                assertNoViolation(tab, scheme + ", an index");
                tab.eval("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
                assertNoViolation(tab, scheme + ", all open");
                tab.resize(320, 640);
                assertNoViolation(tab, scheme + ", 320 pixels");
                assertTrue(
                        (Boolean) tab.eval("document.documentElement.scrollWidth <= 320"),
                        String.valueOf(tab.eval("document.documentElement.scrollWidth")));
            }
            try (Tab tab = open(DOOR + "#door-empty")) {
                tab.colors(scheme);
                tab.eval(axe + "; undefined");
                tab.await("document.querySelector('.step .note.bad')");
                assertNoViolation(tab, scheme + ", an obstacle");
            }
            client.must("POST", DOOR + "/setup/" + INDEX, "{\"apply\":true}");
            try (Tab tab = open(DOOR + "/calibrate/" + INDEX + "?format=html")) {
                tab.colors(scheme);
                tab.eval(axe + "; undefined");
                tab.eval("[...document.querySelectorAll('button')].find((each) => each.textContent === 'Calibrate')"
                        + ".click()");
                tab.await("document.documentElement.dataset.shown");
                assertNoViolation(tab, scheme + ", a calibration");
                tab.resize(320, 640);
                assertTrue((Boolean) tab.eval("document.documentElement.scrollWidth <= 320"));
            }
        }
    }

    private static String axe() throws IOException {
        try (InputStream script = DoorInBrowser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void assertNoViolation(Tab tab, String state) {
        // Colours change within a tenth of a second.
        tab.eval("document.getAnimations().forEach((each) => each.finish())");
        Object found =
                tab.eval("axe.run({ resultTypes: ['violations'] }).then((answer) => answer.violations.map((each) =>"
                        + " each.id + ': ' + each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' +"
                        + " node.failureSummary).join(' | ')).join('\\n'))");
        assertEquals("", found, state);
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
