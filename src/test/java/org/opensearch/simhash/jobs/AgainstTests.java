/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Jobs that compare with the documents of another index, or with others of the same one, against brute force. */
public class AgainstTests extends DeletingTestCase {

    private static final String OLD = "archive";
    private static final String GROUPS = "groups";
    private static final String AGAINST = "\"against\":{\"index\":\"archive\"}";
    private static final int DOCUMENTS = 120;
    private static final int JOBS = Rounds.of("against.jobs", 15, 300);
    private static final Map<String, Object> KEYWORD = Map.of("type", "keyword");

    private record Document(String id, long bits, String tenant, String source, boolean isOld) {

        boolean isNear(Document other, int distance, boolean sameTenant, boolean otherSource) {
            return Fingerprint.distance(bits, other.bits) <= distance
                    && (sameTenant == false || Objects.equals(tenant, other.tenant))
                    && (otherSource == false || Objects.equals(source, other.source) == false);
        }
    }

    private final List<Document> documents = new ArrayList<>();

    private void create(String... names) {
        for (String name : names) {
            client().admin()
                    .indices()
                    .prepareCreate(name)
                    .setSettings(Settings.builder().put("index.number_of_shards", between(1, 3)))
                    .setMapping(Map.of(
                            "properties",
                            Map.of(
                                    "tenant",
                                    KEYWORD,
                                    "source",
                                    KEYWORD,
                                    "side",
                                    KEYWORD,
                                    "simhash",
                                    Map.of("properties", Map.of("group", KEYWORD, "duplicate_of", KEYWORD)))))
                    .get();
        }
    }

