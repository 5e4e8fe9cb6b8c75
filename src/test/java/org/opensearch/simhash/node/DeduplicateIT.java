/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.RandomSeed;

/** Deduplication over HTTP, against groups made by hand. */
@RealNodes(value = 1, takesLong = true)
class DeduplicateIT {

    private static final String INDEX = "twins";
    private static final int DOCUMENTS = 1_500;

    private final RestClient client;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    /** What is in the index, by id. */
    private final TreeMap<Integer, Stored> documents = new TreeMap<>();

    private record Stored(String index, Long bits, String digest, String scheme, String tenant, Integer date) {

        boolean isNear(Stored other, int distance, boolean guarded) {
            return (guarded == false || tenant.equals(other.tenant))
                    && (digest.equals(other.digest) || (scheme.equals(other.scheme) && isNear(other, distance)));
        }

        private boolean isNear(Stored other, int distance) {
            return bits != null && other.bits != null && Long.bitCount(bits ^ other.bits) <= distance;
        }
    }

    DeduplicateIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeEach
    void configure() {
        remove();
        new SampleIndex().configure(client);
    }

    @AfterEach
    void remove() {
        for (String index : List.of(INDEX, INDEX + "-2", "docs-groups", "docs-removed", "texts", "plain")) {
            client.send("DELETE", "/" + index, null);
        }
        new SampleIndex().remove(client);
    }

    @Test
    void testGroupsAreThoseMadeByHand() {
        fill();
        for (String linkage : List.of("survivor", "chain")) {
            for (int distance : new int[] {0, 3, 7}) {
                for (boolean guarded : new boolean[] {false, true}) {
                    client.send("DELETE", "/docs-groups", null);
                    String options = "{\"max_distance\":" + distance + ",\"linkage\":\"" + linkage + "\","
                            + (guarded ? "\"same\":[\"tenant\"]," : "")
                            + "\"survivor\":[{\"field\":\"date\",\"order\":\"desc\"},{\"field\":\"_id\"}],"
                            + "\"dest\":{\"index\":\"docs-groups\"}}";
                    Answer answer = run(INDEX + "*", options);
                    Set<String> expected = byHand(linkage, distance, guarded);
                    assertEquals(expected, groups(), options);
                    assertEquals(expected.size(), answer.number("groups"));
                    assertEquals(documents.size(), answer.number("documents"));
                    assertEquals(
                            documents.values().stream()
                                    .filter(document -> document.bits != null)
                                    .count(),
                            answer.number("fingerprinted"));
                }
            }
        }
    }

    @Test
    void testTagsAndTagsAgainAndClears() {
        fill();
        Answer first = run(INDEX, "{\"action\":\"tag\"}");
        assertTrue(first.number("duplicates") > 0, first.text());
        assertEquals(first.number("duplicates"), first.number("tagged"));
        assertEquals(first.number("groups"), first.number("grouped"));
        assertEquals(first.number("groups"), first.number("groups_new"));
        assertEquals(first.number("duplicates"), tagged());
        Map<String, Object> versions = versions();
        Answer second = run(INDEX, "{\"action\":\"tag\"}");
        assertEquals(0, second.number("tagged"), second.text());
        assertEquals(0, second.number("version_conflicts"), second.text());
        assertEquals(versions, versions(), "running it twice changes nothing");

        Answer narrow = run(INDEX, "{\"action\":\"tag\",\"max_distance\":0}");
        assertTrue(narrow.number("cleared") > 0, narrow.text());
        assertEquals(narrow.number("duplicates"), tagged());
        for (Map<String, Object> hit : hits(INDEX, "{\"exists\":{\"field\":\"simhash.group\"}}")) {
            assertNotNull(Json.at(hit, "_source.simhash.digest"), "the fingerprint stays");
            assertNotEquals(Json.at(hit, "_source.simhash.group"), Json.at(hit, "_source.simhash.duplicate_of"));
        }
    }

