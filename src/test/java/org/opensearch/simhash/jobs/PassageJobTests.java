/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;

/** Jobs by the terms of the processor {@code passages}, against all runs of all texts. */
public class PassageJobTests extends DeletingTestCase {

    private static final String DEST = "groups";

    private final Map<String, String> texts = new TreeMap<>();
    private final Map<String, String> tenants = new HashMap<>();
    private Map<String, Object> scheme = Map.of("type", "keyword");

    private static String words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
        }
        return String.join(" ", words);
    }

    private void fill(int shards, String processor) {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "passages",
                        new BytesArray("{\"processors\":[{\"passages\":{\"field\":\"text\"" + processor + "}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder()
                        .put("index.default_pipeline", "passages")
                        .put("index.number_of_shards", shards))
                .setMapping(Map.of(
                        "properties",
                        Map.of(
                                "tenant",
                                Map.of("type", "keyword"),
                                "passages",
                                Map.of(
                                        "properties",
                                        Map.of(
                                                "terms",
                                                Map.of("type", "keyword", "doc_values", false),
                                                "scheme",
                                                scheme)))))
                .get();
        BulkRequestBuilder bulk = client().prepareBulk();
        texts.forEach((id, text) -> bulk.add(client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("text", List.of(text.split("\n", -1)), "tenant", tenants.getOrDefault(id, "a")))));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private JobResponse run(String options) throws IOException {
        return run("{\"sketch\":\"passages\"" + options + "}", Float.POSITIVE_INFINITY, 100);
    }

    /** The groups in {@link #DEST}, by survivor. */
    private Map<String, Set<String>> groups(String options) throws IOException {
        run(",\"dest\":{\"index\":\"" + DEST + "\"}" + options);
        Map<String, Set<String>> groups = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(DEST).setSize(1000).get().getHits()) {
            Set<String> members = new TreeSet<>();
            for (Object member : (List<?>) hit.getSourceAsMap().get("members")) {
                assertNull("terms have no distance", ((Map<?, ?>) member).get("distance"));
                members.add(((Map<?, ?>) member).get("id").toString());
            }
            groups.put(
                    ((Map<?, ?>) hit.getSourceAsMap().get("survivor")).get("id").toString(), members);
        }
        client().admin().indices().prepareDelete(DEST).get();
        return groups;
    }

    /** The words of each text that stand in runs that the other has. */
    private static int inCommon(List<String> a, List<String> b, int least) {
        Set<List<String>> runs = new HashSet<>();
        for (int i = 0; i + least <= b.size(); i++) {
            runs.add(b.subList(i, i + least));
        }
        int common = 0;
        int end = 0;
        for (int i = 0; i + least <= a.size(); i++) {
            if (runs.contains(a.subList(i, i + least))) {
                common += i + least - Math.max(i, end);
                end = i + least;
            }
        }
        return common;
    }

    private boolean share(String a, String b, int least, double share) {
        List<String> first = List.of(texts.get(a).split(" ", -1));
        List<String> second = List.of(texts.get(b).split(" ", -1));
        List<String> smaller = first.size() < second.size() ? first : second;
        List<String> larger = first.size() < second.size() ? second : first;
        int common = inCommon(smaller, larger, least);
        return common > 0 && (double) common / smaller.size() >= share;
    }

    public void testLinksAllPairsWithARunAndNoOthers() throws IOException {
        Random random = new Random(random().nextLong());
        List<String> paragraphs = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            String text = words(random, random.nextInt(60));
            for (int j = random.nextInt(3); j > 0 && paragraphs.isEmpty() == false; j--) {
                String[] other =
                        paragraphs.get(random.nextInt(paragraphs.size())).split(" ", -1);
                int from = random.nextInt(other.length);
                int to = Math.min(other.length, from + 5 + random.nextInt(30));
                text += " " + String.join(" ", List.of(other).subList(from, to)) + " "
                        + words(random, random.nextInt(40));
            }
            text = text.trim();
            if (text.isEmpty() == false) {
                texts.put("d" + i, text);
                tenants.put("d" + i, random.nextBoolean() ? "a" : "b");
                paragraphs.add(text);
            }
        }
        fill(1 + random.nextInt(3), "");
        int least = 15 + random.nextInt(8);
        double share = random.nextBoolean() ? 0 : random.nextDouble();
        String rule = ",\"min_words\":" + least + ",\"min_share\":" + share;

        Map<String, Set<String>> groups = groups(rule);
        Set<String> grouped = new HashSet<>(groups.keySet());
        groups.forEach((survivor, members) -> members.forEach(member -> {
            assertTrue(survivor + " " + member, share(survivor, member, least, share));
            assertTrue(member, grouped.add(member));
        }));
        for (String survivor : texts.keySet()) {
            boolean mayTakeOthers = grouped.contains(survivor) == false || groups.containsKey(survivor);
            for (String other : texts.keySet()) {
                boolean isLeft = mayTakeOthers && grouped.contains(other) == false && other.equals(survivor) == false;
                assertFalse(survivor + " " + other, isLeft && share(survivor, other, least, share));
            }
        }

        String old = "\"query\":{\"term\":{\"tenant\":\"b\"}}";
        JobResponse against = run(rule + ",\"query\":{\"term\":{\"tenant\":\"a\"}},\"against\":{\"index\":\"" + INDEX
                + "\"," + old + "}");
        long matched = texts.keySet().stream()
                .filter(id -> tenants.get(id).equals("a")
                        && texts.keySet().stream()
                                .anyMatch(other -> tenants.get(other).equals("b") && share(id, other, least, share)))
                .count();
        assertEquals(matched, against.count("matched"));

        Map<String, Set<String>> connected = new TreeMap<>();
        for (String id : texts.keySet()) {
            Set<String> group = new TreeSet<>(Set.of(id));
            for (String before : new ArrayList<>(connected.keySet())) {
                if (connected.get(before).stream().anyMatch(other -> share(id, other, least, share))) {
                    group.addAll(connected.remove(before));
                }
            }
            connected.put(((TreeSet<String>) group).first(), group);
        }
        connected.values().removeIf(group -> group.size() == 1);
        connected.forEach((survivor, group) -> group.remove(survivor));
        assertEquals(connected, groups(rule + ",\"linkage\":\"chain\""));
    }

    /** A mail, a reply with it, and another text. */
    private void fillMails() {
        Random random = new Random(random().nextLong());
        String mail = words(random, 60);
        texts.put("1", mail);
        texts.put("2", words(random, 90) + " " + mail);
        texts.put("3", words(random, 200));
        texts.put("4", mail + " " + words(random, 40));
        texts.put("5", "too short");
        tenants.put("4", "b");
    }

    public void testConditionsTagsAndNewDocuments() throws IOException {
        fillMails();
        fill(1, "");
        assertEquals(Map.of("1", Set.of("2", "4")), groups(""));
        assertEquals(Map.of("1", Set.of("2")), groups(",\"same\":[\"tenant\"]"));
        assertEquals(Map.of("1", Set.of("4")), groups(",\"differ\":[\"tenant\"]"));
        assertEquals(Map.of(), groups(",\"new_since\":{\"ids\":{\"values\":[\"3\"]}}"));
        assertEquals(Map.of("1", Set.of("2", "4")), groups(",\"new_since\":{\"ids\":{\"values\":[\"4\"]}}"));
        assertEquals(
                "the whole texts are alike in a half",
                Map.of("1", Set.of("4")),
                groups(",\"verify\":{\"field\":\"text\",\"min_similarity\":0.5}"));
        JobResponse response = run(",\"action\":\"tag\",\"groups\":\"all\"");
        assertEquals(4, response.count("fingerprinted"));
        assertEquals(2, response.count("pairs"));
        JobResponse kept = run(",\"pairs\":true,\"dest\":{\"index\":\"all-pairs\"}");
        assertEquals("kept links count once", 2, kept.count("pairs"));
        assertEquals(response.count("pairs_compared"), kept.count("pairs_compared"));
        Map<?, ?> reply =
                (Map<?, ?>) client().prepareGet(INDEX, "2").get().getSource().get("passages");
        assertEquals("1", reply.get("duplicate_of"));
        Map<?, ?> mail =
                (Map<?, ?>) client().prepareGet(INDEX, "1").get().getSource().get("passages");
        assertEquals(mail.get("group"), reply.get("group"));
        assertNotNull("the terms stay", mail.get("terms"));
        Map<?, ?> alone =
                (Map<?, ?>) client().prepareGet(INDEX, "3").get().getSource().get("passages");
        assertNotNull(alone.get("group"));
    }

    /** A footer that most share proposes nothing, unless documents have nothing else. It is a value of its own, so all have its terms. */
    public void testBlocksProposeNothingUnlessTheyAreAllThereIs() throws IOException {
        Random random = new Random(random().nextLong());
        String footer = words(random, 30);
        for (int i = 0; i < 40; i++) {
            texts.put("d" + i, words(random, 40) + "\n" + footer);
        }
        texts.put("f1", footer);
        texts.put("f2", footer);
        int shards = 1 + random.nextInt(2);
        fill(shards, "");
        assertEquals(1, groups(",\"max_document_share\":1").size());
        assertEquals(0, run(",\"max_document_share\":1").count("block_terms"));
        long blocks = run(",\"max_document_share\":0.1").count("block_terms");
        assertTrue("of 16 windows: " + blocks, blocks >= 2 && (shards > 1 || blocks <= 16));
        Map<String, Set<String>> groups = groups(",\"max_document_share\":0.1");
        assertEquals(Map.of("f1", Set.of("f2")), groups);
    }

    /** One set of documents for all terms; texts are compared once for each group. */
    public void testManyEqualTexts() throws IOException {
        String text = words(new Random(random().nextLong()), 200);
        for (int i = 0; i < 2_000; i++) {
            texts.put("d" + i, text);
        }
        texts.put("same", "same ".repeat(50_000).trim());
        texts.put("same again", "same ".repeat(60_000).trim());
        fill(1, "");
        JobResponse response = run(",\"max_group_size\":500");
        assertEquals("four of 500, one of two", 5, response.count("groups"));
        assertEquals(4 * 499 + 1, response.count("duplicates"));
        assertTrue("" + response.count("pairs_compared"), response.count("pairs_compared") < 2_200);
    }

    /** Their own words are too few for terms, so that all share all terms but the last two, which share more. */
    public void testTextsThatShareNothingButAFooterAreNotAllComparedAndTheJobSaysSo() throws IOException {
        Random random = new Random(random().nextLong());
        String footer = words(random, 30);
        int count = 500;
        for (int i = 0; i < count - 2; i++) {
            texts.put("d" + i, words(random, 12) + "\n" + footer);
        }
        texts.put("x", words(random, 20) + "\n" + footer);
        texts.put("y", texts.get("x"));
        fill(1, "");
        for (String linkage : List.of("survivor", "chain")) {
            JobResponse response = run(",\"min_share\":0.9,\"max_document_share\":1,\"linkage\":\"" + linkage + "\"");
            assertTrue("" + response.count("pairs_compared"), response.count("pairs_compared") < 100_000);
            assertEquals("x and y", 1, response.count("duplicates"));
            assertEquals(
                    List.of("243 documents were compared with 256 others in vain, those with the most terms in common"
                            + " first, and not with all that share a term with them"),
                    response.warnings());
        }
    }

    /** Each paragraph is in two texts, so that each pair of neighbours has terms of its own. */
    public void testSharedTermsThatDoNotFitAreRefused() throws IOException {
        Random random = new Random(random().nextLong());
        String before = words(random, 80);
        for (int i = 0; i < 400; i++) {
            String next = words(random, 80);
            texts.put("d" + i, before + "\n" + next);
            before = next;
        }
        fill(1, "");
        expectFailures();
        limitRequests("60kb");
        try {
            Exception e = expectThrows(Exception.class, () -> run(""));
            assertEquals(e.toString(), RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(e));
        } finally {
            limitRequests(null);
        }
        assertEquals(200, run("").count("duplicates"));
    }

    public void testRefusesWhatCannotBe() throws IOException {
        refused(
                "[action] must be report or tag with [sketch] passages, because a passage that documents share ends none"
                        + " of them, got: delete",
                "{\"sketch\":\"passages\",\"action\":\"delete\",\"archive\":false}");
        refused("[min_words] is only allowed with [sketch] passages, got: 20", "{\"min_words\":20}");
        refused("[min_share] is only allowed with [sketch] passages, got: 0.5", "{\"min_share\":0.5}");
        refused(
                "[max_distance] is only allowed with [sketch] simhash, got: 3",
                "{\"sketch\":\"passages\",\"max_distance\":3}");
        refused("[min_share] must be between 0 and 1, got: 1.5", "{\"sketch\":\"passages\",\"min_share\":1.5}");
        fillMails();
        fill(1, ",\"words\":10");
        assertEquals(
                "[min_words] must be at least [words] + [window] - 1 of the processor, which is 17, got: 16",
                expectThrows(IllegalArgumentException.class, () -> run(",\"min_words\":16"))
                        .getMessage());
        assertEquals(
                "[field] must be the object that the [passages] processor writes, but [other.terms] is not mapped in ["
                        + INDEX + "]: map it, and set a pipeline; POST /_plugins/_simhash/setup/" + INDEX
                        + " {\"sketch\": \"passages\", \"target_field\": \"other\"} does it",
                expectThrows(IllegalArgumentException.class, () -> run(",\"field\":\"other\""))
                        .getMessage());
        client().prepareIndex("dynamic")
                .setSource(Map.of("passages", Map.of("terms", List.of("abcdefg"))))
                .get();
        String message = expectThrows(
                        IllegalArgumentException.class,
                        () -> run("{\"sketch\":\"passages\"}", Float.POSITIVE_INFINITY, 100, "dynamic"))
                .getMessage();
        assertTrue(
                message,
                message.startsWith("[field] must have its terms mapped as [keyword], but [passages.terms] is of type"
                        + " [text] in [dynamic]"));
    }

    /** As where the scheme is mapped when the first document comes. */
    public void testASchemeNeedsNoDocValues() throws IOException {
        texts.put("1", words(new Random(7), 100));
        texts.put("2", texts.get("1"));
        for (Map<String, Object> mapped : List.<Map<String, Object>>of(
                Map.of("type", "text", "fields", Map.of("keyword", Map.of("type", "keyword"))),
                Map.of("type", "text"),
                Map.of("type", "keyword", "doc_values", false))) {
            scheme = mapped;
            fill(1, "");
            JobResponse response = run("");
            assertEquals(response.toString(), 1, response.count("groups"));
            boolean isCounted = response.toString().contains("\"schemes\":{}") == false;
            assertEquals(mapped.containsKey("fields"), isCounted);
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    private void refused(String message, String json) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            Exception e = expectThrows(
                    Exception.class,
                    () -> assertNotNull(DeduplicateOptions.named(parser).apply(null)));
            Throwable cause = e;
            while (cause.getCause() != null && message.equals(cause.getMessage()) == false) {
                cause = cause.getCause();
            }
            assertEquals(message, cause.getMessage());
        }
    }
}
