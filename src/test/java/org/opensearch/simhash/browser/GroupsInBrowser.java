/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;

/** What people decide on is a group: shown once, decided by keys, many at once, applied and taken back from the page. */
@RealNodes(1)
class GroupsInBrowser extends ReviewBrowser {

    GroupsInBrowser(RealCluster cluster) {
        super(cluster);
    }

    private static String document(String content, String title, String source) {
        return Json.write(Map.of("content", content, "title", title, "source", source));
    }

    @Test
    void testKeysAloneLeadFromTheFirstGroupToTheAppliedRunAndBack() {
        index.fillGroups(3, random);
        Map<String, String> before = index.sources();
        String run = index.report();
        try (Tab tab = compared("")) {
            // One index needs no name.
            assertFalse(tab.text("rows").contains(" in " + ReviewIndex.NAME), tab.text("rows"));
            for (String key : List.of("a", "r", "a")) {
                tab.press(key);
                tab.settle();
                assertEquals("fade", tab.eval("getComputedStyle(document.getElementById('last')).animationName"));
            }
            tab.awaitText("none", "All groups are decided");
            tab.awaitText("none", "2 groups accepted, 1 rejected");
            assertEquals(
                    "2 66.6667%, 1 33.3333%, 0 0%, 0 0%",
                    tab.eval("[...document.querySelectorAll('.counts b')].map((number) => number.textContent + ' '"
                            + " + number.previousSibling.firstChild.style.width).join(', ')"));
            tab.await("document.activeElement.id === 'end-apply'");
            tab.press("Enter");
            tab.await("document.getElementById('finish-dialog').open");
            tab.awaitText("apply-request", "POST /_plugins/_simhash/deduplicate/" + ReviewIndex.NAME + "/apply");
            tab.awaitText("apply-request", "\"run\": \"" + run + "\"");
            tab.tabTo("apply-send");
            tab.press("Enter");
            tab.awaitText("apply-answer", "Done.");
            Map<String, String> tags = index.tags();
            assertFalse(tags.isEmpty());
            tab.awaitText("apply-answer", "duplicates" + tags.size());
            tab.tabTo("untag-send");
            tab.press("Enter");
            tab.awaitText("untag-answer", "of 2 groups lose the tag that this run gave them.");
            assertEquals(tags, index.tags(), "nothing is taken back without a yes");
            tab.eval("document.getElementById('untag-yes').click()");
            tab.awaitText("untag-answer", "Done.");
            assertEquals(Map.of(), index.tags());
            tab.press("Escape");
            tab.settle();
            tab.press("z");
            tab.settle();
            assertEquals("1 group to decide", tab.eval("`${page.groups.filter(isUndecided).length} group to decide`"));
            assertNothingRan(tab);
        }
        assertEquals(before.keySet(), index.ids());
    }

    @Test
    void testWhatIsDeletedFromThePageIsRestoredFromIt() {
        index.fillGroups(2, random);
        Map<String, String> before = index.sources();
        index.report();
        try (Tab tab = compared("")) {
            tab.press("a");
            tab.press("a");
            tab.settle();
            tab.await("document.activeElement.id === 'end-apply'");
            tab.press("Enter");
            tab.await("document.getElementById('finish-dialog').open");
            tab.eval(
                    "(() => { const set = (id, value) => { document.getElementById(id).value = value; };"
                            + " set('action', 'delete'); set('archive', '" + ReviewIndex.ARCHIVE + "');"
                            + " document.getElementById('finish-form').dispatchEvent(new Event('input', { bubbles: true })); })()");
            tab.awaitText("apply-request", "\"index\": \"" + ReviewIndex.ARCHIVE + "\"");
            tab.tabTo("apply-send");
            tab.press("Enter");
            tab.awaitText("apply-answer", "deleted3");
            assertEquals(2, index.ids().size());
            tab.tabTo("restore-send");
            tab.press("Enter");
            tab.awaitText("restore-answer", "restored3");
            assertEquals(before, index.sources());
            tab.awaitText("applied", "restored (3 documents)");
            assertEquals(
                    3,
                    client.must("GET", "/_plugins/_simhash/review/" + ReviewIndex.DEST + "/groups", null)
                            .number("runs.0.restored_documents"));
        }
        try (Tab later = compared("?decision=")) {
            later.eval("openFinish()");
            later.awaitText("restore-request", "\"index\": \"" + ReviewIndex.ARCHIVE + "\"");
        }
    }