    /** @param isOne whether both sides are in one index */
    private void fill(boolean isOne) {
        create(isOne ? new String[] {INDEX} : new String[] {INDEX, OLD});
        BulkRequestBuilder bulk = client().prepareBulk();
        documents.clear();
        for (int i = 0; i < DOCUMENTS; i++) {
            Document document = new Document(
                    "" + (1000 + i),
                    // Equal ones, near ones, chains.
                    (1L << between(0, 6)) | (rarely() ? 1L << 40 : 0),
                    randomFrom("a", "b", null),
                    randomFrom("s", "t", null),
                    randomBoolean());
            documents.add(document);
            Map<String, Object> source = new HashMap<>(Map.of("simhash", given(document.bits)));
            source.put("tenant", document.tenant);
            source.put("source", document.source);
            source.put("side", document.isOld ? "old" : "new");
            String index = isOne || document.isOld == false ? INDEX : OLD;
            bulk.add(client().prepareIndex(index).setId(document.id).setSource(source));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh().get();
    }

    private static String sides(boolean isOne) {
        return isOne
                ? "\"query\":{\"term\":{\"side\":\"new\"}},\"against\":{\"index\":\"" + INDEX
                        + "\",\"query\":{\"match_all\":{}}}"
                : AGAINST;
    }

    /** In order of id, each old document takes the free new ones that are near. */
    private Map<String, Set<String>> expected(int distance, boolean sameTenant, boolean otherSource) {
        Set<String> taken = new TreeSet<>();
        Map<String, Set<String>> groups = new TreeMap<>();
        for (Document old : documents) {
            for (Document other : documents) {
                if (old.isOld
                        && other.isOld == false
                        && old.isNear(other, distance, sameTenant, otherSource)
                        && taken.add(other.id)) {
                    groups.computeIfAbsent(old.id, id -> new TreeSet<>()).add(other.id);
                }
            }
        }
        return groups;
    }

    private Map<String, Set<String>> found() {
        Map<String, Set<String>> groups = new TreeMap<>();
        client().admin().indices().prepareRefresh(GROUPS).get();
        for (SearchHit hit : client().prepareSearch(GROUPS).setSize(1_000).get().getHits()) {
            Map<?, ?> group = hit.getSourceAsMap();
            Set<String> members = new TreeSet<>();
            ((List<?>) group.get("members")).forEach(member -> members.add((String) ((Map<?, ?>) member).get("id")));
            groups.put((String) ((Map<?, ?>) group.get("survivor")).get("id"), members);
        }
        client().admin().indices().prepareDelete(GROUPS).get();
        return groups;
    }

    private JobResponse job(String options) throws IOException {
        JobResponse response = run("{" + options + "}", Float.POSITIVE_INFINITY, 100);
        assertEquals(response.toString(), List.of(), response.failures());
        return response;
    }

    public void testGroupsAreThoseOfBruteForce() throws IOException {
        for (boolean isOne : new boolean[] {false, true}) {
            fill(isOne);
            for (int round = 0; round < JOBS; round++) {
                boolean sameTenant = randomBoolean();
                boolean otherSource = randomBoolean();
                int distance = between(0, 3);
                String options = sides(isOne) + ",\"max_distance\":" + distance
                        + (sameTenant ? ",\"same\":[\"tenant\"]" : "")
                        + (otherSource ? ",\"differ\":[\"source\"]" : "");
                allow(rarely() ? "20kb" : null);
                JobResponse response = job(options + ",\"dest\":{\"index\":\"" + GROUPS + "\"}");
                Map<String, Set<String>> expected = expected(distance, sameTenant, otherSource);
                assertEquals(options, expected, found());
                long matched = expected.values().stream().mapToLong(Set::size).sum();
                long fresh = documents.stream()
                        .filter(document -> document.isOld == false)
                        .count();
                assertEquals(options, matched, response.count("matched"));
                assertTrue(
                        response.toString(),
                        response.toString().contains("\"matched_share\":" + (double) matched / fresh));
                if (otherSource == false) {
                    long pairs = documents.stream()
                            .filter(Document::isOld)
                            .mapToLong(old -> documents.stream()
                                    .filter(other ->
                                            other.isOld == false && old.isNear(other, distance, sameTenant, false))
                                    .count())
                            .sum();
                    assertEquals(options, pairs, response.count("pairs"));
                }
            }
            allow(null);
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    public void testOnlyDocumentsOfThePathAreTaggedAndDeleted() throws IOException {
        for (boolean isOne : new boolean[] {false, true}) {
            fill(isOne);
            String old = isOne ? INDEX : OLD;
            Document first = documents.stream()
                    .filter(document ->
                            document.isOld && expected(1, false, false).containsKey(document.id))
                    .findFirst()
                    .orElseThrow();
            Map<String, Object> print = new HashMap<>(given(first.bits));
            print.put("group", "story");
            client().prepareIndex(old)
                    .setId(first.id)
                    .setSource(Map.of("simhash", print, "side", "old"))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
            long version = client().prepareGet(old, first.id).get().getVersion();
            if (isOne == false) {
                client().admin()
                        .indices()
                        .prepareUpdateSettings(OLD)
                        .setSettings(Settings.builder().put("index.blocks.write", true))
                        .get();
            }
            String groups = randomFrom("duplicates", "all");
            JobResponse tagged =
                    job(sides(isOne) + ",\"max_distance\":1,\"action\":\"tag\",\"groups\":\"" + groups + "\"");
            Map<String, Set<String>> expected = expected(1, false, false);
            assertEquals(tagged.count("matched"), tagged.count("tagged"));
            assertFalse(
                    tagged.warnings().toString(), tagged.warnings().toString().contains("read-only"));
            for (Document document : documents) {
                String index = document.isOld ? old : INDEX;
                Map<?, ?> source = client().prepareGet(index, document.id).get().getSourceAsMap();
                Object survivor = ((Map<?, ?>) source.get("simhash")).get("duplicate_of");
                Object group = ((Map<?, ?>) source.get("simhash")).get("group");
                if (document.isOld) {
                    assertEquals(document.id.equals(first.id) ? "story" : null, group);
                    assertNull(survivor);
                    continue;
                }
                boolean isMatched = survivor != null;
                assertEquals(isMatched, expected.values().stream().anyMatch(members -> members.contains(document.id)));
                assertTrue(survivor == null || expected.get(survivor).contains(document.id));
                assertEquals(isMatched || groups.equals("all"), group != null);
                assertEquals(first.id.equals(survivor), "story".equals(group));
            }
            assertEquals(version, client().prepareGet(old, first.id).get().getVersion());
            JobResponse again =
                    job(sides(isOne) + ",\"max_distance\":1,\"action\":\"tag\",\"groups\":\"" + groups + "\"");
            assertEquals(0, again.count("tagged") + again.count("grouped") + again.count("cleared"));

            JobResponse deleted =
                    job(sides(isOne) + ",\"max_distance\":1,\"action\":\"delete\",\"verify\":false,\"archive\":false");
            assertEquals(tagged.count("matched"), deleted.count("deleted"));
            Set<String> left = new TreeSet<>();
            documents.forEach(document -> left.add(document.id));
            expected.values().forEach(left::removeAll);
            Set<String> found = new TreeSet<>();
            client().admin().indices().prepareRefresh().get();
            client().prepareSearch(INDEX, old).setSize(1_000).get().getHits().forEach(hit -> found.add(hit.getId()));
            assertEquals(left, found);
            client().admin()
                    .indices()
                    .prepareUpdateSettings(old)
                    .setSettings(Settings.builder().putNull("index.blocks.write"))
                    .get();
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    public void testWhatIsNewOnEitherSideIsFoundByTheNextRun() throws IOException {
        create(INDEX, OLD);
        put(INDEX, "1", 0);
        put(OLD, "2", 0);
        String last = AGAINST + ",\"action\":\"tag\",\"new_since\":\"last\",\"dest\":{\"index\":\"" + GROUPS + "\"}";
        assertEquals(1, job(last).count("tagged"));
        assertEquals(0, job(last).count("tagged"));
        put(INDEX, "3", 64);
        put(OLD, "4", -64L);
        assertEquals(1, job(last).count("tagged"));
        put(INDEX, "5", -64L);
        assertEquals(1, job(last).count("tagged"));
        put(INDEX, "6", 0x00FF_00FF_0000_0000L);
        assertEquals(0, job(last).count("tagged"));
        put(OLD, "7", 0x00FF_00FF_0000_0000L);
        assertEquals(1, job(last).count("tagged"));
    }

    public void testADocumentIsNoDuplicateOfItself() throws IOException {
        create(INDEX, OLD);
        put(INDEX, "1", 0);
        put(OLD, "1", 0);
        JobResponse kept = job(AGAINST);
        assertEquals(0, kept.count("matched"));
        assertTrue(
                kept.warnings().toString(),
                kept.warnings()
                        .contains("1 documents with links have the [_id] of one in another index, and are not"
                                + " compared with it: [same_id] duplicate compares them"));
        JobResponse compared = job(AGAINST + ",\"same_id\":\"duplicate\"");
        assertEquals(1, compared.count("matched"));
        assertEquals(List.of(), compared.warnings());
    }

    public void testSaysWhatCannotBe() {
        create(INDEX, OLD);
        put(INDEX, "1", 0);
        put(OLD, "2", 0);
        client().admin()
                .indices()
                .prepareAliases()
                .addAlias(INDEX, "some", "{\"term\":{\"tenant\":\"a\"}}")
                .get();
        Map<String, String> refused = Map.of(
                AGAINST + ",\"linkage\":\"chain\"",
                "[against] must stand without [linkage] chain, [merge] and [size_field], which would change its"
                        + " documents, got: [linkage] chain, [merge] [], [size_field] null",
                "\"against\":{\"index\":\" \"}",
                "[index] of [against] must name an index, an alias or a pattern (_all for all indices), got:  ",
                "\"against\":{\"index\":\"some\"}",
                "[against] must select by [query] and not by the filter of an alias where the path has the same index,"
                        + " got: [copies]",
                "\"against\":{\"index\":\"nowhere\"}",
                "no such index [nowhere]",
                "\"against\":{\"index\":\"nowhere-*\"}",
                "no such index [nowhere-*]",
                AGAINST + ",\"dest\":{\"index\":\"archive\"}",
                "[dest] must not be one of the deduplicated indices, got: archive");
        refused.forEach((options, message) -> assertEquals(
                message, expectThrows(Exception.class, () -> job(options)).getMessage()));
    }
}
