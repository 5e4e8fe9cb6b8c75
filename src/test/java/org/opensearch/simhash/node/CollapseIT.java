/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link CollapseCases} on one node, and {@code collapse_near_duplicates} beside what else a search may ask for; what it
 * refuses, and what it does where there are no fingerprints.
 */
@RealNodes(1)
class CollapseIT extends CollapseCases {

    private static final String SIDE = "{'collapse_near_duplicates':{'max_distance':10}}";
    private static final String DISTINCT =
            "'search_pipeline':{'request_processors':[" + SIDE + "],'response_processors':[" + SIDE + "]}";
    private static final String PREFIX = "[collapse_near_duplicates] ";

    CollapseIT(RealCluster cluster) {
        super(cluster, 1, 0);
    }

    static Stream<Arguments> besides() {
        return cases(
                "'_source':false", "_source",
                "'_source':['title']", "_source.title",
                "'stored_fields':['_source']", "_source.title",
                "'docvalue_fields':['simhash.bits','simhash.scheme']", "fields",
                "'fields':['title','simhash.hash']", "fields",
                "'script_fields':{'one':{'script':'1'}}", "fields",
                "'rescore':{'window_size':50,'query':{'rescore_query':{'match':{'content':'deploy'}}}}", "_score",
                "'collapse':{'field':'version','inner_hits':{'name':'same','size':3}}", "inner_hits",
                "'sort':[{'version':'desc'},{'simhash.bits':'asc'}]", "sort",
                "'min_score':0.5,'explain':true", "_explanation",
                "'post_filter':{'range':{'version':{'gte':1}}}", "_score",
                "'profile':true,'track_total_hits':false", "_score",
                "'terminate_after':100,'timeout':'10s'", "_score",
                "'ext':{'simhash':{'evidence':true}}", "_score");
    }

    /** Each with what its hits must or, for {@code _source: false}, must not have. */
    @ParameterizedTest
    @MethodSource("besides")
    void testWorksBeside(String option, String part) {
        worksBeside(option, part, option + "," + DISTINCT);
        worksBeside(
                option,
                part,
                option.contains("'ext'")
                        ? option.replace("true", "true,'distinct':{'max_distance':10}")
                        : option + ",'ext':{'simhash':{'distinct':{'max_distance':10}}}");
    }

    private void worksBeside(String option, String part, String both) {
        String query = "'query':{'match':{'content':'astro site'}},";
        Answer collapsed = search("{" + query + both + "}");
        Answer plain = search("{" + query + option + ",'size':" + collapsed.number("ext.simhash.window") + "}");
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        plain.hits().forEach(hit -> found.put((String) hit.get("_id"), hit));
        Set<String> listed = new HashSet<>();
        for (Map<String, Object> hit : collapsed.hits()) {
            Map<String, Object> same = found.get(hit.get("_id"));
            listed.addAll(hidden(hit).keySet());
            assertEquals(option.equals("'_source':false"), Json.at(hit, part) == null, hit.toString());
            assertEquals(same, without(hit), option);
        }
        assertTrue(listed.isEmpty() == false, collapsed.text());
        assertTrue(found.keySet().containsAll(listed));
        assertEquals(plain.at("hits.total"), collapsed.at("hits.total"));
        assertEquals(plain.at("profile") == null, collapsed.at("profile") == null);
        long hidden = collapsed.number("ext.simhash.hidden");
        assertEquals(plain.hits().size() - hidden, collapsed.number("ext.simhash.distinct"));
    }

    @Test
    void testWithoutStoredFieldsHitsHaveNoIdsAndTheListsNeither() {
        Answer collapsed = search("{'query':{'match':{'content':'astro'}},'stored_fields':'_none_'," + DISTINCT + "}");
        assertTrue(collapsed.number("ext.simhash.hidden") > 0);
        assertNull(collapsed.at("hits.hits.0._id"));
        assertTrue(collapsed.toString().contains("_near_duplicates"));
        assertEquals(-1, collapsed.toString().indexOf("\"_id\""), collapsed.toString());
    }

