/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.RoutingMissingException;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.rollover.RolloverRequest;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilder;

/** A document by id as the source: which one is meant, whether it matches itself, and what cannot be answered. */
public class StoredSourceClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, and then it runs away over the green hills into the dark forest.";

    public void testADocumentNeedNotBeRefreshed() {
        spreadIndex("docs");
        put("docs", "seen", "content", TEXT);
        refresh("docs");
        put("docs", "unseen", "content", TEXT);
        assertEquals(Set.of("seen"), ids(near("'id': 'unseen'", "docs")));
    }

    public void testTheSearchedIndicesAreLookedThroughWhateverTheyAreCalled() {
        spreadIndex("docs-a");
        smallIndex("docs-b");
        smallIndex("plain");
        putAll("docs-a", Map.of("1", Map.of("content", TEXT), "2", Map.of("content", TEXT)));
        putAll("docs-b", Map.of("3", Map.of("content", TEXT), "2", Map.of("content", "another text")));
        putAll("plain", Map.of("4", Map.of("content", TEXT)));
        alias("all", "docs-a", "docs-b", "plain");
        alias("b", "docs-b");
        for (String searched : List.of("docs-a,docs-b", "docs-*", "all", "all,docs-a", "*", "_all")) {
            assertEquals(searched, Set.of("2", "3"), ids(near("'id': '1'", searched.split(","))));
        }
        assertEquals("by an alias", Set.of("1", "2"), ids(near("'id': '3', 'index': 'b'", "docs-a")));
        assertEquals(
                "left out where it is, not elsewhere", Set.of("1", "2"), ids(near("'id': '3', 'index': 'b'", "all")));
        assertRefused(
                400,
                "[id] document [2] is in several of the searched indices [docs-a, docs-b]: set [index]",
                () -> near("'id': '2'", "docs-a", "docs-b"));
        assertEquals(Set.of("1", "3"), ids(near("'id': '2', 'index': 'docs-a'", "docs-a", "docs-b")));
        Exception e = expectThrows(IllegalArgumentException.class, () -> near("'id': '1', 'index': 'all'", "docs-a"));
        assertTrue(e.getMessage(), e.getMessage().startsWith("alias [all] has more than one index associated with it"));
    }

    public void testTheDocumentItselfIsLeftOutOnlyWhereItIs() {
        smallIndex("docs-a");
        smallIndex("docs-b");
        putAll("docs-a", Map.of("1", Map.of("content", TEXT)));
        putAll("docs-b", Map.of("1", Map.of("content", TEXT)));
        String source = "'id': '1', 'index': 'docs-a'";
        SearchResponse others = near(source, "docs-a", "docs-b");
        assertEquals(1, others.getHits().getHits().length);
        assertEquals("docs-b", others.getHits().getAt(0).getIndex());
        assertEquals(
                2,
                near(source + ", 'include_self': true", "docs-a", "docs-b")
                        .getHits()
                        .getHits()
                        .length);
    }

    public void testDataStreams() throws IOException {
        template("events", """
                {'index_patterns': ['events'], 'data_stream': {}, 'priority': 200,
                 'template': {'settings': {'number_of_replicas': 0, 'index.default_pipeline': 'fingerprint'}}}""");
        for (String id : List.of("1", "2")) {
            client().prepareIndex("events")
                    .setId(id)
                    .setOpType(DocWriteRequest.OpType.CREATE)
                    .setSource("@timestamp", "2024-05-17T00:00:00Z", "content", TEXT)
                    .get();
            RolloverRequest rollover = new RolloverRequest("events", null);
            assertTrue(client().admin()
                    .indices()
                    .rolloverIndex(rollover)
                    .actionGet()
                    .isRolledOver());
        }
        refresh("events");
        assertEquals(Set.of("1", "2"), ids(near("'text': '" + TEXT + "'", "events")));
        assertEquals(Set.of("2"), ids(near("'id': '1'", "events")));
        DeleteDataStreamAction.Request delete = new DeleteDataStreamAction.Request(new String[] {"events"});
        assertAcked(client().execute(DeleteDataStreamAction.INSTANCE, delete).actionGet());
    }

    public void testRouting() {
        newIndex("docs", "{'_routing': {'required': true}}", SHARDS, 1);
        for (int i = 0; i < 10; i++) {
            client().prepareIndex("docs")
                    .setId("" + i)
                    .setRouting("r" + i)
                    .setSource("content", TEXT)
                    .get();
        }
        refresh("docs");
        assertEquals(9, ids(near("'id': '1', 'routing': 'r1'", "docs")).size());
        assertRefused(400, "routing is required for [docs]/[1]", () -> near("'id': '1'", "docs"));
    }

    public void testTheRoutingOfTheSearch() {
        for (String mapping : List.of("{}", "{'_routing': {'required': true}}")) {
            String index = mapping.equals("{}") ? "docs-free" : "docs-required";
            newIndex(index, mapping, SHARDS, 1);
            for (String tenant : List.of("a", "b")) {
                for (int i = 0; i < 5; i++) {
                    client().prepareIndex(index)
                            .setId(tenant + i)
                            .setRouting(tenant)
                            .setSource("content", TEXT)
                            .get();
                }
            }
            refresh(index);
            for (int i = 0; i < 5; i++) {
                SearchRequestBuilder search = prepareSearch("{'query': {'simhash': {'id': 'a" + i + "'}}}", index)
                        .setRouting("a");
                Set<String> found = ids(search.get());
                assertTrue(found.toString(), found.containsAll(Set.of("a" + (i + 1) % 5, "a" + (i + 2) % 5)));
                assertEquals(
                        "wherever it is",
                        9,
                        ids(search.setRouting("a", "b").get()).size());
            }
            String named = "{'query': {'simhash': {'id': 'b1', 'index': '" + index + "', 'routing': 'b'}}}";
            assertTrue(ids(prepareSearch(named, index).setRouting("a").get()).containsAll(Set.of("a0", "a1", "a2")));
        }
    }

    public void testOnlyTheDocumentItselfIsLeftOutWhereOthersHaveItsId() {
        newIndex("docs", "{}", SHARDS, 1);
        for (int i = 0; i < 10; i++) {
            putSame("r" + i);
        }
        refresh("docs");
        for (int i = 0; i < 10; i++) {
            if (i % 2 == 0) {
                putSame("r" + i); // read from the translog, found as it was before
            }
            SearchResponse others = near("'id': 'same', 'routing': 'r" + i + "'", "docs");
            assertEquals(
                    "one on each of the other shards",
                    SHARDS - 1,
                    others.getHits().getHits().length);
        }
    }

    private static void putSame(String routing) {
        client().prepareIndex("docs")
                .setId("same")
                .setRouting(routing)
                .setSource("content", TEXT)
                .get();
    }

    public void testTheRoutingOfASearchedAlias() {
        newIndex("docs", "{'_routing': {'required': true}}", SHARDS, 1);
        for (String tenant : List.of("a", "b")) {
            assertAcked(client().admin()
                    .indices()
                    .prepareAliases()
                    .addAliasAction(
                            AliasActions.add().index("docs").alias(tenant).routing(tenant)));
            for (int i = 0; i < 5; i++) {
                put(tenant, tenant + i, "content", TEXT);
            }
        }
        refresh("docs");
        for (int i = 0; i < 5; i++) {
            Set<String> found = ids(near("'id': 'a" + i + "'", "a"));
            assertTrue(found.toString(), found.containsAll(Set.of("a" + (i + 1) % 5, "a" + (i + 2) % 5)));
            assertEquals(
                    "each where it is",
                    9,
                    ids(near("'id': 'a" + i + "'", "a", "b")).size());
        }
        assertRefused(404, "[id] document [a7] not found in [docs]", () -> near("'id': 'a7'", "a", "b"));
        for (int i = 0; i < 5; i++) {
            QueryBuilder query = query("{'simhash': {'id': 'a" + i + "'}}");
            assertTrue(client().prepareExplain("a", "a" + (i + 1) % 5)
                    .setRouting("a")
                    .setQuery(query)
                    .get()
                    .isMatch());
            assertTrue(client().admin()
                    .indices()
                    .prepareValidateQuery("a")
                    .setQuery(query)
                    .get()
                    .isValid());
        }
    }

    public void testSeveralFingerprintsInOneDocumentCountByTheNearest() {
        smallIndex("docs", "index.default_pipeline", "_none");
        putAll(
                "docs",
                Map.of(
                        "both",
                                Map.of(
                                        "simhash",
                                        List.of(
                                                Map.of("hash", "000000000000000f", "bits", 15),
                                                Map.of("hash", "f000000000000000", "bits", -1152921504606846976L))),
                        "one", Map.of("simhash", Map.of("hash", "000000000000000e", "bits", 14)),
                        "other", Map.of("simhash", Map.of("bits", -1152921504606846975L)),
                        "far", Map.of("simhash", Map.of("bits", 0x00ffff0000000000L))));
        assertEquals(Map.of("one", 1 - 1 / 64f, "other", 1 - 1 / 64f), scores(near("'id': 'both'", "docs")));
        assertEquals(
                "by bits where no hash is stored", Map.of("both", 1 - 1 / 64f), scores(near("'id': 'other'", "docs")));
    }

    public void testADocumentOfMoreFingerprintsThanAQueryMayHaveClauses() {
        smallIndex("plain");
        List<Object> fingerprints = new ArrayList<>();
        for (int i = 0; i < 1100; i++) {
            fingerprints.add(Map.of("bits", i));
        }
        putAll(
                "plain",
                Map.of(
                        "many", Map.of("simhash", fingerprints, "content", "one"),
                        "near", Map.of("simhash", Map.of("bits", 1L << 40), "content", "one"),
                        "far", Map.of("simhash", Map.of("bits", -1), "content", "one")));
        Map<String, Float> expected = Map.of("many", 1f, "near", 1 - 1 / 64f);
        String query = "{'simhash': {'id': 'many', 'include_self': true}}";
        assertEquals(expected, scores(search("{'query': " + query + ", 'profile': true, 'explain': true}", "plain")));
        assertEquals(
                Set.of("many", "near"),
                ids(search(
                        "{'query': {'bool': {'filter': [" + query + ", {'match': {'content': 'one'}}]}}"
                                + ", 'highlight': {'fields': {'content': {}}}}",
                        "plain")));
        assertEquals(
                Map.of("many", 1f, "near", 1f),
                scores(near(
                        "'id': 'many', 'include_self': true, 'verify': {'field': 'content'}, 'max_distance': 3",
                        "plain")));
    }

    public void testAFingerprintUnderNamesWithDots() {
        smallIndex("plain");
        putAll(
                "plain",
                Map.of(
                        "dotted", Map.of("simhash.bits", 5, "simhash.digest", "d", "simhash.scheme", "v1-a"),
                        "near", Map.of("simhash", Map.of("bits", 7, "scheme", "v1-a")),
                        "other", Map.of("simhash", Map.of("bits", 7, "scheme", "v1-b"))));
        assertEquals(Set.of("near"), ids(near("'id': 'dotted'", "plain")));
    }

    /** Each fingerprint is a query of its own, all of which a search opens at once. */
    public void testTheQueriesOfManyFingerprintsAreOnTheAccount() {
        smallIndex("plain");
        List<Object> fingerprints = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            fingerprints.add(Map.of("bits", i));
        }
        Map<String, Map<String, Object>> documents = new HashMap<>();
        documents.put("many", Map.of("simhash", fingerprints));
        documents.put("few", Map.of("simhash", Map.of("bits", 1)));
        for (int i = 1; i < 20; i++) {
            documents.put("far-" + i, Map.of("simhash", Map.of("bits", -i)));
        }
        putAll("plain", documents);
        limitRequests("5mb");
        try {
            assertEquals(Set.of("many"), ids(near("'id': 'few'", "plain")));
            SearchPhaseExecutionException refused =
                    expectThrows(SearchPhaseExecutionException.class, () -> near("'id': 'many'", "plain"));
            assertEquals(RestStatus.TOO_MANY_REQUESTS, refused.status());
            limitRequests("50mb");
            String explained =
                    "{'query': {'simhash': {'id': 'many', 'max_distance': 64}}, 'explain': true, 'size': 20}";
            assertEquals(
                    "on the account once, not for each hit",
                    20,
                    ids(search(explained, "plain")).size());
        } finally {
            limitRequests(null);
            forgetWarningsOfBreakers();
        }
        assertEquals(Set.of("few"), ids(near("'id': 'many'", "plain")));
        for (CircuitBreakerService breakers : internalCluster().getInstances(CircuitBreakerService.class)) {
            assertEquals(0, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed());
        }
    }

    public void testNamesWithDateMathInAnotherTimeZoneAreOfThisCluster() {
        smallIndex("docs-2024.01.01");
        putAll("docs-2024.01.01", Map.of("1", Map.of("content", TEXT), "2", Map.of("content", TEXT)));
        String name = "<docs-{2024.01.01||/d{yyyy.MM.dd|+02:00}}>";
        assertEquals(2, search("{'query': {'match_all': {}}}", name).getHits().getHits().length);
        assertEquals(Set.of("2"), ids(near("'id': '1'", name)));
        assertEquals(Set.of("1", "2"), ids(near("'text': '" + TEXT + "'", name)));
        assertEquals(Set.of("1", "2"), ids(near("'document': {'content': '" + TEXT + "'}", name)));
    }

    public void testAnIndexThatCannotBeAskedHidesNoDocumentOfAnother() {
        smallIndex("docs-a");
        newIndex("docs-b", "{'_routing': {'required': true}}", 1, 0);
        put("docs-a", "17", "content", TEXT);
        put("docs-a", "18", "content", TEXT);
        refresh("docs-a");
        assertEquals(Set.of("18"), ids(near("'id': '17'", "docs-*")));
        Exception e = expectThrows(RoutingMissingException.class, () -> near("'id': '19'", "docs-*"));
        assertEquals("routing is required for [docs-b]/[19]", e.getMessage());
    }

    public void testWhatIsNotThereIsNotFound() {
        smallIndex("docs-a");
        smallIndex("docs-b");
        assertRefused(404, "[id] document [17] not found in [docs-a, docs-b]", () -> near("'id': '17'", "docs-*"));
        assertRefused(
                404, "[id] document [17] not found in [docs-a]", () -> near("'id': '17', 'index': 'docs-a'", "docs-b"));
        assertRefused(404, "no such index [nowhere]", () -> near("'id': '17', 'index': 'nowhere'", "docs-a"));
        assertRefused(
                404,
                "[id] document [17] not found: no index of this cluster is searched; set [index]",
                () -> near("'id': '17'", "nowhere*"));
    }

    public void testADocumentWithoutFingerprintCannotBeTheSource() {
        newIndex(
                "docs",
                "{'properties': {'simhash': {'type': 'object', 'enabled': false}}}",
                1,
                0,
                "index.default_pipeline",
                "_none");
        String none = "has no fingerprint in [simhash] of its _source";
        assertCannotBeTheSource(none, Map.of("content", TEXT));
        assertCannotBeTheSource(none, Map.of("simhash", "a text"));
        assertCannotBeTheSource(none, Map.of("simhash", Map.of()));
        assertCannotBeTheSource(none, Map.of("simhash", List.of()));
        assertCannotBeTheSource(none, Map.of("simhash", Map.of("features", 3)));
        assertCannotBeTheSource(none, Map.of("simhash", Map.of("hash", 17, "digest", 4, "bits", 0.5)));
        assertCannotBeTheSource(
                "has a malformed hash in [simhash]: 9F2C", Map.of("simhash", Map.of("hash", "9F2C", "digest", "d")));
    }

    public void testASourceThatLeavesFingerprintsOutIsNamed() {
        int index = 0;
        for (String source :
                List.of("'excludes': ['simhash']", "'excludes': ['simhash.*']", "'includes': ['content']")) {
            String name = "docs-" + index++;
            newIndex(name, "{'_source': {" + source + "}}", 1, 0, "index.default_pipeline", "fingerprint");
            putAll(name, Map.of("1", Map.of("content", TEXT)));
            assertRefused(
                    400,
                    "[id] document [1] of index [" + name
                            + "] has no fingerprint in [simhash] of its _source, which the"
                            + " mapping leaves it out of: use [hash]",
                    () -> near("'id': '1'", name));
            assertEquals(Set.of("1"), ids(near("'text': '" + TEXT + "'", name)));
        }
        newIndex(
                "docs-hash",
                "{'_source': {'includes': ['simhash.hash']}}",
                1,
                0,
                "index.default_pipeline",
                "fingerprint");
        putAll("docs-hash", Map.of("1", Map.of("content", TEXT)));
        assertEquals(Set.of("1"), ids(near("'id': '1', 'include_self': true", "docs-hash")));
    }

    private void assertCannotBeTheSource(String why, Map<String, ?> source) {
        client().prepareIndex("docs").setId("1").setSource(source).get();
        assertRefused(400, "[id] document [1] of index [docs] " + why, () -> near("'id': '1'", "docs"));
    }

    public void testWithoutSourceOtherSourcesServe() {
        newIndex("sourceless", "{'_source': {'enabled': false}}", 1, 0, "index.default_pipeline", "fingerprint");
        putAll("sourceless", Map.of("1", Map.of("content", TEXT)));
        assertRefused(
                400,
                "[id] document [1] of index [sourceless] keeps no _source, from which [simhash] could be read: use [hash]",
                () -> near("'id': '1'", "sourceless"));
        assertEquals(Set.of("1"), ids(near("'text': '" + TEXT + "'", "sourceless")));
    }

    private void alias(String alias, String... indices) {
        assertAcked(client().admin()
                .indices()
                .prepareAliases()
                .addAliasAction(AliasActions.add().indices(indices).alias(alias)));
    }
}
