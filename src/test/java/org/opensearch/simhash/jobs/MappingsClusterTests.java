/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;

/**
 * Whatever a mapping makes of fingerprints: the query, collapse and jobs find all near-duplicates, or say why not. A mapping that
 * refuses the documents says so itself.
 */
public class MappingsClusterTests extends SimHashClusterTestCase {

    private static final String TEXT =
            "Enough words of one text for a fingerprint that is made of some features at least, and a few more";

    /** Too short for bits. */
    private static final String SHORT = "Two words";

    private static final String FOUND = "found";

    private static final String KEYWORD = "{'type': 'keyword'}";
    private static final String BITS = "'bits': {'type': 'long'}";
    private static final String TERMS = "'digest': " + KEYWORD + ", 'scheme': " + KEYWORD;

    private static String object(String settings) {
        boolean isTyped = settings.contains("'type': 'object'")
                || settings.contains("nested")
                || settings.contains("flat_object")
                || settings.contains("'properties'");
        return "{'properties': {'simhash': {" + (isTyped ? "" : "'type': 'object', ") + settings + "}}}";
    }

    private static String parts(String parts) {
        return object("'properties': {" + parts + "}");
    }

    private static String templates(String templates, String rest) {
        return "{'dynamic_templates': [{'t': " + templates + "}]" + rest + "}";
    }