    /** A job writes the groups again while somebody looks at them. */
    @Test
    void testWhatAJobAddsIsShownBeforeItIsDecided() {
        index.fillGroups(3, random);
        index.fill(Map.of("late-1", document("late", "late", "c"), "late-2", document("late", "late", "c")));
        index.report();
        try (Tab tab = compared("")) {
            String third = String.valueOf(tab.eval("page.groups[2].id"));
            addMember(String.valueOf(tab.eval("page.groups[0].id")), "late-1");
            addMember(third, "late-2");
            tab.press("a");
            tab.awaitText("problem", "look, and decide again");
            tab.awaitText("rows", "late-1");
            tab.press("a");
            tab.settle();
            tab.press("n");
            tab.awaitText("rows", "late-2");
            tab.settle();
            assertEquals(third, tab.eval("current().id"));
            assertEquals("", tab.text("problem"));
        }
    }

    private void addMember(String group, String id) {
        List<Object> members = new ArrayList<>((List<?>) stored(group, "members"));
        members.add(Map.of("index", ReviewIndex.NAME, "id", id, "distance", 1, "seq_no", 0, "primary_term", 1));
        client.must(
                "POST",
                "/" + ReviewIndex.DEST + "/_update/" + group,
                Json.write(Map.of("doc", Map.of("members", members, "size", members.size() + 1))));
    }

    /** An index that is gone, and names that make too long a line. */
    @Test
    void testTheEndNamesTheIndicesThatAreThere() {
        index.fillGroups(2, random);
        index.report();
        try (Tab tab = compared("?decision=")) {
            assertEquals(
                    ReviewIndex.NAME,
                    tab.eval("server.there(['gone', '" + ReviewIndex.NAME + "']).then((names) => names.join())"));
            assertEquals(
                    "news-20* logs logs-* a,b",
                    tab.eval(
                            "(() => { const days = (name) => [...Array(300).keys()].map((i) => name(1e6 + i));"
                                    + " return [days((i) => `news-20${i % 2 ? 1 : 3}-${i}`), days((i) => `.ds-logs-${i}`),"
                                    + " [...days((i) => `.ds-logs-a-${i}`), 'logs-b'], ['a', 'b']].map(pathOf).join(' '); })()"));
        }
    }

    private static final String MARKS = "[...document.querySelectorAll('#text .passages:nth-of-type(%d) mark')]"
            + ".map((mark) => mark.firstChild.data + '|' + mark.lastChild.textContent).join(';')";

    /** The mail stands in the reply with its lines changed a little: markup, case, and a word. */
    @Test
    void testPassagesAreMarkedInBothTexts() throws IOException {
        index.make(
                "{\"passages\":{\"field\":\"content\"}}",
                "\"passages\":{\"properties\":{\"terms\":"
                        + "{\"type\":\"keyword\",\"doc_values\":false},\"scheme\":{\"type\":\"keyword\"}}}");
        List<String> mail =
                IntStream.range(0, 60).mapToObj(word -> "mail" + word).toList();
        List<String> own = ReviewIndex.words(random);
        String first = String.join(" ", mail.subList(0, 25));
        String last = String.join(" ", mail.subList(30, 60));
        String quoted = String.join(" ", mail.subList(0, 10)).toUpperCase(Locale.ROOT) + ", "
                + String.join(" ", mail.subList(10, 25));
        String changed = last.replace(" " + mail.get(45) + " ", " other words ");
        String reply = String.join(" ", own) + "\n> " + quoted + "\n" + String.join(" ", own.subList(0, 40)) + "\n> "
                + changed;
        Map<String, String> documents = new LinkedHashMap<>();
        documents.put("mail", document(String.join(" ", mail), "a mail", "a"));
        documents.put("reply", document(reply, "a reply", "b"));
        documents.put("other", document(String.join(" ", ReviewIndex.words(random)), "another", "c"));
        index.fill(documents);
        index.report("\"sketch\":\"passages\",\"min_share\":0.5");
        try (Tab tab = compared("")) {
            tab.settle();
            tab.awaitText("text-state", "2 passages in common, 54 words");
            tab.awaitText("rows", "54 words in common");
            assertEquals(first + "|1;" + last + "|2", tab.eval(MARKS.replace("%d", "1")));
            assertEquals(quoted + "|1;" + changed + "|2", tab.eval(MARKS.replace("%d", "2")));
            int at = reply.indexOf(quoted);
            assertEquals(
                    "25 words: characters 0 to " + first.length() + ", in this member " + at + " to "
                            + (at + quoted.length()),
                    tab.eval("document.querySelector('#text mark').title"));
            assertTrue(tab.text("readings").isBlank(), "no differences of texts that are not alike");
            assertNothingRan(tab);
        }
    }