    @Test
    void testWhatOpenSearchWouldIgnoreIsRefused() {
        String search = json("{'ext':{'simhash':{'distinct':{}}}}");
        factories();
        try {
            for (String path : List.of("/" + INDEX + "/_search", "/" + INDEX + "/_search?scroll=1m")) {
                Answer refused = client.send("POST", path, search);
                assertEquals(400, refused.status(), refused.text());
                assertEquals(
                        "[distinct] must be switched on with the cluster setting"
                                + " [cluster.search.enabled_system_generated_factories], which must have"
                                + " [simhash_distinct] or [*], got: []",
                        refused.string("error.reason"));
            }
            Answer several = client.must("POST", "/_msearch", "{\"index\":\"" + INDEX + "\"}\n" + search + "\n");
            assertEquals(400, several.number("responses.0.status"), several.text());
        } finally {
            factories("simhash_distinct");
        }
        Answer scroll = client.send("POST", "/" + INDEX + "/_search?scroll=1m", search);
        assertEquals(400, scroll.status(), scroll.text());
        assertTrue(scroll.text().contains("[distinct] works on pages and not on a [scroll]"), scroll.text());
        Answer verbose = client.must("POST", "/" + INDEX + "/_search?verbose_pipeline=true", search);
        assertTrue(verbose.number("ext.simhash.hidden") > 0, verbose.text());
    }

    @Test
    void testFingerprintsThatTheUserAskedForStay() {
        String asked = "'docvalue_fields':['simhash._fingerprint','simhash.bits']";
        Answer answer = search("{'query':{'match':{'content':'astro'}}," + asked + "," + DISTINCT + "}");
        assertEquals(10, answer.hits().size());
        for (Map<String, Object> hit : answer.hits()) {
            Map<?, ?> fields = (Map<?, ?>) hit.get("fields");
            Object fingerprint = ((List<?>) fields.get("simhash._fingerprint")).getFirst();
            assertTrue(fields.get("simhash.bits") instanceof List<?> bits && bits.size() == 1, hit.toString());
            assertEquals(fields.get("simhash.bits"), Json.at(fingerprint, "values"));
        }
    }

    @Test
    void testSearchAfterAndPointInTimeCollapseEachPage() {
        String pit = client.must("POST", "/" + INDEX + "/_search/point_in_time?keep_alive=1m", null)
                .string("pit_id");
        String rest = "'query':{'match':{'content':'astro'}},'sort':['_score',{'_shard_doc':'asc'}],'size':10,"
                + "'pit':{'id':'" + pit + "','keep_alive':'1m'}";
        Answer all = client.must("POST", "/_search", json("{" + rest.replace("'size':10", "'size':10000") + "}"));
        List<String> ids = new ArrayList<>();
        String after = "";
        for (int page = 0; page < 3; page++) {
            Answer answer = client.must("POST", "/_search", json("{" + rest + after + "," + DISTINCT + "}"));
            assertEquals(pit, answer.string("pit_id"));
            int at = ids.isEmpty() ? 0 : all.ids().indexOf(ids.getLast()) + 1;
            var window = new RankedHits(all.hits().subList(at, all.hits().size())).first(30);
            List<String> distinct = List.copyOf(window.collapse(10).keySet());
            assertEquals(distinct.subList(0, Math.min(10, distinct.size())), answer.ids());
            ids.addAll(answer.ids());
            Map<String, Object> last = answer.hits().getLast();
            after = ",'search_after':"
                    + Json.write(Map.of("a", last.get("sort"))).replaceAll("^\\{\"a\":|\\}$", "");
        }
        client.must("DELETE", "/_search/point_in_time", json("{'pit_id':['" + pit + "']}"));
    }

    @Test
    void testVerbosePipelinesAndOtherProcessorsWork() {
        String query = "{'query':{'match':{'content':'astro'}},'size':4,'_source':['title','version'],";
        String rename = "{'rename_field':{'field':'title','target_field':'headline'}}";
        String pipeline = DISTINCT.replace("'response_processors':[", "'response_processors':[" + rename + ",");
        Answer plain = search(query + DISTINCT + "}");
        Answer verbose = search(query + "'verbose_pipeline':true," + pipeline + "}");
        assertEquals(plain.ids(), verbose.ids());
        assertEquals(plain.at("ext"), verbose.at("ext"));
        assertEquals(3, ((List<?>) verbose.at("processor_results")).size(), verbose.text());
        for (int i = 0; i < 3; i++) {
            assertEquals("success", verbose.at("processor_results." + i + ".status"));
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(
                    Json.at(plain.hits().get(i), "_source.title"),
                    Json.at(verbose.hits().get(i), "_source.headline"));
        }
    }