    @Test
    void testDeletesIntoAnArchiveAndRestores() {
        fillTexts();
        Map<String, Object> before = sources();
        Answer deleted = run(INDEX, "{\"action\":\"delete\",\"archive\":{\"index\":\"docs-removed\"}}");
        long duplicates = deleted.number("duplicates");
        assertTrue(duplicates > 0, deleted.text());
        assertEquals(duplicates, deleted.number("deleted"));
        assertEquals(duplicates, deleted.number("archived"));
        assertEquals(duplicates, count("docs-removed"));
        assertEquals(before.size() - duplicates, count(INDEX));
        Answer again = run(INDEX, "{\"action\":\"delete\",\"archive\":{\"index\":\"docs-removed\"}}");
        assertEquals(0, again.number("duplicates"), again.text());

        String restore = "{\"run\":\"" + deleted.string("run") + "\",\"archive\":{\"index\":\"docs-removed\"}}";
        String path = "/_plugins/_simhash/deduplicate/" + INDEX + "/restore";
        Answer restored = client.must("POST", path, restore);
        assertEquals(duplicates, restored.number("restored"), restored.text());
        assertEquals(before, sources());
        Answer twice = client.must("POST", path, restore);
        assertEquals(0, twice.number("restored"), twice.text());
        assertEquals(duplicates, twice.number("version_conflicts"), twice.text());
    }

    @Test
    void testArchivedVersionsAreNeverOverwritten() {
        fillTexts();
        run(INDEX, "{\"action\":\"delete\",\"archive\":{\"index\":\"docs-removed\"}}");
        long first = count("docs-removed");
        client.must("DELETE", "/" + INDEX, null);
        fillTexts();
        Answer second = run(INDEX, "{\"action\":\"delete\",\"archive\":{\"index\":\"docs-removed\"}}");
        assertEquals(first + second.number("deleted"), count("docs-removed"));
    }

    @Test
    void testVerifiesTextsBeforeTheyJoin() {
        String mapping =
                "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,\"index.default_pipeline\":\"fingerprint\"}}";
        client.must("PUT", "/texts", mapping);
        String text =
                "The price of one ton of wheat went up by 10 percent in March, and all that deal in it say that it"
                        + " will not come down before the harvest of the next year is in, whatever the weather brings."
                        + " Traders in three countries ask for more trucks and ships, and the ministers of agriculture"
                        + " meet on Tuesday to talk about stores.";
        put("texts", "1", text);
        put("texts", "2", text.replace("in March", "in April"));
        put("texts", "3", text.replace("10 percent", "90 percent"));
        put("texts", "4", text + " Read more.");
        client.must("POST", "/texts/_refresh", null);
        assertEquals(3, run("texts", "{\"max_distance\":10}").number("duplicates"));
        String verify = "{\"verify\":{\"field\":\"content\",\"measure\":\"levenshtein\",\"min_similarity\":0.8,"
                + "\"strict_characters\":\"[0-9]\"},\"dest\":{\"index\":\"docs-groups\"}}";
        Answer verified = run("texts", verify);
        assertEquals(2, verified.number("duplicates"), verified.text());
        Map<String, Object> group = hits("docs-groups", "{\"match_all\":{}}").getFirst();
        assertEquals("1", Json.at(group, "_source.survivor.id"));
        assertEquals("2", Json.at(group, "_source.members.0.id"));
        assertEquals("4", Json.at(group, "_source.members.1.id"));
        assertTrue(((Number) Json.at(group, "_source.lowest_similarity")).doubleValue() >= 0.8);
        assertEquals(
                2,
                run("texts", verify.replace("{\"verify", "{\"linkage\":\"chain\",\"verify"))
                        .number("duplicates"));
    }