    /** Of pages, the part that was compared; who has no text any more is not seen; a date is a date. */
    @Test
    void testWhatWasComparedIsShown() {
        index.make("{\"simhash\":{\"field\":\"content\",\"html\":\"main\",\"ignore_missing\":true}}", "");
        List<String> words = ReviewIndex.words(random);
        Map<String, String> documents = new LinkedHashMap<>();
        for (String member : List.of("a", "b", "c")) {
            words.set(60, "only-" + member);
            String page = "<!doctype html><html><body><nav>" + "<a href=\"/\">navigation</a> ".repeat(20)
                    + "</nav><main><p>" + String.join(" ", words) + "</p></main></body></html>";
            documents.put(
                    member,
                    Json.write(Map.of(
                            "content", page, "published", "2026-11-29T02:51:07.123Z", "changed_at", 1764384667123L)));
        }
        index.fill(documents);
        index.report();
        client.must(
                "POST",
                "/" + ReviewIndex.NAME + "/_update/c?refresh=true",
                "{\"script\":{\"source\":\"ctx._source.remove('content')\"}}");
        try (Tab tab = compared("?columns=published,changed_at")) {
            tab.settle();
            assertEquals("w", tab.text("text").substring(0, 1));
            assertFalse(tab.text("text").contains("navigation"), tab.text("text"));
            tab.awaitText("text-state", "What was compared, without markup");
            assertEquals(
                    "/" + ReviewIndex.NAME + "/_doc/a",
                    tab.eval("document.querySelector('#text-state a').getAttribute('href')"));
            tab.awaitText("rows", "2026-11-29 02:51");
            tab.awaitText("rows", "2025-11-29 02:51");
            tab.press("ArrowRight");
            tab.settle();
            tab.awaitText("seen", "1 of 2 seen");
            assertNothingRan(tab);
        }
    }

    /** Those of a job that tags by itself, too. */
    @Test
    void testTagsAreCountedBeforeTheyGo() {
        index.fillGroups(3, random);
        index.report(
                "\"max_distance\":16,\"verify\":{\"field\":\"content\",\"min_similarity\":0.5},\"action\":\"tag\"");
        try (Tab tab = compared("")) {
            tab.settle();
            tab.eval("openFinish()");
            tab.eval("document.getElementById('untag-send').click()");
            tab.awaitText("untag-answer", "Up to 7 documents of 3 groups lose the tag that this run gave them.");
            assertNothingRan(tab);
        }
    }