    @Test
    void testNothingToCollapse() {
        Answer none = search("{'size':0,'aggs':{'n':{'value_count':{'field':'version'}}}," + DISTINCT + "}");
        assertEquals(0, none.hits().size());
        assertEquals(404, none.number("aggregations.n.value"));
        assertEquals(
                Map.of("window", 0, "hits", 0, "distinct", 0, "hidden", 0, "kept_apart", 0, "window_exhausted", false),
                none.at("ext.simhash"));
        Answer noMatch = search("{'query':{'match':{'content':'xyzzy'}}," + DISTINCT + "}");
        assertEquals(0, noMatch.number("ext.simhash.hits"));
        Answer behind = search("{'query':{'match':{'content':'astro'}},'from':2000," + DISTINCT + "}");
        assertEquals(0, behind.hits().size());
        assertEquals(false, behind.at("ext.simhash.window_exhausted"));
        Answer suggest = search("{'suggest':{'s':{'text':'astr','term':{'field':'content'}}}," + DISTINCT + "}");
        assertTrue(suggest.at("suggest.s") instanceof List);
    }

    @Test
    void testCompletionsDoNotShowFingerprints() {
        titled("plain-titles", "");
        String suggest = "{'suggest':{'s':{'prefix':'too','completion':{'field':'title'}}},";
        String other = DISTINCT.replaceFirst("10", "9").replace("}}]}", ",'ignore_failure':true}}]}");
        for (String pipeline : List.of(DISTINCT, other, DISTINCT + ",'query':{'match_none':{}}")) {
            Answer answer = client.must("POST", "/plain-titles/_search", json(suggest + pipeline + "}"));
            for (int option = 0; option < 2; option++) {
                String path = "suggest.s.0.options." + option;
                assertTrue(answer.at(path + "._id") != null, answer.text());
                assertNull(answer.at(path + ".fields"), answer.text());
            }
        }
        String asked = suggest + "'docvalue_fields':['simhash._fingerprint'],";
        Answer answer = client.must("POST", "/plain-titles/_search", json(asked + DISTINCT + "}"));
        assertTrue(answer.at("suggest.s.0.options.0.fields") != null, answer.text());
    }

    /** As docs/collapse.md says. */
    @Test
    void testInnerHitsOfACollapseByFieldAreSearchesOfTheirOwn() {
        client.must("PUT", "/_search/pipeline/plain-default", json(DISTINCT.replace("'search_pipeline':", "")));
        titled("plain-default", "'index.search.default_pipeline':'plain-default',");
        titled("plain-without", "");
        String search = "{'collapse':{'field':'group','inner_hits':{'name':'same'}}";
        String named = search + ",'search_pipeline':'plain-default'}";
        for (String body : List.of(named, search + "," + DISTINCT + "}")) {
            assertEquals(1, innerHits("plain-default", body), "by the index's default, whatever the search names");
            assertEquals(2, innerHits("plain-without", body));
        }
        assertEquals(1, innerHits("plain-default", search + "}"));
        client.must("DELETE", "/plain-default", null);
        client.must("DELETE", "/_search/pipeline/plain-default", null);
    }

    private int innerHits(String index, String body) {
        Answer answer = client.must("POST", "/" + index + "/_search", json(body));
        assertEquals(1, answer.hits().size(), answer.text());
        return ((List<?>) answer.at("hits.hits.0.inner_hits.same.hits.hits")).size();
    }

    /** Two short texts that are the same, whose titles complete {@code too}, in one group. */
    private void titled(String index, String settings) {
        client.must(
                "PUT",
                "/" + index,
                json("{'settings':{" + settings + "'default_pipeline':'fingerprint','number_of_shards':1},"
                        + "'mappings':{'properties':{'title':{'type':'completion'},'group':{'type':'integer'}}}}"));
        for (String text : List.of("Too short", "too SHORT")) {
            String document = Json.write(Map.of("content", text, "title", text, "group", 1));
            client.must("POST", "/" + index + "/_doc?refresh=true", document);
        }
    }

