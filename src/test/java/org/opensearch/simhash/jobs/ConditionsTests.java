/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

/** Jobs with conditions on a pair, against brute force. */
public class ConditionsTests extends DeletingTestCase {

    private static final String GROUPS = "groups";
    private static final int DOCUMENTS = 120;
    /** {@code -Dconditions.jobs=300} for more. */
    private static final int JOBS = Rounds.of("conditions.jobs", 15, 300);

    private static final Map<String, Object> MAPPING = Map.of(
            "properties",
            Map.of(
                    "tenant", Map.of("type", "keyword"),
                    "doi", Map.of("type", "long"),
                    "source", Map.of("type", "text", "fields", Map.of("keyword", Map.of("type", "keyword"))),
                    "published", Map.of("type", "date"),
                    "price", Map.of("type", "double")));

    private record Document(long bits, List<String> tenant, Long doi, String source, Long published, Double price) {

        Map<String, Object> source(int id) {
            Map<String, Object> source = new HashMap<>(Map.of("simhash", given(bits)));
            source.put("tenant", tenant);
            source.put("doi", doi);
            source.put("source", this.source);
            source.put(
                    "published",
                    published == null ? null : Instant.ofEpochMilli(published).toString());
            source.put("price", price);
            source.put("text", "text " + id % 2);
            return source;
        }
    }

    private interface Condition {
        boolean isMet(Document a, Document b);
    }

    private final List<Document> documents = new ArrayList<>();

    private void create(Map<String, Object> mapping) {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.number_of_shards", between(1, 3)))
                .setMapping(mapping)
                .get();
    }

