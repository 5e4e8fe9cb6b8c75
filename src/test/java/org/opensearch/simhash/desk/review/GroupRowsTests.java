/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.rest.RestResponse;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.desk.review.GroupRows.Form;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.test.rest.FakeRestRequest;

/** Groups and links as rows. */
public class GroupRowsTests extends DeletingTestCase {

    private static final String DEST = "groups";

    /** What a link of one answer to the next says. */
    private String next;

    private String rows(Map<String, String> parameters) {
        return rows(parameters, Map.of());
    }

    private String rows(Map<String, String> parameters, Map<String, List<String>> headers) {
        FakeRestRequest request = new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
                .withParams(new HashMap<>(parameters))
                .withHeaders(headers)
                .build();
        Form form = Form.read(request);
        GroupRows rows = (GroupRows) client().execute(
                        GroupsAction.INSTANCE,
                        new GroupsAction.Request(DEST, GroupChoice.read(request, true), null, form))
                .actionGet();
        RestResponse response = rows.response(request.params());
        next = response.getHeaders().getOrDefault("Link", List.of("")).getFirst();
        String text = response.content().utf8ToString();
        ((Releasable) response.content()).close();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        assertEquals("all bytes are given back", 0, breaker.getUsed());
        return text;
    }

    /** All answers, one after the other. */
    private String all(Map<String, String> parameters) {
        StringBuilder all = new StringBuilder(rows(parameters));
        while (next.isEmpty() == false) {
            assertTrue(next, next.startsWith("<?") && next.endsWith(">; rel=\"next\""));
            Map<String, String> more = new HashMap<>();
            for (String parameter : next.substring(2, next.indexOf('>')).split("&", -1)) {
                String[] parts = parameter.split("=", 2);
                more.put(parts[0], parts[1]);
            }
            all.append(rows(more));
        }
        return all.toString();
    }

    private static List<Map<String, Object>> parsed(String lines) {
        return lines.lines()
                .map(line -> XContentHelper.convertToMap(JsonXContent.jsonXContent, line, true))
                .toList();
    }

    public void testMembersAndWhatPeopleDecided() throws IOException {
        fill(Settings.EMPTY);
        put(5, 0);
        client().prepareIndex(INDEX)
                .setId("=a,\"b\"")
                .setSource(Map.of("simhash", given(3), "title", "two\nlines", "n", List.of(1, 2)))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        run("{\"max_distance\":2,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        Map<String, String> groups = new HashMap<>();
        for (SearchHit hit : client().prepareSearch(DEST).get().getHits()) {
            groups.put((String) ((Map<?, ?>) hit.getSourceAsMap().get("survivor")).get("id"), hit.getId());
        }
        client().prepareUpdate(DEST, groups.get("1"))
                .setDoc(Map.of("decision", "accepted", "rejected", List.of("2")))
                .get();
        client().prepareUpdate(DEST, groups.get("3"))
                .setDoc(Map.of("decision", "accepted", "chosen_survivor", Map.of("index", INDEX, "id", "4")))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        String one = groups.get("1");
        String three = groups.get("3");
        assertEquals(
                Set.of(
                        "copies,1," + one + ",1,false,,,accepted,,",
                        "copies,2," + one + ",1,false,0,,rejected,,",
                        "copies,5," + one + ",1,true,0,,accepted,,",
                        "copies,\"=a,\"\"b\"\"\"," + one + ",1,true,2,,accepted,\"two\nlines\",\"[1,2]\"",
                        "copies,3," + three + ",4,true,,,accepted,,",
                        "copies,4," + three + ",4,false,0,,accepted,,",
                        "index,id,group,survivor,is_duplicate,distance,similarity,decision,title,n"),
                Arrays.stream(rows(Map.of("format", "csv", "columns", "title,n"))
                                .split("\r\n", -1))
                        .filter(line -> line.isEmpty() == false)
                        .collect(Collectors.toSet()));
        assertEquals("", next);
        assertTrue(rows(Map.of(), Map.of("Accept", List.of("text/csv"))).startsWith("index,id,"));
        // What a program may have written.
        client().prepareUpdate(DEST, one)
                .setDoc("chosen_survivor", List.of(Map.of("index", INDEX, "id", "2")), "history", List.of("x"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertTrue(rows(Map.of("format", "csv")).contains("copies,1," + one + ",1,false,,,accepted"));
        assertFalse(rows(Map.of("format", "csv", "of", "history")).contains(one));
        List<Map<String, Object>> lines = parsed(all(Map.of("format", "ndjson", "size", "1", "decision", "accepted")));
        assertEquals(6, lines.size());
        assertEquals(
                Set.of("index", "id", "group", "survivor", "is_duplicate", "distance", "similarity", "decision"),
                lines.getFirst().keySet());
        assertEquals("", rows(Map.of("format", "ndjson", "decision", "open")));
        assertEquals(7, all(Map.of("format", "csv", "size", "1")).lines().count());
    }

    /** Of groups of ten thousand documents, and of those that linkage leaves out. */
    public void testAllLinksOfARun() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        List<Long> prints = new ArrayList<>();
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < 120; i++) {
            prints.add(1L << between(0, 9) | (rarely() ? 1L << 40 : 0));
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + (1000 + i))
                    .setSource(
                            Map.of("simhash", given(prints.get(i)), "text", i % 2 == 0 ? "one of them" : "another")));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        for (String options : List.of(
                "",
                ",\"linkage\":\"chain\"",
                ",\"verify\":{\"field\":\"text\"}",
                ",\"max_group_size\":2",
                ",\"max_distance\":0")) {
            int distance = options.contains("distance") ? 0 : 3;
            run(
                    "{\"pairs\":true,\"dest\":{\"index\":\"groups\"}"
                            + (options.contains("distance") ? "" : ",\"max_distance\":3") + options + "}",
                    Float.POSITIVE_INFINITY,
                    100);
            client().admin().indices().prepareRefresh(DEST).get();
            Set<String> expected = new TreeSet<>();
            for (int a = 0; a < prints.size(); a++) {
                for (int b = a + 1; b < prints.size(); b++) {
                    int between = Fingerprint.distance(prints.get(a), prints.get(b));
                    if (between <= distance && (options.contains("verify") == false || a % 2 == b % 2)) {
                        expected.add((1000 + a) + " " + (1000 + b) + " " + between);
                    }
                }
            }
            List<String> found =
                    parsed(all(Map.of("format", "ndjson", "of", "pairs", "size", "" + between(500, 3000)))).stream()
                            .map(row -> row.get("id") + " " + row.get("other_id") + " " + row.get("distance"))
                            .toList();
            assertEquals(options, expected.size(), found.size());
            assertEquals(options, expected, new TreeSet<>(found));
            String csv = rows(Map.of("format", "csv", "of", "pairs", "min_similarity", "1"));
            assertEquals(
                    options,
                    1 + (options.contains("verify") ? expected.size() : 0),
                    csv.lines().count());
            assertEquals(
                    "pairs are no groups",
                    client().prepareSearch(DEST)
                            .setQuery(QueryBuilders.existsQuery("members.id"))
                            .setSize(1000)
                            .get()
                            .getHits()
                            .getHits()
                            .length,
                    client().execute(
                                    GroupsAction.INSTANCE,
                                    new GroupsAction.Request(DEST, GroupChoice.of(Map.of()), null, null))
                            .actionGet()
                            .asMap()
                            .get("total"));
            client().admin().indices().prepareDelete(DEST).get();
        }
    }