    @Test
    void testARunAboutNewDocumentsEndsInTheStateOfAFullRun() {
        fill();
        run(INDEX, "{\"action\":\"tag\"}");
        List<Integer> old = documents.entrySet().stream()
                .filter(entry -> entry.getValue().index.equals(INDEX) && entry.getValue().bits != null)
                .map(Map.Entry::getKey)
                .toList();
        var bulk = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            Stored like = documents.get(old.get(random.nextInt(old.size())));
            long bits = like.bits ^ (1L << random.nextInt(Long.SIZE)) ^ (1L << random.nextInt(Long.SIZE));
            // Half are new, half are old ones whose text became another.
            int id = i % 2 == 0 ? -i - 1 : old.get(random.nextInt(old.size()));
            Stored document = new Stored(INDEX, bits, "new" + i, like.scheme, like.tenant, 1_000 + i);
            bulk.append("{\"index\":{\"_index\":\"" + INDEX + "\",\"_id\":\"" + id + "\"}}\n");
            bulk.append(json(document)).append('\n');
        }
        client.must("POST", "/_bulk?refresh=true", bulk.toString());
        // Several pages of each kind.
        Answer periodic = run(INDEX, "{\"action\":\"tag\",\"new_since\":{\"range\":{\"date\":{\"gte\":1000}}}}");
        assertTrue(periodic.number("tagged") > 0, periodic.text());
        Answer full = run(INDEX, "{\"action\":\"tag\"}");
        assertEquals(0, full.number("tagged"), full.text());
        assertEquals(
                full.number("groups_gone"), full.number("grouped"), "only survivors that lost their last duplicate");
        assertTrue(periodic.number("groups") < full.number("groups"), "only groups with new documents");
        Answer query = run(INDEX, "{\"new_since\":{\"range\":{\"date\":{\"gte\":1000}}}}");
        assertTrue(query.number("groups") < full.number("groups"), query.text());
    }

    /** The group of a new document is found whole from its end. */
    @ParameterizedTest
    @ValueSource(ints = {2, 12, 30})
    void testNewAtTheEndOfAChain(int links) {
        Object mappings = new SampleIndex().mappings();
        client.must("PUT", "/" + INDEX, Json.write(Map.of("mappings", mappings)));
        for (int i = 0; i <= links; i++) {
            // Each two bits from the one before, and as far from all others as it can be.
            long bits = (1L << (2 * i)) - 1;
            String fingerprint = "{\"bits\":" + bits + ",\"digest\":\"text " + i + "\",\"scheme\":\"v1-a\"}";
            client.must("PUT", "/" + INDEX + "/_doc/" + i, "{\"simhash\":" + fingerprint + ",\"date\":" + i + "}");
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
        String last = "\"max_distance\":2,\"new_since\":{\"range\":{\"date\":{\"gte\":" + links + "}}}";
        Answer chain = run(INDEX, "{\"linkage\":\"chain\"," + last + "}");
        assertEquals(1, chain.number("groups"), chain.text());
        assertEquals(links, chain.number("duplicates"), chain.text());
        assertEquals(links + 1, chain.number("fingerprinted"), chain.text());
        Answer none = run(INDEX, "{\"new_since\":{\"range\":{\"date\":{\"gte\":1000}}}}");
        assertEquals(0, none.number("groups"), none.text());
        assertEquals(links + 1, none.number("fingerprinted"), none.text());
    }

    @Test
    void testGroupsWhatAppearedTogetherAndIsSimilar() {
        String settings = "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0}}";
        client.must("PUT", "/texts", settings);
        String[] texts = {
            "a short question about the area of a circle", "a short question about the area of a square",
            "a short question about the area of one circle", "something else altogether that nobody asked"
        };
        for (int i = 0; i < texts.length; i++) {
            put("texts", "" + (i + 1), texts[i]);
        }
        client.must("PUT", "/plain", "{\"mappings\":{\"properties\":{\"hits\":{\"enabled\":false}}}}");
        client.must("PUT", "/plain/_doc/1", "{\"hits\":[1, \"3\", 4, 99]}");
        client.must("PUT", "/plain/_doc/2", "{\"hits\":[{\"id\":\"1\",\"score\":9.5},{\"id\":\"2\",\"score\":1.5}]}");
        client.must("POST", "/texts,plain/_refresh", null);
        String options = "{\"verify\":{\"field\":\"content\",\"measure\":\"levenshtein\",\"min_similarity\":0.8},"
                + "\"candidates\":{\"index\":\"plain\",\"field\":\"hits\"%s},\"dest\":{\"index\":\"docs-groups\"}}";
        Answer scored = run("texts", String.format(Locale.ROOT, options, ",\"min_score\":5"));
        assertEquals(1, scored.number("duplicates"), scored.text());
        assertEquals(Set.of("1 [3]"), groups());
        // Groups of other parameters stay beside one another.
        client.must("DELETE", "/docs-groups", null);
        Answer all = run("texts", String.format(Locale.ROOT, options, ""));
        assertEquals(2, all.number("duplicates"), all.text());
        assertEquals(Set.of("1 [2, 3]"), groups());
        assertRefused(
                400,
                "[verify] is required with [candidates]",
                "texts",
                "{\"candidates\":{\"index\":\"plain\",\"field\":\"hits\"}}");
        assertRefused(
                400,
                "[field] of [candidates] must be an array of ids or of objects with [id], but is none in any document of"
                        + " [plain], got: hitz",
                "texts",
                String.format(Locale.ROOT, options, "").replace("\"hits\"", "\"hitz\""));
    }

    /** Scores that would be taken for ids are refused. */
    @Test
    void testCandidatesWithScoresAreReadOrRefused() {
        client.must("PUT", "/texts", "{}");
        put("texts", "1", "a short question about the area of a circle");
        client.must("PUT", "/plain", "{\"mappings\":{\"dynamic\":false}}");
        String options =
                "{\"verify\":{\"field\":\"content\"},\"candidates\":{\"index\":\"plain\",\"field\":\"a.hits\"}}";
        for (String wrong : List.of("[[1, 9.5], [2, 1.5]]", "[[1, 2], [3, 4]]", "[1, 9.5, 2, 1.5]")) {
            client.must("PUT", "/plain/_doc/1?refresh=true", "{\"a\":{\"hits\":" + wrong + "}}");
            assertRefused(400, refusedCandidates(wrong), "texts", options);
        }
        client.must("PUT", "/plain/_doc/1?refresh=true", "{\"a\":{\"hits\":[1, 2]}}");
        run("texts", options);
        client.must("PUT", "/plain/_doc/1?refresh=true", "{\"a\":[{\"hits\":[1]},{\"hits\":[2]}]}");
        run("texts", options);
    }

    private static String refusedCandidates(String got) {
        return "[field] of [candidates] must be an array of ids or of objects with [id] and [score], got: " + got
                + " in document [1]";
    }

    @Test
    void testAnEmptyIndexHasNoGroups() {
        fill();
        client.must("POST", "/" + INDEX + "/_delete_by_query?refresh=true", "{\"query\":{\"match_all\":{}}}");
        Answer answer = run(INDEX, "{\"dest\":{\"index\":\"docs-groups\"}}");
        assertEquals(0, answer.number("documents"), answer.text());
        assertEquals(0, answer.number("groups"), answer.text());
        assertRefused(404, "no such index [nowhere*]", "nowhere*", "{}");
    }

    @Test
    void testDocumentsWithSeveralFingerprintsAreNearByEachAndNotTagged() {
        fill();
        client.must("DELETE", "/" + INDEX, null);
        String mappings = Json.write(
                Map.of("settings", Map.of("max_result_window", 1), "mappings", new SampleIndex().mappings()));
        client.must("PUT", "/" + INDEX, mappings);
        String one = "{\"simhash\":{\"bits\":%d,\"digest\":\"%d\",\"scheme\":\"v1-a\"}}";
        String two = "{\"simhash\":[{\"bits\":5000,\"digest\":\"x\",\"scheme\":\"v1-a\"},"
                + "{\"bits\":-1,\"digest\":\"y\",\"scheme\":\"v1-a\"}]}";
        client.must("PUT", "/" + INDEX + "/_doc/1", String.format(Locale.ROOT, one, -2, 1));
        client.must("PUT", "/" + INDEX + "/_doc/2", two);
        client.must("PUT", "/" + INDEX + "/_doc/3", String.format(Locale.ROOT, one, 5001, 3));
        client.must("PUT", "/" + INDEX + "/_doc/4?refresh=true", String.format(Locale.ROOT, one, -4, 4));
        Answer report = run(INDEX, "{\"linkage\":\"chain\"}");
        assertEquals(3, report.number("duplicates"), report.text());
        Answer tagged = run(INDEX, "{\"action\":\"tag\"}");
        assertEquals(1, tagged.number("stale_fingerprint"), tagged.text());
        assertEquals(1, tagged.number("tagged"), tagged.text());
        assertEquals(
                2, ((List<?>) client.get("/" + INDEX + "/_doc/2").at("_source.simhash")).size(), "nothing is lost");
    }

    @Test
    void testLargeGroupsAreSplit() {
        fill();
        Answer whole = run(INDEX, "{\"max_distance\":7}");
        long largest = whole.number("largest_group");
        assertTrue(largest > 4, whole.text());
        Answer split = run(INDEX, "{\"max_distance\":7,\"max_group_size\":3}");
        assertTrue(split.number("largest_group") < largest, split.text());
        assertTrue(split.number("split_groups") > 0, split.text());
    }

    @Test
    void testWorksInPassesWhenTheMemoryIsSmallAndInFilesWhereThereIsADisk() {
        fill();
        Answer once = run(INDEX, "{\"dest\":{\"index\":\"docs-groups\"}}");
        assertEquals(1, once.number("passes"));
        Set<String> expected = groups();
        for (String memory : List.of("40kb", "16kb")) {
            for (String disk : List.of("0b", "1gb")) {
                setRoom("\"" + memory + "\"", "\"" + disk + "\"");
                try {
                    client.must("DELETE", "/docs-groups", null);
                    Answer often = run(INDEX, "{\"dest\":{\"index\":\"docs-groups\"}}");
                    assertEquals(disk.equals("0b"), often.number("passes") > 1, often.text());
                    assertEquals(expected, groups());
                    assertEquals(once.number("pairs"), often.number("pairs"));
                    assertEquals(once.number("documents"), often.number("documents"));
                } finally {
                    setRoom("null", "null");
                }
            }
        }
    }

    private void setRoom(String memory, String disk) {
        client.must(
                "PUT",
                "/_cluster/settings",
                "{\"transient\":{\"plugins.simhash.deduplicate.memory\":" + memory
                        + ",\"plugins.simhash.deduplicate.disk\":" + disk + "}}");
    }

    @Test
    void testATaskShowsItsStateAndKeepsItsResult() {
        fill();
        Answer started = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=false",
                "{\"max_distance\":3}");
        String task = "/_tasks/" + started.string("task");
        Answer done = client.must("GET", task + "?wait_for_completion=true&timeout=60s", null);
        assertEquals(true, done.at("completed"));
        assertEquals("done", done.string("task.status.phase"));
        assertTrue(done.number("response.duplicates") > 0, done.text());
        assertNull(done.at("error"));
    }

    @Test
    void testRefusesWhatCannotEndWell() {
        fill();
        client.must("PUT", "/plain", "{\"mappings\":{\"properties\":{\"x\":{\"type\":\"text\"}}}}");
        client.must("PUT", "/" + INDEX + "/_mapping", "{\"properties\":{\"prose\":{\"type\":\"text\"}}}");
        client.must("PUT", "/" + INDEX + "/_alias/twins-alias", null);
        assertRefused(404, "no such index [nowhere]", "nowhere", "{}");
        assertRefused(
                400,
                "[field] must be the object that the [simhash] processor writes, but [simhash.bits] is not"
                        + " mapped in [plain]",
                "plain",
                "{}");
        assertRefused(400, "[archive] is required with [action] delete", INDEX, "{\"action\":\"delete\"}");
        for (String name : List.of(INDEX, "twins-alias")) {
            for (String option : List.of("dest", "archive")) {
                String action = option.equals("archive") ? "\"action\":\"delete\"," : "";
                String body = "{" + action + "\"" + option + "\":{\"index\":\"" + name + "\"}}";
                assertRefused(
                        400, "[" + option + "] must not be one of the deduplicated indices, got: " + name, INDEX, body);
            }
        }
        assertRefused(
                400,
                "[survivor] must name mapped fields, but [nothing] is not mapped in [twins]",
                INDEX,
                "{\"survivor\":[{\"field\":\"nothing\"}]}");
        assertRefused(
                400,
                "[survivor] must name fields with doc values, but [prose] is of type [text]",
                INDEX,
                "{\"survivor\":[{\"field\":\"prose\"}]}");
        assertRefused(400, "[same] must name mapped fields", INDEX, "{\"same\":[\"nothing\"]}");
        assertRefused(
                400,
                "[max_distance] must be between 0 and 16 for fingerprints of 64 bits, got: 17",
                INDEX,
                "{\"max_distance\":17}");
        assertRefused(400, "[max_distance] must be a whole number, got: 2.5", INDEX, "{\"max_distance\":2.5}");
        assertRefused(400, "[max_group_size] must be between 2 and 100000, got: 1", INDEX, "{\"max_group_size\":1}");
        assertRefused(
                400, "[action] must be one of [report, tag, delete], got: purge", INDEX, "{\"action\":\"purge\"}");
        assertRefused(400, "[linkage] must be one of [survivor, chain], got: x", INDEX, "{\"linkage\":\"x\"}");
        assertRefused(400, "unknown field [distance]", INDEX, "{\"distance\":3}");
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.blocks.write\":true}");
        assertRefused(403, "blocked by", INDEX, "{\"action\":\"tag\"}");
        assertTrue(run(INDEX, "{}").ok(), "a report writes nothing");
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.blocks.write\":false}");
        client.must("POST", "/" + INDEX + "/_close", null);
        assertRefused(400, "closed", INDEX, "{}");
        assertFalse(client.get("/docs-groups").ok());
    }

    private void assertRefused(int status, String reason, String index, String body) {
        Answer answer = client.send("POST", "/_plugins/_simhash/deduplicate/" + index, body);
        assertEquals(status, answer.status(), answer.text());
        assertTrue(answer.text().contains(reason.replace("\"", "\\\"")), reason + " expected, got: " + answer.text());
    }

    private Answer run(String index, String options) {
        return client.must("POST", "/_plugins/_simhash/deduplicate/" + index, options);
    }

    /** Groups of four near texts. */
    private void fillTexts() {
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(Map.of(
                        "settings",
                        Map.of("number_of_shards", 2, "number_of_replicas", 0),
                        "mappings",
                        new SampleIndex().mappings())));
        var bulk = new StringBuilder();
        for (int i = 0; i < DOCUMENTS / 3; i++) {
            var words = new Random(i / 4);
            var text = new StringBuilder();
            for (int word = 0; word < 60; word++) {
                text.append('w').append(words.nextInt(100_000)).append(' ');
            }
            bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n{\"content\":\"" + text + i + "\"}\n");
        }
        Answer answer = client.must(
                "POST", "/" + INDEX + "/_bulk?refresh=true&pipeline=" + SampleIndex.PIPELINE, bulk.toString());
        assertEquals(false, answer.at("errors"), answer.text());
    }

    /** Two indices of two shards: near and equal fingerprints, short texts, two schemes, missing dates, deleted documents. */
    private void fill() {
        String template = Json.write(Map.of(
                "settings",
                Map.of("number_of_shards", 2, "number_of_replicas", 0),
                "mappings",
                new SampleIndex().mappings()));
        client.must("PUT", "/" + INDEX, template);
        client.must("PUT", "/" + INDEX + "-2", template);
        List<Long> earlier = new ArrayList<>(List.of(random.nextLong()));
        for (int part = 0; part < 3; part++) {
            var bulk = new StringBuilder();
            for (int i = 0; i < DOCUMENTS / 3; i++) {
                long bits = random.nextInt(3) == 0 ? random.nextLong() : earlier.get(random.nextInt(earlier.size()));
                for (int flips = random.nextInt(6); flips > 0; flips--) {
                    bits ^= 1L << random.nextInt(Long.SIZE);
                }
                earlier.add(bits);
                int id = part * DOCUMENTS + i;
                boolean tooShort = random.nextInt(20) == 0;
                String digest = String.format(Locale.ROOT, "%032x", tooShort ? random.nextInt(20) : 1_000 + id);
                Stored document = new Stored(
                        random.nextInt(5) == 0 ? INDEX + "-2" : INDEX,
                        tooShort ? null : bits,
                        digest,
                        random.nextInt(4) == 0 ? "v1-b" : "v1-a",
                        "t" + random.nextInt(3),
                        random.nextInt(5) == 0 ? null : random.nextInt(100));
                documents.put(id, document);
                bulk.append("{\"index\":{\"_index\":\"" + document.index + "\",\"_id\":\"" + id + "\"}}\n");
                bulk.append(json(document)).append('\n');
            }
            Answer answer = client.must("POST", "/_bulk?refresh=true", bulk.toString());
            assertEquals(false, answer.at("errors"), answer.text());
        }
        for (int i = 0; i < 50; i++) {
            int id = random.nextInt(DOCUMENTS / 3);
            Stored removed = documents.remove(id);
            if (removed != null) {
                client.must("DELETE", "/" + removed.index + "/_doc/" + id, null);
            }
        }
        client.must("POST", "/" + INDEX + "*/_refresh", null);
    }

    private static String json(Stored document) {
        var simhash = new TreeMap<String, Object>(
                Map.of("digest", document.digest, "features", 20, "scheme", document.scheme));
        if (document.bits != null) {
            simhash.put("bits", document.bits);
            simhash.put("hash", String.format(Locale.ROOT, "%016x", document.bits));
        }
        var source =
                new TreeMap<String, Object>(Map.of("simhash", simhash, "tenant", document.tenant, "words", "some"));
        if (document.date != null) {
            source.put("date", document.date);
        }
        return Json.write(source);
    }

    private void put(String index, String id, String content) {
        client.must("PUT", "/" + index + "/_doc/" + id, Json.write(Map.of("content", content)));
    }

    private Set<String> groups() {
        Set<String> groups = new TreeSet<>();
        for (Map<String, Object> hit : hits("docs-groups", "{\"match_all\":{}}")) {
            Set<String> members = new TreeSet<>();
            for (Object member : (List<?>) Json.at(hit, "_source.members")) {
                members.add((String) Json.at(member, "id"));
            }
            groups.add(Json.at(hit, "_source.survivor.id") + " " + members);
        }
        return groups;
    }

    private Set<String> byHand(String linkage, int distance, boolean guarded) {
        List<Integer> order = new ArrayList<>(documents.keySet());
        order.sort((a, b) -> {
            Integer first = documents.get(a).date;
            Integer second = documents.get(b).date;
            int byDate = first == null || second == null
                    ? Boolean.compare(first == null, second == null)
                    : second.compareTo(first);
            return byDate != 0 ? byDate : Integer.compare(a, b);
        });
        Set<String> groups = new TreeSet<>();
        Set<Integer> taken = new TreeSet<>();
        for (int survivor : order) {
            if (taken.add(survivor)) {
                Set<String> members = new TreeSet<>();
                List<Integer> around = new ArrayList<>(List.of(survivor));
                for (int i = 0; i < around.size(); i++) {
                    for (int other : order) {
                        if (taken.contains(other) == false
                                && documents.get(around.get(i)).isNear(documents.get(other), distance, guarded)) {
                            taken.add(other);
                            members.add("" + other);
                            if (linkage.equals("chain")) {
                                around.add(other);
                            }
                        }
                    }
                }
                if (members.isEmpty() == false) {
                    groups.add(survivor + " " + members);
                }
            }
        }
        return groups;
    }

    private List<Map<String, Object>> hits(String index, String query) {
        return client.must(
                        "POST", "/" + index + "/_search", "{\"size\":10000,\"version\":true,\"query\":" + query + "}")
                .hits();
    }

    private long tagged() {
        return hits(INDEX, "{\"exists\":{\"field\":\"simhash.duplicate_of\"}}").size();
    }

    private Map<String, Object> versions() {
        Map<String, Object> versions = new TreeMap<>();
        hits(INDEX, "{\"match_all\":{}}").forEach(hit -> versions.put((String) hit.get("_id"), hit.get("_version")));
        return versions;
    }

    private Map<String, Object> sources() {
        Map<String, Object> sources = new TreeMap<>();
        hits(INDEX, "{\"match_all\":{}}").forEach(hit -> sources.put((String) hit.get("_id"), hit.get("_source")));
        return sources;
    }

    private long count(String index) {
        return client.must("GET", "/" + index + "/_count", null).number("count");
    }
}