    @Test
    void testHitsWithoutFingerprintStay() {
        client.must("PUT", "/plain-unmapped", json("{'settings':{'index.query.parse.allow_unmapped_fields':false}}"));
        for (int i = 0; i < 3; i++) {
            client.must("PUT", "/plain-unmapped/_doc/" + i + "?refresh=true", "{\"content\":\"astro\"}");
        }
        assertEquals(
                3,
                client.must("POST", "/plain-unmapped/_search", json("{" + DISTINCT + "}"))
                        .hits()
                        .size());
        String both = "{'query':{'match':{'content':'astro'}},'size':500," + DISTINCT + "}";
        Answer mixed = client.must("POST", "/plain-unmapped," + INDEX + "/_search", json(both));
        assertEquals(3, mixed.ids().stream().filter(id -> id.length() == 1).count());
        assertTrue(mixed.number("ext.simhash.hidden") > 0);
        assertEquals(0, mixed.number("_shards.failed"));
    }

    @Test
    void testShortTextsCollapseByDigestAndDynamicMappingsWork() {
        client.must(
                "PUT", "/plain-dynamic", json("{'settings':{'default_pipeline':'fingerprint','number_of_shards':1}}"));
        String text =
                sample.documents().values().iterator().next().get("content").toString();
        List<String> texts = List.of("Too short", text, "too SHORT", text + " More.", "Short too");
        for (int i = 0; i < texts.size(); i++) {
            String document = Json.write(Map.of("content", texts.get(i), "rank", i));
            client.must("PUT", "/plain-dynamic/_doc/" + i + "?refresh=true", document);
        }
        Answer answer = client.must("POST", "/plain-dynamic/_search", json("{'sort':['rank']," + DISTINCT + "}"));
        assertEquals(List.of("0", "1", "4"), answer.ids());
        assertEquals(Map.of("2", 0), hidden(answer.hits().get(0)));
        assertEquals(Set.of("3"), hidden(answer.hits().get(1)).keySet());
        Map<?, ?> entry = (Map<?, ?>) Json.at(answer.hits().get(0), "fields._near_duplicates.0");
        assertEquals("plain-dynamic", entry.get("_index"));
        assertTrue(entry.containsKey("score") && entry.get("score") == null, "sorted by a field: no score");
        Answer alias = client.must(
                "POST",
                "/plain-dynamic," + INDEX + "/_search",
                json("{'size':500,'sort':['_index']," + DISTINCT + "}"));
        assertEquals(
                alias.number("hits.total.value"),
                alias.number("ext.simhash.distinct") + alias.number("ext.simhash.hidden"));
    }