    public void testNothingIsMissedInSilence() throws IOException {
        List<String> found = List.of(
                "{}",
                "{'dynamic': true}",
                "{'date_detection': true, 'numeric_detection': false}",
                "{'disable_objects': true}",
                "{'properties': {'content': {'type': 'text', 'copy_to': 'all'}}}",
                object("'type': 'object'"),
                object("'dynamic': true"),
                object("'disable_objects': true"),
                object("'disable_objects': true, 'dynamic': true"),
                object("'type': 'nested', 'include_in_root': true"),
                object("'type': 'nested', 'include_in_parent': true"),
                parts(BITS + ", " + TERMS),
                parts("'bits': {'type': 'long', 'index': false, 'store': true, 'ignore_malformed': true}, " + TERMS),
                parts(BITS + ", 'digest': {'type': 'keyword', 'doc_values': false}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': {'type': 'keyword', 'ignore_above': 32}, 'scheme': " + KEYWORD),
                "{'dynamic': false, 'properties': {'simhash': {'type': 'object', 'dynamic': true}}}",
                "{'dynamic': 'false_allow_templates', 'properties': {'simhash': {'type': 'object', 'dynamic': true}}}",
                "{'dynamic': false, 'properties': {'simhash': {'properties': {" + BITS + ", " + TERMS + "}}}}",
                "{'dynamic': 'false_allow_templates', 'disable_objects': true, 'properties': {'simhash.bits':"
                        + " {'type': 'long'}, 'simhash.digest': " + KEYWORD + ", 'simhash.scheme': " + KEYWORD + "}}",
                "{'dynamic': false, 'disable_objects': true, 'properties': {'simhash.bits': {'type': 'long'},"
                        + " 'simhash.digest': " + KEYWORD + ", 'simhash.scheme': " + KEYWORD + "}}",
                templates(
                        "{'match_mapping_type': 'string', 'path_match': 'simhash.*', 'mapping': " + KEYWORD + "}",
                        ", 'dynamic': 'false_allow_templates', 'properties': {'simhash': {'properties': {" + BITS
                                + "}}}"),
                "{'_source': {'excludes': ['simhash.segment_*']}}",
                "{'derived': {'first': {'type': 'keyword', 'script': {'source': 'emit(doc.toString())'}}}}",
                "{'dynamic': 'strict_allow_templates', 'properties': {'content': {'type': 'text'}, 'simhash': {'type':"
                        + " 'object', 'dynamic': true}}}",
                templates(
                        "{'path_match': 'simhash.segment_*', 'mapping': " + KEYWORD + "}",
                        ", 'dynamic': 'strict_allow_templates', 'properties': {'content': {'type': 'text'}, 'simhash':"
                                + " {'properties': {" + BITS + ", " + TERMS + ", 'hash': " + KEYWORD
                                + ", 'features': {'type': 'integer'}}}}"),
                parts(
                        "'bits': {'type': 'long', 'copy_to': 'all_bits'}, 'digest': {'type': 'keyword', 'copy_to': 'all'},"
                                + " 'scheme': {'type': 'keyword', 'copy_to': 'all'}"),
                parts("'bits': {'type': 'long', 'fields': {'text': " + KEYWORD + "}}, 'digest': {'type': 'keyword',"
                        + " 'fields': {'short': {'type': 'keyword', 'ignore_above': 4}}}, 'scheme': " + KEYWORD),
                parts("'bits': {'type': 'long', 'fields': {'digest': {'type': 'text'}}}, " + TERMS),
                "{'properties': {'content': {'type': 'text', 'fields': {'simhash': " + KEYWORD + "}}}}");
        for (String mapping : found) {
            assertEquals(mapping, FOUND, outcomes(mapping));
        }
        List<String> refused = List.of(
                "{'dynamic': 'strict'}",
                "{'dynamic': 'strict_allow_templates'}",
                object("'dynamic': 'strict'"),
                object("'dynamic': 'strict_allow_templates', 'properties': {" + BITS + ", " + TERMS + "}"),
                parts("'bits': {'type': 'long', 'doc_values': false, 'index': false}, " + TERMS),
                parts(BITS + ", 'digest': {'type': 'keyword', 'doc_values': false, 'index': false}, 'scheme': "
                        + KEYWORD),
                parts(BITS + ", 'digest': " + KEYWORD
                        + ", 'scheme': {'type': 'keyword', 'doc_values': false, 'index': false}"),
                parts("'bits': {'type': 'integer', 'ignore_malformed': true}, " + TERMS),
                parts("'bits': {'type': 'unsigned_long', 'ignore_malformed': true}, " + TERMS),
                parts("'bits': {'type': 'date', 'ignore_malformed': true}, " + TERMS),
                parts("'bits': {'type': 'text', 'fields': {'number': {'type': 'long'}}}, " + TERMS),
                parts("'bits': {'type': 'alias', 'path': 'number'}, " + TERMS)
                        .replace("{'properties': {'simhash'", "{'properties': {'number': {'type': 'long'}, 'simhash'"),
                "{'dynamic': false}",
                "{'dynamic': 'false_allow_templates'}",
                "{'enabled': false}",
                "{'dynamic': false, 'disable_objects': true}",
                "{'dynamic': false, 'properties': {'other': {'properties': {'a': " + KEYWORD + "}}}}",
                object("'dynamic': false"),
                object("'dynamic': 'false_allow_templates'"),
                object("'dynamic': false, 'disable_objects': true"),
                object("'dynamic': false, 'properties': {" + BITS + "}"),
                object("'dynamic': 'false_allow_templates', 'properties': {" + BITS + "}"),
                object("'dynamic': 'false_allow_templates', 'properties': {" + BITS + ", 'digest': " + KEYWORD + "}"),
                object("'dynamic': false, 'properties': {" + TERMS + "}"),
                object("'enabled': false"),
                object("'enabled': false, 'properties': {" + BITS + "}"),
                object("'type': 'flat_object'"),
                object("'type': 'nested'"),
                parts("'bits': {'type': 'long', 'doc_values': false}, " + TERMS),
                parts("'bits': {'type': 'double'}, " + TERMS),
                parts("'bits': {'type': 'keyword'}, " + TERMS),
                parts(BITS + ", 'digest': {'type': 'keyword', 'index': false}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': {'type': 'keyword', 'ignore_above': 8}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': " + KEYWORD + ", 'scheme': {'type': 'keyword', 'ignore_above': 4}"),
                parts(BITS + ", 'digest': {'type': 'match_only_text'}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': {'type': 'wildcard'}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': {'type': 'text'}, 'scheme': " + KEYWORD),
                templates("{'match_mapping_type': 'object', 'mapping': {'type': 'object', 'enabled': false}}", ""),
                templates("{'match_mapping_type': 'object', 'mapping': {'type': 'object', 'dynamic': false}}", ""),
                templates("{'match_mapping_type': 'object', 'mapping': {'type': 'nested'}}", ""),
                templates("{'match_mapping_type': 'string', 'mapping': {'type': 'keyword', 'index': false}}", ""),
                templates("{'match_mapping_type': 'string', 'mapping': {'type': 'keyword', 'ignore_above': 4}}", ""),
                templates("{'match_mapping_type': 'long', 'mapping': {'type': 'long', 'doc_values': false}}", ""),
                templates(
                        "{'match_mapping_type': 'string', 'path_match': 'simhash.d*', 'mapping': " + KEYWORD + "}",
                        ", 'dynamic': 'false_allow_templates', 'properties': {'simhash': {'properties': {" + BITS
                                + "}}}"));
        for (String mapping : refused) {
            assertRefused(mapping, outcomes(mapping));
        }
    }