    private void fill() {
        create(MAPPING);
        BulkRequestBuilder bulk = client().prepareBulk();
        documents.clear();
        for (int id = 0; id < DOCUMENTS; id++) {
            Document document = new Document(
                    // Equal ones, near ones, chains.
                    (1L << between(0, 6)) | (rarely() ? 1L << 40 : 0),
                    randomFrom(List.of(List.of(), List.of("a"), List.of("b"), List.of("a", "b"), List.of("b", "a"))),
                    randomBoolean() ? null : (long) between(1, 3),
                    randomFrom("s", "t", "u", null),
                    rarely() ? null : 1_700_000_000_000L + between(0, 9) * 3_600_000L,
                    rarely() ? null : between(0, 20) / 2.0);
            documents.add(document);
            bulk.add(client().prepareIndex(INDEX).setId("" + (1000 + id)).setSource(document.source(id)));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** In order of id, each free document takes the free ones that are near and meet all conditions. */
    private Map<String, Set<String>> expected(int distance, boolean verified, int most, List<Condition> conditions) {
        boolean[] taken = new boolean[DOCUMENTS];
        Map<String, Set<String>> groups = new TreeMap<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            if (taken[i]) {
                continue;
            }
            taken[i] = true;
            Set<String> members = new TreeSet<>();
            Set<Long> bits = new HashSet<>(Set.of(documents.get(i).bits));
            for (int j = 0; j < DOCUMENTS; j++) {
                Document a = documents.get(i);
                Document b = documents.get(j);
                boolean isLinked = taken[j] == false
                        && Fingerprint.distance(a.bits, b.bits) <= distance
                        && (members.size() < most - 1 || bits.contains(b.bits))
                        && (verified == false || i % 2 == j % 2)
                        && conditions.stream().allMatch(condition -> condition.isMet(a, b));
                if (isLinked) {
                    taken[j] = true;
                    bits.add(b.bits);
                    members.add("" + (1000 + j));
                }
            }
            if (members.isEmpty() == false) {
                groups.put("" + (1000 + i), members);
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

    public void testGroupsAreThoseOfBruteForce() throws IOException {
        fill();
        for (int round = 0; round < JOBS; round++) {
            List<Condition> conditions = new ArrayList<>();
            List<String> same = new ArrayList<>();
            StringBuilder options = new StringBuilder();
            if (randomBoolean()) {
                same.add("\"tenant\"");
                conditions.add((a, b) -> new TreeSet<>(a.tenant).equals(new TreeSet<>(b.tenant)));
            }
            if (randomBoolean()) {
                same.add("{\"field\":\"doi\",\"missing\":\"any\"}");
                conditions.add((a, b) -> a.doi == null || b.doi == null || a.doi.equals(b.doi));
            }
            options.append(",\"same\":").append(same);
            if (randomBoolean()) {
                options.append(",\"differ\":[\"source\"]");
                conditions.add((a, b) -> a.source == null ? b.source != null : a.source.equals(b.source) == false);
            }
            if (randomBoolean()) {
                int hours = between(0, 9);
                options.append(",\"within\":{\"field\":\"published\",\"distance\":\"" + hours + "h\"}");
                conditions.add((a, b) -> a.published != null
                        && b.published != null
                        && Math.abs(a.published - b.published) <= hours * 3_600_000L);
            } else if (randomBoolean()) {
                double most = between(0, 10) / 4.0;
                options.append(",\"within\":{\"field\":\"price\",\"distance\":" + most + "}");
                conditions.add((a, b) -> a.price != null && b.price != null && Math.abs(a.price - b.price) <= most);
            }
            boolean verified = randomBoolean();
            int distance = between(0, 3);
            int most = randomFrom(List.of(2, 5, 1_000));
            options.append(",\"max_distance\":" + distance + ",\"max_group_size\":" + most);
            options.append(",\"verify\":" + (verified ? "{\"field\":\"text\",\"shingle_size\":1}" : "false"));
            allow(rarely() ? "20kb" : null);
            run("{\"dest\":{\"index\":\"" + GROUPS + "\"}" + options + "}", Float.POSITIVE_INFINITY, 100);
            assertEquals(options.toString(), expected(distance, verified, most, conditions), found());
        }
        allow(null);
    }

    public void testChainsAreMadeOfPairsThatMeetThem() throws IOException {
        create(MAPPING);
        // Neighbours are near. The third pair differs in nothing.
        String[] sources = {"s", "t", "u", "u", "s"};
        for (int id = 0; id < sources.length; id++) {
            client().prepareIndex(INDEX)
                    .setId("" + id)
                    .setSource(Map.of("simhash", given((1L << id) - 1), "source", sources[id], "text", "of all"))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        for (String verify : List.of("", ",\"verify\":{\"field\":\"text\"}")) {
            String options = ",\"linkage\":\"chain\",\"max_distance\":1,\"differ\":\"source\"" + verify + "}";
            run("{\"dest\":{\"index\":\"" + GROUPS + "\"}" + options, Float.POSITIVE_INFINITY, 100);
            assertEquals(Map.of("0", Set.of("1", "2"), "3", Set.of("4")), found());
        }
    }

    /** A link of the chain may meet them where the document that ends and the one that stays do not. */
    public void testADeleteEndsOnlyForASurvivorThatMeetsThem() throws IOException {
        Map<String, List<String>> left = Map.of(
                "\"same\":[{\"field\":\"tenant\",\"missing\":\"any\"}]", List.of("0", "2", "4"),
                "\"differ\":[\"source\"]", List.of("0", "2", "4"),
                "\"within\":{\"field\":\"price\",\"distance\":1}", List.of("0", "2", "3", "4"));
        for (Map.Entry<String, List<String>> condition : left.entrySet()) {
            create(MAPPING);
            String[] tenants = {"a", null, "b", null, "b"};
            String[] sources = {"s", "t", "s", "t", "s"};
            for (int id = 0; id < tenants.length; id++) {
                Map<String, Object> source = new HashMap<>(Map.of("simhash", given(7), "price", id));
                source.put("tenant", tenants[id]);
                source.put("source", sources[id]);
                client().prepareIndex(INDEX).setId("" + id).setSource(source).get();
            }
            client().admin().indices().prepareRefresh(INDEX).get();
            JobResponse deleted = run(
                    "{\"action\":\"delete\",\"archive\":false,\"verify\":false,\"linkage\":\"chain\","
                            + condition.getKey() + "}",
                    Float.POSITIVE_INFINITY,
                    100);
            assertEquals(condition.toString(), new TreeSet<>(condition.getValue()), ids(INDEX));
            assertEquals(condition.toString(), condition.getValue().size() - 1, deleted.count("not_similar"));
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }

    public void testFieldsThatCannotDecideAreRefusedBeforeAnythingIsWritten() throws IOException {
        create(Map.of(
                "properties",
                Map.of(
                        "body", Map.of("type", "text"),
                        "short", Map.of("type", "keyword", "ignore_above", 3),
                        "at", Map.of("type", "date"),
                        "n", Map.of("type", "nested", "properties", Map.of("k", Map.of("type", "keyword"))),
                        "price", Map.of("type", "integer"))));
        put(1, 0);
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("simhash", given(0), "short", "long one"))
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, String> refused = new TreeMap<>(Map.of(
                "\"differ\":[\"mistyped\"]",
                "[differ] must name mapped fields, but [mistyped] is not mapped in [copies]",
                "\"same\":{\"field\":\"body\",\"missing\":\"any\"}",
                "[same] must name fields with doc values of keywords, numbers, dates, booleans or addresses, but [body] is of type [text]",
                "\"differ\":[\"n.k\"]",
                "[differ] must name fields of the documents themselves, but [n.k] is in [n] of type [nested]",
                "\"differ\":[\"short\"]",
                "[differ] must name fields whose values all have doc values, but document [2] of [copies] has 8"
                        + " characters in [short], whose [ignore_above] is 3",
                "\"within\":{\"field\":\"at\",\"distance\":\"72\"}",
                "[distance] of [within] must be a time with its unit, as in 72h, for [at] of type [date], got: 72",
                "\"within\":{\"field\":\"price\",\"distance\":\"72h\"}",
                "[distance] of [within] must be a number for [price] of type [integer], got: 72h",
                "\"within\":{\"field\":\"short\",\"distance\":3}",
                "[within] must name a date or a number, but [short] is of type [keyword]"));
        refused.forEach((option, message) -> assertEquals(
                message,
                expectThrows(
                                IllegalArgumentException.class,
                                () -> run("{\"action\":\"tag\"," + option + "}", Float.POSITIVE_INFINITY, 100))
                        .getMessage()));
        assertEquals(
                "nothing was written", 1, client().prepareGet(INDEX, "1").get().getVersion());
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("simhash", given(-1), "short", "long one"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        JobResponse alone = run("{\"action\":\"report\",\"differ\":[\"short\"]}", Float.POSITIVE_INFINITY, 100);
        assertEquals("what is near nothing decides nothing", 0, alone.count("duplicates"));
    }
}