    /** What many documents share is found as blocks, and whoever leaves them out is shown the rest. */
    @Test
    void testRepeatedBlocksThatAreLeftOutAreNotShown() {
        String footer =
                " This message is meant only for the people named above and if you are none of them please delete it at once";
        Map<String, String> documents = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            List<String> words = ReviewIndex.words(random);
            for (String member : List.of("a", "b")) {
                words.set(60, "only-" + member);
                documents.put(i + member, Json.write(Map.of("content", String.join(" ", words) + "." + footer)));
            }
        }
        index.make(
                "{\"passages\":{\"field\":\"content\"}}",
                "\"passages\":{\"properties\":{\"terms\":{\"type\":\"keyword\"}}}");
        index.fill(documents);
        Answer blocks = client.must("POST", "/_plugins/_simhash/blocks/" + ReviewIndex.NAME, "{\"min_documents\":4}");
        String strip = Json.write(Map.of("digests", blocks.at("strip")));
        assertTrue(strip.length() > 30, blocks.text());
        String digests = strip.substring(strip.indexOf('['), strip.indexOf(']') + 1);
        index.make("{\"simhash\":{\"field\":\"content\",\"strip\":" + digests + "}}", "");
        index.fill(documents);
        index.report();
        try (Tab tab = compared("")) {
            tab.settle();
            tab.awaitText("text-state", "What was compared");
            assertTrue(tab.text("text").contains("only-"), tab.text("text"));
            assertFalse(tab.text("text").contains("This message"), tab.text("text"));
            assertNothingRan(tab);
        }
    }

    @Test
    void testOnANarrowScreenTheTextHasHalfOfTheHeight() throws IOException {
        index.fillGroups(3, random);
        index.report();
        try (Tab tab = compared("")) {
            for (int[] size : new int[][] {{360, 740}, {320, 640}, {768, 1024}}) {
                tab.resize(size[0], size[1]);
                tab.screenshot(ReviewBrowser.TARGET.resolve("narrow-" + size[0] + ".png"));
                Object share = tab.eval("(() => { scrollTo(0, 0); const { top, bottom } ="
                        + " document.getElementById('text').getBoundingClientRect(); const end ="
                        + " Math.min(bottom, document.querySelector('footer').getBoundingClientRect().top);"
                        + " return Math.round((100 * (end - top)) / innerHeight); })()");
                assertTrue(((Number) share).intValue() >= 50, size[0] + " pixels: " + share + " %");
            }
        }
    }

    /** A group of so many members, and so many different texts. */
    private void fillLarge(int members, int texts) {
        List<String> words = ReviewIndex.words(random);
        Map<String, String> documents = new LinkedHashMap<>();
        for (int i = 0; i <= members; i++) {
            List<String> own = new ArrayList<>(words);
            int text = i == 0 ? 0 : i % texts;
            if (text > 0) {
                own.set(3 * text % own.size(), "changed" + text);
            }
            documents.put(
                    String.format(Locale.ROOT, "m%04d", i),
                    document(String.join(" ", own), "one story", "source" + i % 3));
        }
        index.fill(documents);
    }

    @Test
    void testAGroupOfAThousandIsShownOnceWithWhatWasSeenOfIt() {
        fillLarge(999, 40);
        index.report();
        double rows = Double.MAX_VALUE;
        double differences = Double.MAX_VALUE;
        for (int tries = 0; tries < 5 && (rows >= 1_000 || differences >= 1_000); tries++) {
            try (Tab tab = compared("")) {
                tab.await("page.firstCompared");
                rows = Math.min(rows, ((Number) tab.eval("page.firstShown - page.textsCame")).doubleValue());
                differences =
                        Math.min(differences, ((Number) tab.eval("page.firstCompared - page.textsCame")).doubleValue());
            }
        }
        assertTrue(rows < 1_000, "milliseconds from the texts to the rows: " + rows);
        assertTrue(differences < 1_000, "milliseconds from the texts to the differences: " + differences);
        try (Tab tab = compared("")) {
            tab.settle();
            assertEquals(1, ((Number) tab.eval("page.groups.length")).intValue());
            assertEquals(41, ((Number) tab.eval("current().view.rows.length")).intValue(), "a row a text");
            assertEquals(39, ((Number) tab.eval("current().view.places.length")).intValue());
            tab.awaitText("rows", "25 documents with this text");
            tab.awaitText("rows", "same text as the survivor");
            long seen = ((Number) tab.eval("seenOf(current())")).longValue();
            assertTrue(seen >= 25 && seen < 999, "seen: " + seen);
            tab.awaitText("seen", seen + " of 999 seen");
            tab.awaitText("accept-seen", seen + " of 999 seen");
            tab.press("x");
            tab.settle();
            Object group = tab.eval("current().id");
            assertEquals(25, ((List<?>) stored(group, "rejected")).size(), "all documents with that text");
            tab.awaitText("rows", "kept apart");
            tab.press("z");
            tab.settle();
            assertEquals(null, stored(group, "rejected"));
            tab.press("a");
            tab.settle();
            assertEquals("accepted", stored(group, "decision"));
            tab.awaitText("last", " of 999 members seen");
            assertNothingRan(tab);
        }
    }

    @Test
    void testAllMembersOfAGroupAreSeenWhenAllDifferencesWereInSight() {
        List<String> words = ReviewIndex.words(random).subList(0, 60);
        Map<String, String> documents = new LinkedHashMap<>();
        for (String member : List.of("a", "b", "c", "d")) {
            List<String> own = new ArrayList<>(words);
            own.set(10 + 10 * (member.charAt(0) - 'a'), "only-" + member);
            documents.put(member, document(String.join(" ", own), "story", member));
        }
        index.fill(documents);
        index.report();
        try (Tab tab = chromium.newTab()) {
            tab.resize(1400, 1000);
            tab.open(address(""));
            tab.awaitText("seen", "3 of 3 seen");
            assertEquals("", tab.text("accept-seen"));
        }
        try (Tab tab = chromium.newTab()) {
            tab.resize(700, 200);
            tab.open(address(""));
            tab.await("document.documentElement.dataset.shown");
            tab.awaitText("seen", "1 of 3 seen");
            tab.press("ArrowRight");
            tab.press("ArrowRight");
            tab.awaitText("seen", "3 of 3 seen");
        }
    }

    @Test
    void testManyGroupsAreAcceptedAtOnceAndTakenBackAtOnce() {
        index.fillGroups(260, random);
        index.report();
        client.must("POST", "/" + ReviewIndex.DEST + "/_refresh", null);
        long wanted = client.must(
                        "GET",
                        "/_plugins/_simhash/review/" + ReviewIndex.DEST + "/groups?decision=open&min_similarity=0.9",
                        null)
                .number("total");
        assertTrue(wanted > 101 && wanted <= 260, "groups: " + wanted);
        try (Tab tab = compared("")) {
            tab.eval("(() => { document.getElementById('bulk-least').focus();"
                    + " document.getElementById('bulk-least').select(); })()");
            tab.type("0.9");
            tab.awaitText("bulk", "Accept all " + wanted);
            tab.press("Enter");
            tab.await("document.getElementById('bulk-dialog').open");
            tab.awaitText("bulk-what", wanted + " groups to decide with a similarity of at least 0.9");
            tab.awaitText("bulk-what", "of " + wanted + " were on this page");
            tab.tabTo("bulk-go");
            tab.press("Enter");
            tab.awaitText("last", "Accepted: " + wanted + " groups");
            tab.settle();
            assertEquals(wanted, accepted());
            tab.awaitText("progress-text", wanted + " of 260 decided");
            tab.press("z");
            tab.awaitText("last", "Taken back");
            tab.settle();
            assertEquals(0, accepted());
            tab.awaitText("progress-text", "0 of 260 decided");
            assertNothingRan(tab);
        }
    }

    private long accepted() {
        client.must("POST", "/" + ReviewIndex.DEST + "/_refresh", null);
        String query = "{\"query\":{\"term\":{\"decision\":\"accepted\"}}}";
        return client.must("POST", "/" + ReviewIndex.DEST + "/_count", query).number("count");
    }

    @Test
    void testKeysNeverActInAFieldAndAlwaysAfterIt() {
        index.fillGroups(6, random);
        index.report();
        try (Tab tab = compared("")) {
            Object group = tab.eval("current().id");
            tab.eval("document.getElementById('menu').open = true");
            for (String field : List.of("min_similarity", "decision", "run", "bulk-least", "letters")) {
                tab.eval("document.getElementById('" + field + "').focus()");
                // Letters with which no option of a list begins.
                tab.press("x");
                tab.press("n");
                tab.settle();
                assertEquals(group, tab.eval("current().id"), field);
                assertEquals(null, stored(group, "rejected"), field);
            }
            tab.press("Escape");
            tab.press("n");
            tab.settle();
            assertNotEquals(group, tab.eval("current().id"), "after the field was left");
            tab.eval("document.getElementById('menu').open = true");
            tab.eval("document.getElementById('min_similarity').focus()");
            tab.eval("document.getElementById('min_similarity').value = '0.1'");
            tab.press("Enter");
            tab.settle();
            tab.press("n");
            tab.settle();
            assertEquals(1, ((Number) tab.eval("page.at")).intValue(), "after Enter in a field");
            tab.press("?");
            tab.press("n");
            tab.settle();
            assertEquals(1, ((Number) tab.eval("page.at")).intValue(), "not below a dialog");
            tab.press("Escape");
            tab.eval("document.getElementById('letters').click()");
            tab.eval("document.activeElement.blur()");
            tab.press("n");
            tab.press("a");
            tab.settle();
            assertEquals(1, ((Number) tab.eval("page.at")).intValue(), "letters are off");
            tab.press("ArrowRight");
            tab.settle();
            tab.open(address(""));
            tab.await("document.documentElement.dataset.shown");
            assertEquals(false, tab.eval("document.getElementById('letters').checked"), "they stay off");
            tab.eval("document.getElementById('letters').click()");
        }
    }

    @Test
    void testTheAddressLeadsBackToTheSamePlace() {
        index.fillGroups(30, random);
        index.report();
        try (Tab tab = compared("?decision=&min_similarity=0.1")) {
            for (int i = 0; i < 25; i++) {
                tab.press("n");
            }
            tab.settle();
            tab.press("j");
            tab.settle();
            String place = String.valueOf(tab.eval("location.search"));
            Object group = tab.eval("current().id");
            assertTrue(place.contains("group=" + group), place);
            try (Tab again = chromium.newTab()) {
                again.open(address(place));
                again.await("page.firstCompared");
                assertEquals(group, again.eval("current().id"));
                assertEquals("0.1", again.eval("document.getElementById('min_similarity').value"));
                assertEquals(0, ((Number) again.eval("current().place")).intValue());
                assertEquals("", again.eval("document.getElementById('decision').value"));
            }
        }
    }

    @Test
    void testEqualMissingAndDeletedLookDifferent() {
        String words = String.join(" ", ReviewIndex.words(random));
        Map<String, String> documents = new LinkedHashMap<>();
        for (String id : List.of("a", "b", "c", "c2", "d", "e")) {
            documents.put(id, document(words, "title", id));
        }
        documents.put("f", Json.write(Map.of("content", words + " more")));
        index.fill(documents);
        index.report();
        for (String id : List.of("c", "c2")) {
            client.must(
                    "PUT",
                    "/" + ReviewIndex.NAME + "/_doc/" + id + "?pipeline=_none&refresh=true",
                    "{\"title\":\"no text\"}");
        }
        client.must("PUT", "/" + ReviewIndex.NAME + "/_doc/d?pipeline=_none&refresh=true", "{\"content\":\"\"}");
        client.must("DELETE", "/" + ReviewIndex.NAME + "/_doc/e?refresh=true", null);
        try (Tab tab = compared("?columns=title,source")) {
            tab.settle();
            Map<String, String> rows = new TreeMap<>();
            for (int i = 0; i < ((Number) tab.eval("current().view.rows.length")).intValue(); i++) {
                String id = String.valueOf(tab.eval("current().view.rows[" + i + "].docs[0].place.id"));
                rows.put(
                        id,
                        String.valueOf(tab.eval("document.querySelectorAll('tr[data-row]')[" + i + "].textContent")));
            }
            assertTrue(rows.get("a").contains("stays"), rows.toString());
            assertTrue(rows.get("b").contains("same text as the survivor"), rows.toString());
            assertTrue(rows.get("c").contains("2 documents") && !rows.get("c").contains("this text"), rows.toString());
            assertTrue(rows.get("c").contains("has no such field"), rows.toString());
            assertTrue(rows.get("d").contains("has an empty text"), rows.toString());
            assertTrue(rows.get("e").contains("deleted since the job"), rows.toString());
            assertTrue(rows.get("f").contains("no value"), rows.toString());
        }
    }

    @Test
    void testWhatWasLeftOutOrPutInIsAWholeSentence() {
        index.fillGroups(1, random);
        index.report();
        try (Tab tab = compared("")) {
            String texts = "changes('One. Two.', 'One.', [[true, 3, 3], [false, 5, 0], [true, 1, 1]])";
            assertEquals("[{\"from\":4,\"to\":9,\"start\":4,\"end\":4}]", tab.eval("JSON.stringify(" + texts + ")"));
            texts = "changes('One.', 'One. Two.', [[true, 3, 3], [false, 0, 5], [true, 1, 1]])";
            assertEquals("[{\"from\":4,\"to\":4,\"start\":4,\"end\":9}]", tab.eval("JSON.stringify(" + texts + ")"));
            texts = "changes('One. Two. Six.', 'One. Six.', [[true, 3, 3], [false, 5, 0], [true, 6, 6]])";
            assertEquals("[{\"from\":5,\"to\":10,\"start\":5,\"end\":5}]", tab.eval("JSON.stringify(" + texts + ")"));
        }
    }

    @Test
    void testItWorksBelowAPrefix() throws IOException {
        index.fillGroups(3, random);
        index.report();
        try (PrefixProxy proxy = new PrefixProxy(URI.create(client.address().toString()), "/search/engine");
                Tab tab = chromium.newTab()) {
            tab.open(proxy.address() + "/_plugins/_simhash/review/" + ReviewIndex.DEST);
            tab.await("document.documentElement.dataset.shown");
            Object group = tab.eval("current().id");
            tab.press("a");
            tab.settle();
            assertEquals("accepted", stored(group, "decision"));
            tab.eval("document.getElementById('apply').click()");
            tab.awaitText("apply-request", ReviewIndex.NAME);
            tab.eval("document.getElementById('apply-send').click()");
            tab.awaitText("apply-answer", "Done.");
            assertFalse(index.tags().isEmpty());
            tab.eval("document.getElementById('print').click()");
            assertEquals("", tab.text("problem"));
            assertEquals(List.of(), proxy.outside());
        }
    }

    @Test
    void testPrintHasAllGroupsOfTheFilter() {
        index.fillGroups(70, random);
        index.report();
        try (Tab tab = compared("?max_size=2")) {
            assertEquals(20, ((Number) tab.eval("page.groups.length")).intValue(), "not all are there at first");
            tab.eval("document.getElementById('print').click()");
            tab.await("watched.executed.length === 1");
            assertEquals("print: ", tab.eval("watched.executed[0]"));
            assertEquals(35, ((Number) tab.eval("document.querySelectorAll('#paper section').length")).intValue());
            assertEquals(
                    true,
                    tab.eval(
                            "[...document.querySelectorAll('#paper section')].every((each) => each.querySelector('mark')"
                                    + " && each.querySelector('ol li') && each.querySelectorAll('ul li').length === 2)"));
            tab.awaitText("paper", "35 of 35 groups of the filter");
        }
    }

    @Test
    void testWhatCheckFindsIsSaidAtTheTop() {
        index.fillGroups(3, random);
        index.report();
        try (Tab tab = compared("")) {
            tab.settle();
            assertEquals(true, tab.eval("document.getElementById('findings').hidden"));
        }
        String words = String.join(" ", ReviewIndex.words(random));
        client.must(
                "PUT",
                "/" + ReviewIndex.NAME + "/_doc/late?pipeline=_none&refresh=true",
                Json.write(Map.of("content", words)));
        try (Tab tab = compared("")) {
            tab.await("!document.getElementById('findings').hidden");
            tab.awaitText("findings", "1 finding");
            tab.awaitText("finding", "not_fingerprinted");
            tab.awaitText("finding", "_update_by_query");
        }
    }

    @Test
    void testNamesOfFieldsAreTexts() {
        String name = "<img src=x onerror=alert(1)>";
        String words = String.join(" ", ReviewIndex.words(random));
        index.fill(Map.of(
                "a", "{\"content\":\"" + words + "\",\"" + name + "\":\"<b>bold</b>\"}",
                "b", "{\"content\":\"" + words + " more\",\"" + name + "\":\"</td><script>alert(2)</script>\"}"));
        index.report();
        for (String parameters : List.of("", "?columns=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E,content")) {
            try (Tab tab = compared(parameters)) {
                tab.awaitText("rows", name);
                tab.awaitText("rows", "<b>bold</b>");
                tab.awaitText("items", "<b>bold</b>");
                assertEquals(null, tab.eval("document.querySelector('img, td b, script:not([id]) ~ script')"));
                assertNothingRan(tab);
            }
        }
    }

    @Test
    void testThaiAndEmojiAreComparedAsPeopleReadThem() {
        String thai =
                "เทศบาลอนุมัติเส้นทางรถรางสายใหม่เมื่อวันจันทร์ การก่อสร้างระหว่างสถานีกลางกับมหาวิทยาลัยจะเริ่มในเดือนมีนาคมและใช้เวลาสามปี";
        String emoji =
                "the family 👨‍👩‍👧 waves 👋🏽 at the tram that comes to the new stop near the old brewery every morning at six";
        index.fill(Map.of(
                "th-1", Json.write(Map.of("content", thai)),
                "th-2", Json.write(Map.of("content", thai.replace("มีนาคม", "ตุลาคม"))),
                "em-1", Json.write(Map.of("content", emoji)),
                "em-2", Json.write(Map.of("content", emoji.replace("👋🏽", "👋🏿")))));
        index.report();
        try (Tab tab = compared("")) {
            for (int i = 0; i < 2; i++) {
                tab.settle();
                boolean isEmoji = String.valueOf(tab.eval("current().id && current().source.survivor.id"))
                        .startsWith("em");
                Object change = tab.eval("(document.querySelector('#text del')?.textContent ?? '') + '|' +"
                        + " (document.querySelector('#text ins')?.textContent ?? '')");
                if (isEmoji) {
                    assertEquals("👋🏽|👋🏿", change);
                } else {
                    assertTrue(String.valueOf(change).startsWith("มี"), change.toString());
                }
                tab.press("n");
            }
        }
    }

    @Test
    void testThereIsNothingThatAssistiveToolsCannotUse() throws IOException {
        fillLarge(40, 9);
        index.fillGroups(5, random);
        index.report();
        String axe = axe();
        for (String scheme : List.of("light", "dark")) {
            try (Tab tab = chromium.newTab()) {
                tab.resize(1280, 900);
                tab.colors(scheme);
                tab.open(address(""));
                tab.await("document.documentElement.dataset.shown");
                tab.eval(axe + "; undefined");
                assertNoViolation(tab, scheme + ", a group");
                tab.eval("document.getElementById('menu').open = true");
                tab.press("j");
                tab.press("x");
                tab.settle();
                assertNoViolation(tab, scheme + ", menu, a member kept apart");
                tab.eval("document.getElementById('apply').click()");
                tab.await("document.getElementById('finish-dialog').open");
                assertNoViolation(tab, scheme + ", apply");
                tab.press("Escape");
                tab.press("?");
                assertNoViolation(tab, scheme + ", keys");
                tab.press("Escape");
                tab.press("z");
                tab.settle();
                tab.resize(320, 640);
                assertNoViolation(tab, scheme + ", 320 pixels");
                assertEquals(true, tab.eval("document.documentElement.scrollWidth <= 320"));
                tab.resize(320, 200);
                assertEquals(true, tab.eval("document.documentElement.scrollWidth <= 320"), "400 % of 1280 by 800");
                for (String filter : List.of("min_size=1000", "min_similarity=2")) {
                    tab.open(address("?" + filter));
                    tab.await("document.body.classList.contains('empty')");
                    tab.eval(axe + "; undefined");
                    assertNoViolation(tab, scheme + ", no group: " + filter);
                }
            }
        }
    }
}