    /** What a setting of the index leaves out, or keeps in another way. */
    public void testSettingsOfAnIndexLeaveOutNothingInSilence() throws IOException {
        String typed = "'content': {'type': 'text', 'store': true}, 'simhash': {'properties': {" + BITS + ", " + TERMS
                + ", 'hash': " + KEYWORD + ", 'features': {'type': 'integer'}, 'segment_0': " + KEYWORD
                + ", 'segment_1': " + KEYWORD + ", 'segment_2': " + KEYWORD + ", 'segment_3': " + KEYWORD + "}}";
        List<String> derived = List.of(
                "{'properties': {" + typed + "}}",
                "{'properties': {" + typed.replace(", 'store': true", "") + "}}",
                "{'properties': {" + typed.replace(BITS, "'bits': {'type': 'long', 'doc_values': false, 'store': true}")
                        + "}}",
                "{}");
        for (String mapping : derived) {
            assertSound("derived source, " + mapping, outcomes(mapping, "index.derived_source.enabled", true));
        }
        String tree =
                "{'composite': {'tree': {'type': 'star_tree', 'config': {'max_leaf_docs': 1, 'ordered_dimensions':"
                        + " [{'name': 'simhash.bits'}, {'name': 'simhash.features'}], 'metrics': [{'name': 'simhash.features',"
                        + " 'stats': ['sum']}]}}}, 'properties': {" + typed + "}}";
        assertSound("star tree", outcomes(tree, "index.composite_index", true, "index.append_only.enabled", true));
        assertSound("star tree", outcomes(tree, "index.composite_index", true));
        for (int limit : new int[] {1, 3, 6, 9, 12}) {
            assertSound("" + limit, outcomes("{}", "index.mapping.total_fields.limit", limit));
        }
        assertSound("depth", outcomes("{}", "index.mapping.depth.limit", 1));
        assertSound("names", outcomes("{}", "index.mapping.field_name_length.limit", 8));
        assertEquals(FOUND, outcomes("{}", "index.mapping.coerce", false, "index.mapping.ignore_malformed", true));
        assertSound(
                "malformed",
                outcomes(parts("'bits': {'type': 'integer'}, " + TERMS), "index.mapping.ignore_malformed", true));
        assertSound("sorted", outcomes("{'properties': {" + typed + "}}", "index.sort.field", "simhash.bits"));
    }