    @Test
    void testTheWindowIsBoundedByTheIndex() {
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.max_result_window\":25}");
        try {
            String query = "{'query':{'match':{'content':'astro'}},";
            Answer bounded = search(query + DISTINCT + "}");
            assertEquals(25, bounded.number("ext.simhash.window"));
            assertEquals(25, bounded.number("ext.simhash.hits"));
            Answer last = search(query + "'from':15," + DISTINCT + "}");
            assertEquals(true, last.at("ext.simhash.window_exhausted"), last.text());
            assertRefused(
                    "Result window is too large, from + size must be less than or equal to: [25] but was [26]. See the"
                            + " scroll api for a more efficient way to request large data sets. This limit can be set"
                            + " by changing the [index.max_result_window] index level setting.",
                    query + "'from':16," + DISTINCT + "}");
            assertRefused(
                    "Result window is too large, from + size must be less than or equal to: [25] but was [2147483657]."
                            + " See the scroll api for a more efficient way to request large data sets. This limit can"
                            + " be set by changing the [index.max_result_window] index level setting.",
                    query + "'from':2147483647," + DISTINCT + "}");
        } finally {
            client.must("PUT", "/" + INDEX + "/_settings", "{\"index.max_result_window\":null}");
        }
    }

    static Stream<Arguments> refused() {
        String scroll = "works on pages and not on a [scroll], of which a search pipeline sees the first batch only;"
                + " use [from] and [size], or [search_after], got: scroll=1m";
        return cases(
                DISTINCT,
                "?scroll=1m",
                PREFIX + scroll,
                "'search_pipeline':{'request_processors':[" + SIDE + "]}",
                "",
                PREFIX + "must be in [response_processors] too when it is in [request_processors] of search pipeline"
                        + " of the request, got: []",
                "'search_pipeline':{'response_processors':[" + SIDE + "]}",
                "",
                PREFIX + "must be in [request_processors] too when it is in [response_processors] of a search"
                        + " pipeline, got: [response_processors] only",
                "'search_pipeline':{'request_processors':[" + SIDE + "," + SIDE + "],'response_processors':[" + SIDE
                        + "]}",
                "",
                PREFIX + "must be in [request_processors] once, got: more than once",
                "'size':1",
                "?search_pipeline=half",
                PREFIX + "must be in [response_processors] too when it is in [request_processors] of search pipeline"
                        + " [half], got: [truncate_hits]",
                DISTINCT.replace("'max_distance':10", "'max_distance':65"),
                "",
                "[max_distance] must be between 0 and 64, got: 65",
                DISTINCT.replace("'max_distance':10", "'field':'title'"),
                "",
                PREFIX
                        + "[simhash] [field] must be the object that the [simhash] processor writes, but [title] is of type"
                        + " [text]; map [title] as in the plugin's config/index-template.json",
                DISTINCT.replaceFirst("'max_distance':10", "'max_distance':3"),
                "",
                PREFIX + "[max_distance] must be the same in [request_processors] and [response_processors], got: 3"
                        + " and 10",
                "'from':1,'search_after':[1],'sort':['version']," + DISTINCT,
                "",
                PREFIX + "[from] must be 0 when [search_after] is given, got: 1");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void testIsRefused(String options, String parameters, String message) {
        // Before, the request does not say which pipeline it goes through.
        boolean isKnown = System.getProperty("node.version").compareTo("3.8") >= 0;
        assumeTrue(isKnown || message.contains("must be in [response_processors] too") == false);
        client.must(
                "PUT",
                "/_search/pipeline/half",
                json("{'request_processors':[" + SIDE
                        + "],'response_processors':[{'truncate_hits':{'target_size':1}}]}"));
        Answer answer = client.send("POST", "/" + INDEX + "/_search" + parameters, json("{" + options + "}"));
        client.must("DELETE", "/_search/pipeline/half", null);
        assertEquals(message, answer.reason(), answer.text());
        assertEquals(400, answer.status(), answer.text());
    }

    @Test
    void testPipelineWithABadOptionIsRefused() {
        for (var bad : Map.of(
                        "'max_distance':-1", "[max_distance] must be between 0 and 64, got: -1",
                        "'oversample':0.5", "[oversample] must be a factor of 1 or more, got: 0.5",
                        "'field':''", "[field] must name a field, got an empty name",
                        "'distance':1", "unknown option [distance], did you mean [max_distance]?")
                .entrySet()) {
            String pipeline = "{'request_processors':[{'collapse_near_duplicates':{" + bad.getKey() + "}}]}";
            Answer answer = client.send("PUT", "/_search/pipeline/bad", json(pipeline));
            assertEquals(bad.getValue(), answer.reason(), answer.text());
            assertEquals(400, answer.status());
        }
    }

    private Answer search(String body) {
        return client.must("POST", "/" + INDEX + "/_search", json(body));
    }

    private void assertRefused(String message, String body) {
        Answer answer = client.send("POST", "/" + INDEX + "/_search", json(body));
        assertEquals(message, answer.reason(), answer.text());
        assertEquals(400, answer.status());
    }

    /** The hit without what the processor added. */
    private static Map<String, Object> without(Map<String, Object> hit) {
        Map<String, Object> rest = new LinkedHashMap<>(hit);
        if (hit.get("fields") instanceof Map<?, ?> fields) {
            Map<Object, Object> others = new LinkedHashMap<>(fields);
            others.remove("_near_duplicates");
            rest.put("fields", others);
            if (others.isEmpty()) {
                rest.remove("fields");
            }
        }
        return rest;
    }

    private static String json(String json) {
        return json.replace('\'', '"');
    }

    /** Rows of as many columns as the test has parameters: the last of a row is the longest message. */
    private static Stream<Arguments> cases(String... cells) {
        int columns = cells[1].startsWith("?") || cells[1].isEmpty() ? 3 : 2;
        return IntStream.range(0, cells.length / columns)
                .mapToObj(row -> Arguments.of(List.of(cells)
                        .subList(row * columns, (row + 1) * columns)
                        .toArray()));
    }
}