    /** Those behind the pages that a later run has replaced are not all of them. */
    public void testLinksOfARunThatWasReplacedAreRefused() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        for (int i = 0; i < 52; i++) {
            put(i, i < 2 ? -1 : 0);
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        String job = "{\"pairs\":true,\"dest\":{\"index\":\"groups\"}}";
        String first = run(job, Float.POSITIVE_INFINITY, 100).run();
        Map<String, String> pairs = Map.of("format", "csv", "of", "pairs", "run", first);
        client().admin().indices().prepareRefresh(DEST).get();
        assertEquals(2 + 50 * 49 / 2, all(pairs).lines().count());
        for (int i = 0; i < 40; i++) {
            client().prepareDelete(INDEX, "" + i).get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        run(job, Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        assertEquals(
                1 + 12 * 11 / 2,
                all(Map.of("format", "csv", "of", "pairs")).lines().count());
        assertEquals(
                "[of] pairs needs a run with [pairs] true, got: " + first,
                expectThrows(IllegalArgumentException.class, () -> rows(pairs)).getMessage());
    }

    /** Pages of links have the run of its groups, and none of its parameters. */
    public void testTextsOfARunWithLinksAreThoseThatWereCompared() throws IOException {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "titles",
                        new BytesArray("{\"processors\":[{\"simhash\":{\"field\":\"title\",\"min_features\":1}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        createIndex(
                INDEX,
                Settings.builder().put("index.default_pipeline", "titles").build());
        for (int i = 1; i <= 2; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("title", "one title of both", "body", "what the body says"))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        String job = "{\"pairs\":true,\"verify\":{\"field\":\"body\"},\"dest\":{\"index\":\"groups\"}}";
        String run = run(job, Float.POSITIVE_INFINITY, 100).run();
        client().admin().indices().prepareRefresh(DEST).get();
        Map<String, Object> documents = Map.of(
                "run",
                run,
                "docs",
                List.of(Map.of("_index", INDEX, "_id", "1"), Map.of("_index", INDEX, "_id", "2", "routing", 5)));
        assertEquals(
                List.of("what the body says", "what the body says"),
                client().execute(GroupsAction.INSTANCE, new GroupsAction.Request(DEST, null, documents, null))
                        .actionGet()
                        .asMap()
                        .get("texts"));
    }

    private void fillLong(int documents, int length) {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of("properties", Map.of("text", Map.of("type", "text", "index", false))))
                .get();
        for (int i = 0; i < documents; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", given(1L << (i / 2)), "text", "x".repeat(length)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    public void testAnAnswerWithLongColumnsHasSomeMegabytes() throws IOException {
        fillLong(120, 200_000);
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        Map<String, String> wanted = Map.of("format", "csv", "columns", "text");
        long first = rows(wanted).lines().count();
        assertTrue("" + first, next.isEmpty() == false && first < 120);
        assertEquals(121, all(wanted).lines().count());
    }

    public void testLongColumnsAreOnTheBreaker() throws IOException {
        fillLong(10, 1_000_000);
        run("{\"max_distance\":0,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        limitRequests("10mb");
        try {
            Exception e = expectThrows(Exception.class, () -> rows(Map.of("format", "csv", "columns", "text")));
            assertTrue("" + e, ExceptionsHelper.unwrap(e, CircuitBreakingException.class) != null);
        } finally {
            limitRequests(null);
        }
    }

    public void testEndsWhenNobodyWaitsAnyMore() throws IOException {
        fill(Settings.EMPTY);
        run("{\"pairs\":true,\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        ClusterState state = client().admin().cluster().prepareState().get().getState();
        for (String rows : List.of("members", "pairs", "history")) {
            GroupRows answer = new GroupRows(
                    new StoredGroups(client(), state, kind -> null),
                    new String[] {DEST},
                    GroupChoice.of(Map.of()),
                    new Form(true, GroupRows.ROWS.get(rows), List.of()),
                    new Account(bytes -> {}),
                    () -> {
                        throw new TaskCancelledException("gone");
                    });
            assertEquals(
                    "gone",
                    expectThrows(TaskCancelledException.class, answer::read).getMessage());
        }
    }

    /** Else values would be below the names of others. */
    public void testAColumnThatIsNamedTwiceIsThereOnce() throws IOException {
        createIndex(INDEX, Settings.EMPTY);
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        for (int i = 0; i < 2; i++) {
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", given(1L << 40), "title", "A title", "lang", "en")));
        }
        assertFalse(bulk.get().hasFailures());
        run("{\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        client().admin().indices().prepareRefresh(DEST).get();
        for (Map<String, Object> row : parsed(rows(Map.of("format", "ndjson", "columns", "title,title,lang")))) {
            assertEquals(List.of("A title", "en"), List.of(row.get("title"), row.get("lang")));
        }
        String header =
                rows(Map.of("format", "csv", "columns", "title,title,lang")).split("\r\n", 2)[0];
        assertTrue(header, header.endsWith(",decision,title,lang"));
    }

    public void testSaysWhatCannotBe() throws IOException {
        fill(Settings.EMPTY);
        String run = run("{\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100)
                .run();
        client().admin().indices().prepareRefresh(DEST).get();
        String ofGroups = GroupChoice.cursor(new Object[] {0.5, 3, "a group"});
        Map.of(
                        Map.of("format", "csv", "of", "pairs", "after", ofGroups),
                        "[after] must be the [next] of an answer, got: " + ofGroups,
                        Map.of("format", "csv", "of", "links"),
                        "[of] must be one of [members, pairs, history], got: links",
                        Map.of("format", "xlsx"),
                        "[format] must be one of [json, csv, ndjson], got: xlsx",
                        Map.of("of", "pairs"),
                        "[of] and [columns] are only allowed with [format] csv or ndjson, got: json",
                        Map.of("format", "csv", "of", "pairs"),
                        "[of] pairs needs a run with [pairs] true, got: " + run,
                        Map.of("format", "csv", "of", "pairs", "decision", "open"),
                        "[of] pairs must stand without [decision, min_size, max_size, q, value, claimed_by, decided_in] and"
                                + " [columns], got: {decision=open, format=csv, of=pairs}",
                        Map.of("format", "csv", "columns", "id"),
                        "[columns] must not be one of [index, id, group, survivor, is_duplicate, distance,"
                                + " similarity, decision], got: id",
                        Map.of("format", "csv", "size", "100001"),
                        "[size] must be between 1 and 100000, got: 100001")
                .forEach((parameters, message) -> assertEquals(
                        message,
                        expectThrows(Exception.class, () -> rows(parameters)).getMessage()));
        for (String filter : List.of("q", "value", "claimed_by", "decided_in")) {
            String message = expectThrows(
                            IllegalArgumentException.class,
                            () -> rows(Map.of("format", "csv", "of", "pairs", filter, "ada")))
                    .getMessage();
            assertTrue(message, message.startsWith("[of] pairs must stand without "));
        }
        Map.of(
                        "{\"pairs\":true}", "no [dest]",
                        "{\"pairs\":true,\"dest\":{\"index\":\"groups\"},\"new_since\":\"last\"}", "[new_since]")
                .forEach((options, got) -> assertEquals(
                        "[pairs] needs [dest], which gets all links, and stands without [new_since], which finds some, got: "
                                + got,
                        expectThrows(IllegalArgumentException.class, () -> run(options, Float.POSITIVE_INFINITY, 100))
                                .getMessage()));
    }
}