    /** The fingerprint is in an object that a parent leaves out. */
    public void testParentsLeaveOutNothingInSilence() throws IOException {
        pipeline("deep", "{'processors': [{'simhash': {'field': 'content', 'target_field': 'meta.print'}}]}");
        String fields = "'print': {'properties': {" + BITS + ", " + TERMS + "}}";
        assertEquals(FOUND, outcomesBelow("{}"));
        assertEquals(FOUND, outcomesBelow("{'properties': {'meta': {'properties': {" + fields + "}}}}"));
        for (String parent : List.of(
                "'enabled': false",
                "'enabled': false, 'properties': {" + fields + "}",
                "'dynamic': false",
                "'dynamic': 'false_allow_templates'",
                "'dynamic': 'strict'",
                "'dynamic': 'strict_allow_templates'",
                "'type': 'flat_object'",
                "'type': 'nested'",
                "'type': 'nested', 'properties': {" + fields + "}",
                "'properties': {'print': {'type': 'object', 'enabled': false}}",
                "'properties': {'print': {'type': 'flat_object'}}",
                "'properties': {'print': {'type': 'nested'}}")) {
            String type = parent.startsWith("'type'") || parent.startsWith("'properties'") ? "" : "'type': 'object', ";
            String mapping = "{'properties': {'meta': {" + type + parent + "}}}";
            assertRefused(mapping, outcomesBelow(mapping));
        }
    }

    private String outcomesBelow(String mapping) throws IOException {
        return outcomes(mapping, "meta.print", List.of("index.default_pipeline", "deep"));
    }

    /** Documents of both indices count, or the search is refused. */
    public void testSeveralIndicesWithOtherTypes() throws IOException {
        for (String mapping : List.of(
                parts("'bits': {'type': 'double'}, " + TERMS),
                parts("'bits': {'type': 'keyword'}, " + TERMS),
                parts("'bits': {'type': 'long', 'doc_values': false}, " + TERMS),
                parts(BITS + ", 'digest': {'type': 'text'}, 'scheme': " + KEYWORD),
                parts(BITS + ", 'digest': " + KEYWORD + ", 'scheme': {'type': 'text'}"),
                object("'enabled': false"),
                object("'type': 'nested'"),
                object("'type': 'flat_object'"),
                object("'dynamic': false"),
                "{'dynamic': false}")) {
            newIndex("others-1", "{}", 1, 0, "index.default_pipeline", "fingerprint");
            newIndex("others-2", mapping, 1, 0, "index.default_pipeline", "fingerprint");
            try {
                BulkRequestBuilder bulk = client().prepareBulk();
                for (int i = 1; i <= 2; i++) {
                    bulk.add(client().prepareIndex("others-" + i).setId("" + i).setSource(Map.of("content", TEXT)));
                }
                BulkResponse response = bulk.get();
                if (response.hasFailures()) {
                    continue;
                }
                refresh("others-*");
                List<String> outcomes = List.of(
                        "text " + outcome(() -> query("others-*", "\"text\":\"" + TEXT + "\"") == 2),
                        "collapse " + outcome(() -> collapsed("others-*", "simhash") == 1),
                        "job " + outcome(() -> job("others-*", "simhash") == 1));
                assertFalse(mapping + ": " + outcomes, outcomes.toString().contains("MISSED"));
            } finally {
                client().admin().indices().prepareDelete("others-1", "others-2").get();
            }
        }
    }

    private void assertSound(String setup, String outcomes) {
        logger.info("{}: {}", setup, outcomes == null ? "no such index" : outcomes);
        assertFalse(setup + ": " + outcomes, outcomes != null && outcomes.contains("MISSED"));
    }

    /** Patterns that stand for fields are new; where the version does not know them, the index is refused. */
    public void testPatternsThatStandForFields() throws IOException {
        String any = "{'dynamic_properties': {'simhash.*e*': " + KEYWORD + "}}";
        String outcome = outcomes(any);
        assumeFalse("not known to this version", outcome == null);
        for (String mapping : List.of(
                any,
                any.replace("{'dynamic_", "{'dynamic': false, 'dynamic_"),
                any.replace("{'dynamic_", "{'dynamic': 'false_allow_templates', 'dynamic_"),
                any.replace("'keyword'", "'keyword', 'ignore_above': 4"),
                "{'dynamic_properties': {'simhash.b*': {'type': 'integer', 'ignore_malformed': true}}}",
                "{'dynamic_properties': {'simhash.*': " + KEYWORD + "}}")) {
            assertRefused(mapping, outcomes(mapping));
        }
    }

