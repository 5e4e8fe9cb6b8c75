/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.TermsQueryBuilder;
import org.opensearch.index.reindex.UpdateByQueryAction;
import org.opensearch.index.reindex.UpdateByQueryRequest;
import org.opensearch.simhash.jobs.HookedClusterTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.script.DocumentScript;

/** What {@code check} says of documents that change, of fields that it cannot read, and of indices with small limits. */
public class CheckedDocumentsClusterTests extends HookedClusterTestCase {

    private static final String TEXT =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";

    private void index(String name, String settings, String mapping) {
        Settings.Builder all = Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .loadFromSource("{" + settings.replace('\'', '"') + "}", XContentType.JSON);
        client().admin()
                .indices()
                .prepareCreate(name)
                .setSettings(all)
                .setMapping(mapping.replace('\'', '"'))
                .get();
    }

    private static void put(String index, String id, Map<String, Object> source) {
        client().prepareIndex(index)
                .setId(id)
                .setSource(source)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private static void tagged(String index, String id, Object survivors) {
        Map<String, Object> print = new HashMap<>(print(0xFF, "a"));
        print.put("duplicate_of", survivors);
        put(index, id, Map.of("simhash", print));
    }

    private static Map<String, Object> print(long bits, String digest) {
        String hash = String.format(Locale.ROOT, "%016x", bits);
        Map<String, Object> print = new HashMap<>(Map.of("hash", hash, "bits", bits, "digest", digest, "scheme", "a"));
        for (int i = 0; i < 4; i++) {
            print.put("segment_" + i, hash.substring(4 * i, 4 * i + 4));
        }
        return print;
    }

    private static List<Map<?, ?>> findings(int texts, String... indices) {
        return findings("simhash", texts, indices);
    }

    private static List<Map<?, ?>> findings(String field, int texts, String... indices) {
        Object found = client().execute(CheckAction.INSTANCE, new CheckAction.Request(indices, field, 10_000, texts))
                .actionGet()
                .asMap()
                .get("findings");
        List<Map<?, ?>> findings = new ArrayList<>();
        ((List<?>) found).forEach(finding -> findings.add((Map<?, ?>) finding));
        return findings;
    }

    private static List<Map<?, ?>> findings(String code, String... indices) {
        return findings(100, indices).stream()
                .filter(finding -> finding.get("code").equals(code))
                .toList();
    }

    /** A page of ids may have more hits than one of the indices allows. */
    public void testSurvivorsAreFoundBehindASmallResultWindow() {
        index("few", "'index.max_result_window': 3", "{}");
        index("fewer", "'index.max_result_window': 2", "{}");
        for (int i = 0; i < 7; i++) {
            put("fewer", "s" + i, Map.of("n", i));
        }
        tagged("few", "1", List.of("s0", "s1", "s2", "s3", "s4", "s5", "s6"));
        assertEquals(List.of(), findings("dangling_tag", "few", "fewer"));
        assertEquals(List.of(), findings("not_searchable", "few", "fewer"));

        client().prepareDelete("fewer", "s5")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        List<Map<?, ?>> dangling = findings("dangling_tag", "few", "fewer");
        assertEquals(1, dangling.size());
        String message = (String) dangling.getFirst().get("message");
        assertTrue(message, message.contains("does not exist any more: s5;"));
    }

    /** The filter of an alias hides documents of its other indices. */
    public void testAnAliasWithAFilterHidesNoSurvivor() {
        index("one", "", "{}");
        index("other", "", "{}");
        put("other", "s", Map.of("n", 1));
        tagged("one", "1", "s");
        client().admin()
                .indices()
                .prepareAliases()
                .addAlias(new String[] {"one", "other"}, "both", "{\"term\": {\"n\": 2}}")
                .get();
        assertEquals(List.of(), findings("dangling_tag", "one"));
    }

    private static void member(String index, String id, String group, String survivor) {
        Map<String, Object> print = new HashMap<>(print(0xFF, "a"));
        print.put("group", group);
        if (survivor != null) {
            print.put("duplicate_of", survivor);
        }
        print.values().removeIf(Objects::isNull);
        put(index, id, Map.of("simhash", print));
    }

    private static final String TAGS =
            "{'properties': {'simhash': {'properties': {'group': {'type': 'keyword'}, 'duplicate_of': {'type': 'keyword'}}}}}";

    public void testMembersOfAGroupThatDisagreeAreFoundAndMended() {
        pipeline("checked", "{'processors': [{'near_duplicate': {'groups': 'all', 'max_distance': 2}}]}");
        index("agreed", "'index.default_pipeline': 'checked'", TAGS);
        for (String id : List.of("1", "2", "3")) {
            put("agreed", id, Map.of("simhash", print(0xFF, "0123456789abcdef0123456789abcdef")));
        }
        assertEquals(List.of(), findings("group_disagrees", "agreed"));

        index("disagree", "'index.default_pipeline': 'checked'", TAGS);
        client().admin()
                .indices()
                .prepareUpdateSettings("disagree")
                .setSettings(Map.of("index.default_pipeline", "_none"))
                .get();
        Map<String, Runnable> ways = new LinkedHashMap<>();
        ways.put("two survivors", () -> member("disagree", "2", "g", null));
        ways.put("another group", () -> member("disagree", "1", "h", null));
        ways.put("no group", () -> member("disagree", "1", null, null));
        ways.put("a duplicate", () -> member("disagree", "1", "g", "2"));
        ways.forEach((what, way) -> {
            member("disagree", "1", "g", null);
            member("disagree", "2", "g", "1");
            member("disagree", "3", "g", "1");
            assertEquals(what, List.of(), findings("group_disagrees", "disagree"));
            way.run();
            client().admin()
                    .indices()
                    .prepareUpdateSettings("disagree")
                    .setSettings(Map.of("index.default_pipeline", "checked"))
                    .get();
            List<Map<?, ?>> found = findings("group_disagrees", "disagree");
            assertEquals(what, 1, found.size());
            String mend = (String) found.getFirst().get("mend");
            assertTrue(mend, mend.startsWith("POST /_plugins/_simhash/deduplicate/disagree\n{"));
            for (String option : List.of("\"action\" : \"tag\"", "\"max_distance\" : 2", "\"groups\" : \"all\"")) {
                assertTrue(mend, mend.contains(option));
            }
            client().admin()
                    .indices()
                    .prepareUpdateSettings("disagree")
                    .setSettings(Map.of("index.default_pipeline", "_none"))
                    .get();
        });
        // What does not exist is another finding.
        member("disagree", "1", "g", null);
        member("disagree", "2", "g", "gone");
        assertEquals(List.of(), findings("group_disagrees", "disagree"));
        assertEquals(1, findings("dangling_tag", "disagree").size());
    }

    private static final String TAGS_AND_APART = TAGS.replace("'group'", "'apart': {'type': 'keyword'}, 'group'");

    public void testDocumentsWithoutAStoryAreFoundWhereOthersHaveOne() {
        index("stories", "", TAGS);
        for (String id : List.of("1", "2", "3")) {
            member("stories", id, null, null);
        }
        assertEquals("nothing was ever tagged", List.of(), findings("group_missing", "stories"));
        member("stories", "1", "g", null);
        member("stories", "2", "g", "1");
        assertEquals("only duplicates have groups", List.of(), findings("group_missing", "stories"));
        member("stories", "4", "h", null);
        List<Map<?, ?>> found = findings("group_missing", "stories");
        assertEquals(1, found.size());
        assertEquals(
                "1 of 4 documents (25 %) have no [simhash.group], though others have stories: [collapse] shows all of them"
                        + " as one",
                found.getFirst().get("message"));
        String mend = (String) found.getFirst().get("mend");
        assertTrue(mend, mend.startsWith("POST /_plugins/_simhash/deduplicate/stories\n{"));
        assertTrue(mend, mend.contains("\"groups\" : \"all\""));
        member("stories", "3", "i", null);
        assertEquals(List.of(), findings("group_missing", "stories"));
    }

    private static void apart(String index, String id, Object names) {
        Map<String, Object> print = new HashMap<>(print(0xFF, "a"));
        print.values().removeIf(Objects::isNull);
        print.put("apart", names);
        put(index, id, Map.of("simhash", print));
    }

    public void testDocumentsThatAreNotNamedBackAreFound() {
        index("sides", "", TAGS_AND_APART);
        apart("sides", "1", List.of("2", "3", "gone"));
        apart("sides", "2", "1");
        apart("sides", "3", List.of("1"));
        assertEquals(List.of(), findings("apart_one_sided", "sides"));
        apart("sides", "3", List.of());
        List<Map<?, ?>> found = findings("apart_one_sided", "sides");
        assertEquals(1, found.size());
        String message = (String) found.getFirst().get("message");
        assertTrue(message, message.contains("some are not named back: 1; the text of one has changed"));
        String mend = (String) found.getFirst().get("mend");
        assertTrue(mend, mend.contains("removeAll(params[ctx._id])"));
        assertFalse("it names 2 and gone still", mend.contains("\"2\""));
    }

    public void testGroupsHaveAPlace() {
        pipeline(
                "checked",
                "{'processors': [{'simhash': {'field': 'content'}}, {'near_duplicate': {'groups': 'all'}}]}");
        index(
                "strict-50%",
                "'index.default_pipeline': 'checked'",
                "{'dynamic': 'strict', 'properties': {'content': {'type': 'text'}, 'near_duplicate': {'type': 'object',"
                        + " 'dynamic': true}, 'simhash': {'properties': {'hash': {'type': 'keyword'}}}}}");
        List<Map<?, ?>> refused = findings("strict_mapping", "strict-50%");
        assertEquals(refused.toString(), 1, refused.size());
        String message = (String) refused.getFirst().get("message");
        assertTrue(message, message.contains("group") && message.contains("duplicate_of"));
        // One mend maps all.
        String mend = (String)
                findings("mapping_not_dynamic", "strict-50%").getFirst().get("mend");
        assertTrue(mend, mend.startsWith("PUT /strict-50%25/_mapping\n"));
        assertTrue(mend, mend.contains("\"group\"") && mend.contains("\"duplicate_of\""));
    }

    public void testADocumentThatChangesMeanwhileDoesNotEndTheSample() {
        pipeline("checked", "{'processors': [{'simhash': {'field': 'content'}}]}");
        index("moving", "", "{}");
        for (int i = 0; i < 6; i++) {
            Map<String, Object> rounded = print(0xFF00FF00FF00FF00L, "a");
            rounded.put("bits", 1L);
            put("moving", "" + i, Map.of("simhash", rounded));
        }
        client().admin()
                .indices()
                .prepareUpdateSettings("moving")
                .setSettings(Map.of("index.default_pipeline", "checked"))
                .get();
        AtomicBoolean isChanged = new AtomicBoolean();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && search.source() != null
                    && search.source().query() instanceof TermsQueryBuilder bySeqNo
                    && bySeqNo.fieldName().equals("_seq_no")
                    && bySeqNo.values().size() == 1
                    && isChanged.compareAndSet(false, true)) {
                put("moving", bySeqNo.values().getFirst().toString(), Map.of("content", TEXT));
            }
            return null;
        });
        List<Object> codes = new ArrayList<>();
        findings(1, "moving").forEach(finding -> codes.add(finding.get("code")));
        assertTrue(isChanged.get());
        assertTrue(codes.toString(), codes.contains("rounded_bits"));
    }

    /** A node refuses a bulk that takes a tenth of its heap. */
    public void testLargeDocumentsAreWrittenFewAtATime() {
        String raw = "'raw': {'type': 'object', 'enabled': false}";
        pipeline("checked", "{'processors': [{'simhash': {'field': 'content'}}]}");
        index("large", "", TAGS_AND_APART.replace("'simhash'", raw + ", 'simhash'"));
        index("wrong", "", "{'properties': {" + raw + ", 'simhash': {'properties': {'bits': {'type': 'keyword'}}}}}");
        for (int i = 0; i < 9; i++) {
            Map<String, Object> document = new HashMap<>(Map.of("raw", Map.of("data", "x".repeat(1 << 20))));
            put("wrong", "" + i, document);
            document.put("content", TEXT);
            if (i < 2) {
                Map<String, Object> print = print(0xFF, "a");
                print.put("apart", i == 0 ? List.of("1") : List.of());
                document.put("simhash", print);
            }
            put("large", "" + i, document);
        }
        client().admin()
                .indices()
                .prepareUpdateSettings("large")
                .setSettings(Map.of("index.default_pipeline", "checked"))
                .get();
        Map.of(
                        "not_fingerprinted", "/large/_update_by_query?pipeline=checked",
                        "apart_one_sided", "/large/_update_by_query?pipeline=_none")
                .forEach((code, request) -> {
                    String mend = (String) findings(code, "large").getFirst().get("mend");
                    String sized = "POST " + request + "&conflicts=proceed&refresh=true&scroll_size=7\n";
                    assertTrue(mend, mend.startsWith(sized));
                });
        String copy = (String) findings("mapping_wrong", "wrong").getFirst().get("mend");
        assertTrue(copy, copy.contains("\"size\" : 7"));

        List<Integer> pages = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && search.scroll() != null) {
                pages.add(search.source().size());
            }
            return null;
        });
        UpdateByQueryRequest mending = new UpdateByQueryRequest("large", "wrong");
        mending.setScript(DocumentScript.mend("simhash"));
        client().execute(UpdateByQueryAction.INSTANCE, mending).actionGet();
        assertEquals(List.of(7), pages);
    }

    public void testAFieldThatCannotBeReadIsNotMissing() {
        pipeline(
                "checked",
                "{'processors': [{'simhash': {'field': 'content'}},"
                        + " {'near_duplicate': {'verify': {'field': 'content'}}}]}");
        index(
                "hidden",
                "'index.default_pipeline': 'checked'",
                "{'_source': {'excludes': ['content']}, 'properties': {'content': {'type': 'text', 'index': false,"
                        + " 'store': true}}}");
        put("hidden", "1", Map.of("content", TEXT));
        assertEquals(List.of(), findings("field_missing", "hidden"));
        assertEquals(List.of(), findings("verify_field", "hidden"));
    }

    /** A pipeline sees documents before the mapping copies fields, or names them in other ways. */
    public void testAFieldThatIsFilledLaterIsMissing() {
        for (String field : List.of("all", "other", "content.raw")) {
            pipeline("checked", "{'processors': [{'simhash': {'field': '" + field + "', 'ignore_missing': true}}]}");
            index(
                    "copied",
                    "'index.default_pipeline': 'checked'",
                    "{'properties': {'content': {'type': 'text', 'copy_to': 'all', 'fields': {'raw': {'type':"
                            + " 'keyword'}}}, 'all': {'type': 'text'}, 'other': {'type': 'alias', 'path': 'content'}}}");
            put("copied", "1", Map.of("content", TEXT));
            assertEquals(field, 1, findings("field_missing", "copied").size());
            client().admin().indices().prepareDelete("copied").get();
        }
    }

    private static String mend(String code, String index) {
        List<Map<?, ?>> found = findings(code, index);
        assertEquals(1, found.size());
        return (String) found.getFirst().get("mend");
    }

    /** The condition stands around the call of the pipeline that writes. */
    public void testDocumentsThatAConditionLeavesOutAreNotMissing() {
        pipeline("prints", "{'processors': [{'simhash': {'field': 'content', 'ignore_missing': true}}]}");
        pipeline("calls", "{'processors': [{'pipeline': {'name': 'prints', 'if': 'ctx.lang != null'}}]}");
        for (String setting : List.of("default", "final")) {
            String index = "called-" + setting;
            index(index, "'index." + setting + "_pipeline': 'calls'", "{}");
            put(index, "1", Map.of("content", TEXT, "lang", "en"));
            put(index, "2", Map.of("content", TEXT));
            assertEquals(List.of(), findings("not_fingerprinted", index));
        }
        client().prepareIndex("called-default")
                .setId("3")
                .setPipeline("_none")
                .setSource(Map.of("content", TEXT, "lang", "en"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertEquals(
                "Run those that the condition around the call of [prints] lets in through that pipeline. It would not"
                        + " leave out the others.",
                mend("not_fingerprinted", "called-default"));
    }

    /** The interval of an index that has none is that of the cluster. */
    public void testTheRefreshIntervalOfTheClusterCounts() {
        pipeline("compares", "{'processors': [{'simhash': {'field': 'content'}}, {'near_duplicate': {}}]}");
        index("by-cluster", "'index.default_pipeline': 'compares'", "{}");
        index("by-itself", "'index.default_pipeline': 'compares', 'index.refresh_interval': '1s'", "{}");
        assertEquals(List.of(), findings("window_shorter_than_refresh", "by-cluster", "by-itself"));
        refreshEvery("90s");
        try {
            List<Map<?, ?>> found = findings("window_shorter_than_refresh", "by-cluster", "by-itself");
            assertEquals(
                    List.of("by-cluster"),
                    found.stream().map(finding -> finding.get("index")).toList());
            assertTrue("" + found, ("" + found).contains("the index is refreshed every [1.5m]"));
            refreshEvery("-1");
            String drop = "{'processors': [{'near_duplicate': {'action': 'drop', 'index': '$'}}]}";
            Exception refused = expectThrows(Exception.class, () -> pipeline("drops", drop.replace("$", "by-cluster")));
            assertTrue(
                    refused.getMessage(),
                    refused.getMessage()
                            .contains("[action] [drop] needs an [index] that is refreshed, but" + " [by-cluster]"));
            pipeline("drops", drop.replace("$", "by-itself"));
        } finally {
            refreshEvery(null);
        }
    }

    private static void refreshEvery(String interval) {
        client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(Settings.builder().put("cluster.default.index.refresh_interval", interval))
                .get();
    }

    private static Set<Object> passageCodes(String index) {
        return findings("passages", 100, index).stream()
                .map(finding -> finding.get("code"))
                .collect(Collectors.toSet());
    }

    public void testPassagesAreChecked() throws Exception {
        pipeline("passages", "{'processors': [{'passages': {'field': 'text'}}]}");
        String mapped =
                "{'properties': {'text': {'type': 'text'}, 'passages': {'properties': {'terms': {'type': 'keyword',"
                        + " 'doc_values': false}, 'scheme': {'type': 'keyword'}, 'group': {'type': 'keyword'},"
                        + " 'duplicate_of': {'type': 'keyword'}}}}}";
        index("right", "'index.default_pipeline': 'passages'", mapped);
        put("right", "1", Map.of("text", TEXT));
        put("right", "short", Map.of("text", "too short"));
        assertEquals(Set.of(), passageCodes("right"));
        Map<String, Object> changed =
                new HashMap<>(client().prepareGet("right", "1").get().getSource());
        assertTrue(changed.toString(), changed.toString().contains("terms="));
        changed.put(
                "text",
                "Bake the bread at 230 degrees for ten minutes, then turn the oven down to 200 degrees. "
                        + "Bake it for another half an hour, until it sounds hollow.");
        client().prepareIndex("right")
                .setId("1")
                .setSource(changed)
                .setPipeline("_none")
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        assertEquals(Set.of("stale_fingerprint"), passageCodes("right"));

        index("unmapped", "'index.default_pipeline': 'passages'", "{'properties': {'text': {'type': 'text'}}}");
        assertEquals(Set.of("mapping_missing"), passageCodes("unmapped"));
        put("unmapped", "1", Map.of("text", TEXT));
        // The check asks any node, and the dynamic mapping reaches one after the other.
        assertBusy(() -> {
            List<Map<?, ?>> wrong = findings("passages", 100, "unmapped");
            assertTrue(
                    wrong.toString(),
                    wrong.toString()
                            .contains("[passages.terms] must be of type [keyword] and indexed, but is of type [text]"));
            assertTrue(wrong.toString(), passageCodes("unmapped").contains("mapping_wrong"));
        });

        index("without", "", mapped);
        put("without", "1", Map.of("text", TEXT));
        assertTrue(passageCodes("without").contains("no_pipeline"));
    }
}
