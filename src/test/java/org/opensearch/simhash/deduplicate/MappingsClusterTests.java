/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MapperParsingException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.query.SimHashClusterTestCase;

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
                "{'_source': {'excludes': ['simhash.segment_*']}}");
        for (String mapping : found) {
            assertEquals(mapping, FOUND, outcomes(mapping));
        }
        List<String> refused = List.of(
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

    /** Patterns that stand for fields are new; where the version does not know them, the index is refused. */
    public void testPatternsThatStandForFields() throws IOException {
        String any = "{'dynamic_properties': {'simhash.*e*': " + KEYWORD + "}}";
        String outcome = outcomes(any);
        assumeFalse("not known to this version", outcome == null);
        assertEquals(FOUND, outcome);
        for (String mapping : List.of(
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
    private String outcomes(String mapping) throws IOException {
        String index = "copies";
        try {
            newIndex(index, mapping, 1, 0, "index.default_pipeline", "fingerprint");
        } catch (MapperParsingException e) {
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
            for (String text : List.of(TEXT, SHORT)) {
                outcomes.add("text " + outcome(() -> query(index, "\"text\":\"" + text + "\"") == 2));
            }
            for (String id : List.of("long1", "short1")) {
                outcomes.add("id " + outcome(() -> query(index, "\"id\":\"" + id + "\"") == 1));
            }
            outcomes.add("collapse " + outcome(() -> collapsed(index) == 2));
            outcomes.add("job " + outcome(() -> job(index) == 2));
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

    private static long collapsed(String index) {
        Map<String, Object> processors = Map.of(
                "request_processors", List.of(Map.of("collapse_near_duplicates", Map.of())),
                "response_processors", List.of(Map.of("collapse_near_duplicates", Map.of())));
        SearchRequestBuilder search = client().prepareSearch(index)
                .setSource(new SearchSourceBuilder().searchPipelineSource(new TreeMap<>(processors)));
        return search.get().getHits().getHits().length;
    }

    private long job(String index) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, "{}")) {
            DeduplicateAction.Request request = new DeduplicateAction.Request(
                    new String[] {index}, DeduplicateOptions.fromXContent(parser), WritePace.of(-1, 50));
            return client().execute(DeduplicateAction.INSTANCE, request)
                    .actionGet()
                    .count("groups");
        }
    }
}