    private static void assertRefused(String mapping, String outcomes) {
        assertNotNull(mapping, outcomes);
        // What does not need the part that is missing may be found: short texts without bits.
        assertTrue(mapping + ": " + outcomes, outcomes.contains("refused"));
        assertFalse(mapping + ": " + outcomes, outcomes.contains("MISSED"));
    }

    /** {@value #FOUND} when all do; else what each does. Null when there can be no such index. */
    private String outcomes(String mapping, Object... settings) throws IOException {
        List<Object> all = new ArrayList<>(List.of("index.default_pipeline", "fingerprint"));
        all.addAll(List.of(settings));
        return outcomes(mapping, "simhash", all);
    }

    private String outcomes(String mapping, String field, List<Object> settings) throws IOException {
        String index = "copies";
        try {
            newIndex(index, mapping, 1, 0, settings.toArray());
        } catch (OpenSearchException | IllegalArgumentException e) {
            return null;
        }
        try {
            BulkRequestBuilder bulk = client().prepareBulk();
            for (int i = 1; i <= 2; i++) {
                bulk.add(client().prepareIndex(index).setId("long" + i).setSource(Map.of("content", TEXT)));
                bulk.add(client().prepareIndex(index).setId("short" + i).setSource(Map.of("content", SHORT)));
            }
            BulkResponse response = bulk.get();
            if (response.hasFailures()) {
                return "refused: " + response.buildFailureMessage();
            }
            refresh(index);
            List<String> outcomes = new ArrayList<>();
            String of = "\"field\":\"" + field + "\",";
            for (String text : List.of(TEXT, SHORT)) {
                outcomes.add("text " + outcome(() -> query(index, of + "\"text\":\"" + text + "\"") == 2));
            }
            for (String id : List.of("long1", "short1")) {
                outcomes.add("id " + outcome(() -> query(index, of + "\"id\":\"" + id + "\"") == 1));
            }
            outcomes.add("collapse " + outcome(() -> collapsed(index, field) == 2));
            outcomes.add("job " + outcome(() -> job(index, field) == 2));
            TreeSet<String> different = new TreeSet<>();
            outcomes.forEach(outcome -> different.add(outcome.substring(outcome.indexOf(' ') + 1)));
            return different.equals(new TreeSet<>(List.of(FOUND))) ? FOUND : outcomes.toString();
        } finally {
            client().admin().indices().prepareDelete(index).get();
        }
    }

    private interface Search {
        boolean findsAll() throws IOException;
    }

    private static String outcome(Search search) throws IOException {
        try {
            return search.findsAll() ? FOUND : "MISSED";
        } catch (OpenSearchException | IllegalArgumentException e) {
            Throwable cause = ExceptionsHelper.unwrapCause(e);
            assertEquals(String.valueOf(e), 400, ExceptionsHelper.status(cause).getStatus());
            return "refused " + cause.getMessage();
        }
    }

    private static long query(String index, String source) {
        SearchResponse response = client().prepareSearch(index)
                .setQuery(QueryBuilders.wrapperQuery("{\"simhash\":{" + source + "}}"))
                .setAllowPartialSearchResults(false)
                .get();
        return response.getHits().getTotalHits().value();
    }

    private static long collapsed(String index, String field) {
        String collapse = "[{\"collapse_near_duplicates\":{\"field\":\"" + field + "\"}}]";
        Map<String, Object> processors = XContentHelper.convertToMap(
                JsonXContent.jsonXContent,
                "{\"request_processors\":" + collapse + ",\"response_processors\":" + collapse + "}",
                false);
        SearchRequestBuilder search =
                client().prepareSearch(index).setSource(new SearchSourceBuilder().searchPipelineSource(processors));
        return search.get().getHits().getHits().length;
    }

    private long job(String index, String field) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, "{\"field\":\"" + field + "\"}")) {
            DeduplicateAction.Request request = DeduplicateAction.Request.fromXContent(
                    new String[] {index}, parser, new WritePace(Float.POSITIVE_INFINITY, 50));
            return client().execute(DeduplicateAction.INSTANCE, request)
                    .actionGet()
                    .count("groups");
        }
    }
}
