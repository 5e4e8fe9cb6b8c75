/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Fields of conditions on a pair mean the same to all who take them: jobs, {@code near_duplicate} and collapse. */
public class ConditionFieldsTests extends DeletingTestCase {

    private static final String MAPPING = "{'properties':{'rank':{'type':'long'},'body':{'type':'text'},"
            + "'short':{'type':'keyword','ignore_above':3},'name':{'type':'text','fields':{'keyword':{'type':'keyword',"
            + "'ignore_above':3}}},'at':{'type':'date'},'nanos':{'type':'date_nanos'},'price':{'type':'integer'},"
            + "'big':{'type':'unsigned_long'},'loose':{'type':'long','ignore_malformed':true},'place':{'type':'geo_point'},"
            + "'n':{'type':'nested','properties':{'k':{'type':'keyword'},'t':{'type':'date'}}},"
            + "'simhash':{'properties':{'bits':{'type':'long'},'digest':{'type':'keyword'},"
            + "'scheme':{'type':'keyword'}}}}}";

    private static final String ONE = "[OPTION] must name mapped fields, but [nobody] is not mapped in [copies]";

    private static Map<String, String> refused() {
        Map<String, String> refused = new LinkedHashMap<>();
        for (String option : List.of("same", "differ")) {
            String named = "'" + option + "':['FIELD']";
            refused.put(named.replace("FIELD", "nobody"), ONE.replace("OPTION", option));
            refused.put(
                    named.replace("FIELD", "body"),
                    "[" + option
                            + "] must name fields with doc values of keywords, numbers, dates, booleans or addresses, but [body] is of type [text]");
            refused.put(
                    named.replace("FIELD", "n.k"),
                    "[" + option
                            + "] must name fields of the documents themselves, but [n.k] is in [n] of type [nested]");
            for (String field : List.of("short", "name")) {
                refused.put(
                        named.replace("FIELD", field),
                        "[" + option + "] must name fields whose values all have doc values, but ... has 8 characters"
                                + " in [" + field + "], whose [ignore_above] is 3");
            }
            refused.put(
                    named.replace("FIELD", "loose"),
                    "[" + option + "] must name fields whose values all have doc values, but ... has a malformed value"
                            + " in [loose], which is ignored");
        }
        refused.put("'same':[{'field':'nobody','missing':'any'}]", ONE.replace("OPTION", "same"));
        String within = "'within':{'field':'FIELD','distance':'DISTANCE'}";
        refused.put(within.replace("FIELD", "nobody").replace("DISTANCE", "72h"), ONE.replace("OPTION", "within"));
        refused.put(
                within.replace("FIELD", "n.t").replace("DISTANCE", "72h"),
                "[within] must name fields of the documents themselves, but [n.t] is in [n] of type [nested]");
        for (String field : List.of("at", "nanos")) {
            refused.put(
                    within.replace("FIELD", field).replace("DISTANCE", "72"),
                    "[distance] of [within] must be a time with its unit, as in 72h, for [" + field + "] of type ["
                            + (field.equals("at") ? "date" : "date_nanos") + "], got: 72");
        }
        for (String field : List.of("price", "big")) {
            refused.put(
                    within.replace("FIELD", field).replace("DISTANCE", "72h"),
                    "[distance] of [within] must be a number for [" + field + "] of type ["
                            + (field.equals("price") ? "integer" : "unsigned_long") + "], got: 72h");
        }
        Map.of("short", "keyword", "body", "text", "place", "geo_point")
                .forEach((field, type) -> refused.put(
                        within.replace("FIELD", field).replace("DISTANCE", "3"),
                        "[within] must name a date or a number, but [" + field + "] is of type [" + type + "]"));
        refused.put(
                within.replace("FIELD", "at").replace("DISTANCE", "soon"),
                "[distance] of [within] must be a number, or a time with its unit, as in 72h, and not negative, got:"
                        + " soon");
        return refused;
    }

    /** That no processor makes the fingerprints. */
    @Override
    protected boolean enableWarningsCheck() {
        return false;
    }

    private void create() {
        assertAcked(client().admin().indices().prepareCreate(INDEX).setMapping(MAPPING.replace('\'', '"')));
    }

    private static Map<String, Object> near(int rank, Object... fields) {
        Map<String, Object> simhash = new HashMap<>(given(rank));
        simhash.put(FingerprintFields.DIGEST, String.format(Locale.ROOT, "%032x", rank));
        Map<String, Object> document = new HashMap<>(Map.of("rank", rank, "simhash", simhash));
        for (int i = 0; i < fields.length; i += 2) {
            document.put((String) fields[i], fields[i + 1]);
        }
        return document;
    }

    private void store(Map<String, Object> document) {
        client().prepareIndex(INDEX)
                .setId(document.get("rank").toString())
                .setSource(document)
                .get();
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private void job(String options) throws Exception {
        run("{\"action\":\"tag\",\"max_distance\":3," + options.replace('\'', '"') + "}", Float.POSITIVE_INFINITY, 100);
    }

    private BulkItemResponse arrive(String options, String id, Map<String, Object> document) {
        String pipeline = "{'processors':[{'near_duplicate':{" + options + "}}]}";
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline("p", new BytesArray(pipeline.replace('\'', '"')), MediaTypeRegistry.JSON)
                .get());
        return client().prepareBulk()
                .add(new IndexRequest(INDEX).id(id).source(document).setPipeline("p"))
                .get()
                .getItems()[0];
    }

    private List<String> collapse(String options) {
        String pipeline = "{'request_processors':[{'collapse_near_duplicates':{" + options + "}}],"
                + "'response_processors':[{'collapse_near_duplicates':{}}]}";
        SearchSourceBuilder source = new SearchSourceBuilder().sort("rank", SortOrder.ASC);
        source.searchPipelineSource(
                XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
        return Arrays.stream(client().search(new SearchRequest(INDEX).source(source))
                        .actionGet()
                        .getHits()
                        .getHits())
                .map(SearchHit::getId)
                .toList();
    }

    private static void assertRefused(String who, String message, Exception e) {
        String got = OpenSearchException.guessRootCauses(e)[0].getMessage();
        String[] parts = message.split(" \\.\\.\\. ", -1);
        for (String part : parts) {
            assertTrue(who + ": " + message + "\n" + got, got.contains(part));
        }
        assertEquals(who + ": " + got, RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
    }

    public void testWhatCannotDecideIsRefusedByAllBeforeAnythingIsWritten() {
        create();
        store(near(1, "short", "long one", "name", "long one", "loose", "many"));
        store(near(2));
        refused().forEach((options, message) -> {
            assertRefused("job " + options, message, expectThrows(Exception.class, () -> job(options)));
            assertRefused("collapse " + options, message, expectThrows(Exception.class, () -> collapse(options)));
            Exception refusal;
            try {
                Map<String, Object> document = near(3, "short", "long one", "name", "long one", "loose", "many");
                BulkItemResponse item = arrive(options, "new", document);
                assertTrue(options + " is taken at ingest", item.isFailed());
                refusal = item.getFailure().getCause();
            } catch (OpenSearchException atPut) {
                refusal = atPut;
            }
            assertRefused("near_duplicate " + options, message, refusal);
            assertFalse(client().prepareGet(INDEX, "new").get().isExists());
        });
        for (String id : List.of("1", "2")) {
            assertEquals(1, client().prepareGet(INDEX, id).get().getVersion());
        }
    }

    /** Mapping and a value, by name of the field; an alias has no value of its own. */
    private static Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        for (String type : List.of("byte", "integer", "long", "unsigned_long", "half_float", "double")) {
            types.put("a_" + type, "{'type':'" + type + "'} 7");
        }
        types.put("a_keyword", "{'type':'keyword'} 'a'");
        types.put("a_constant", "{'type':'constant_keyword','value':'a'} 'a'");
        types.put("a_boolean", "{'type':'boolean'} true");
        types.put("an_ip", "{'type':'ip'} '10.0.0.1'");
        types.put("a_date", "{'type':'date'} '2026-01-01'");
        types.put("a_date_nanos", "{'type':'date_nanos'} '2026-01-01'");
        types.put("a_wildcard", "{'type':'wildcard'} 'a'");
        types.put("a_wildcard_of_values", "{'type':'wildcard','doc_values':true} 'a'");
        types.put("a_keyword_without", "{'type':'keyword','doc_values':false} 'a'");
        types.put("a_long_without", "{'type':'long','doc_values':false} 7");
        types.put("a_date_without", "{'type':'date','doc_values':false} '2026-01-01'");
        types.put("a_text", "{'type':'text'} 'a'");
        types.put("a_loaded_text", "{'type':'text','fielddata':true} 'a'");
        types.put("a_dynamic_text", "{'type':'text','fields':{'keyword':{'type':'keyword'}}} 'a'");
        types.put("a_dynamic_text.keyword", "{}");
        types.put(
                "a_loaded_dynamic_text",
                "{'type':'text','fielddata':true,'fields':{'keyword':{'type':'keyword'}}} 'a'");
        types.put("a_geo_point", "{'type':'geo_point'} '1,1'");
        types.put("a_binary", "{'type':'binary','doc_values':true} 'YQ=='");
        types.put("a_long_range", "{'type':'long_range'} {'gte':1,'lt':3}");
        types.put("a_date_range", "{'type':'date_range'} {'gte':'2026-01-01'}");
        types.put("a_completion", "{'type':'completion'} 'a'");
        types.put("an_object", "{'properties':{'in':{'type':'keyword'},'it':{'type':'long'}}} {'in':'a','it':7}");
        types.put("an_object.in", "{}");
        types.put("an_object.it", "{}");
        types.put("a_nested", "{'type':'nested','properties':{'in':{'type':'keyword'}}} {'in':'a'}");
        types.put("a_nested.in", "{}");
        types.put("a_flat", "{'type':'flat_object'} {'in':'a'}");
        types.put("a_flat.in", "{}");
        for (String to : List.of("a_keyword", "a_long", "a_date", "a_text", "a_dynamic_text", "a_geo_point")) {
            types.put("alias_of_" + to, "{'type':'alias','path':'" + to + "'}");
        }
        return types;
    }

    private static final Set<String> COMPARED = Set.of(
            "a_byte",
            "a_integer",
            "a_long",
            "a_unsigned_long",
            "a_half_float",
            "a_double",
            "a_keyword",
            "a_constant",
            "a_boolean",
            "an_ip",
            "a_date",
            "a_date_nanos",
            "a_wildcard",
            "a_wildcard_of_values",
            "a_dynamic_text",
            "a_dynamic_text.keyword",
            "a_loaded_dynamic_text",
            "an_object.in",
            "an_object.it",
            "alias_of_a_keyword",
            "alias_of_a_long",
            "alias_of_a_date");

    public void testAllTakeTheSameTypes() throws Exception {
        Map<String, String> mappings = new LinkedHashMap<>();
        Map<String, Object> values = new LinkedHashMap<>();
        types().forEach((field, type) -> {
            String[] parts = type.split("} ", 2);
            if (type.equals("{}") == false) {
                mappings.put(field, "'" + field + "':" + parts[0] + (parts.length > 1 ? "}" : ""));
            }
            if (parts.length > 1) {
                values.put(field, parse("{'v':" + parts[1] + "}").get("v"));
            }
        });
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(MAPPING.replace("{'rank'", "{" + String.join(",", mappings.values()) + ",'rank'")
                        .replace('\'', '"')));
        List<Object> fields = new ArrayList<>();
        values.forEach((field, value) -> fields.addAll(List.of(field, value)));
        for (int rank = 1; rank <= 2; rank++) {
            store(near(rank, fields.toArray()));
        }
        List<String> unlike = new ArrayList<>();
        for (String field : types().keySet()) {
            for (String option : List.of(
                    "'same':['FIELD']",
                    "'same':[{'field':'FIELD','missing':'any'}]",
                    "'differ':['FIELD']",
                    "'within':{'field':'FIELD','distance':3}",
                    "'within':{'field':'FIELD','distance':'3h'}")) {
                String options = option.replace("FIELD", field);
                String byJob = answer(() -> job(options));
                String bySearch = answer(() -> collapse(options));
                String byArrival = answer(() -> {
                    BulkItemResponse item = arrive(options, "new", near(3, fields.toArray()));
                    if (item.isFailed()) {
                        throw item.getFailure().getCause();
                    }
                });
                if (byJob.equals(bySearch) == false || byJob.equals(byArrival) == false) {
                    unlike.add(options + "\n  job: " + byJob + "\n  collapse: " + bySearch + "\n  near_duplicate: "
                            + byArrival);
                }
                if (option.contains("within") == false && COMPARED.contains(field) != byJob.equals("taken")) {
                    unlike.add(options + " by all: " + byJob);
                }
            }
        }
        assertTrue(String.join("\n", unlike), unlike.isEmpty());
    }

    private interface Use {
        void run() throws Exception;
    }

    private static String answer(Use use) {
        try {
            use.run();
            return "taken";
        } catch (Exception e) {
            assertEquals(e.toString(), RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
            String message = OpenSearchException.guessRootCauses(e)[0].getMessage();
            return message.replaceFirst("^\\[(collapse_near_duplicates|near_duplicate)] ", "");
        }
    }

    private static Map<String, Object> parse(String json) {
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, json.replace('\'', '"'), true);
    }

    /** As many times as a document may have it: a value is one of the field's, or it is not. */
    public void testARepeatedValueCountsOnce() throws Exception {
        Map<String, Object> once = Map.of(
                "long", 7, "double", 1.5, "date", "2026-01-01", "boolean", true, "ip", "10.0.0.1", "keyword", "7");
        for (Map.Entry<String, Object> type : once.entrySet()) {
            String mapping = "{'properties':{'text':{'type':'text'},'f':{'type':'" + type.getKey() + "'},";
            assertAcked(client().admin()
                    .indices()
                    .prepareCreate(INDEX)
                    .setMapping(MAPPING.replace("{'properties':{", mapping).replace('\'', '"')));
            store(near(1, "text", "one text for all of them", "f", type.getValue()));
            store(near(2, "text", "one text for all of them", "f", List.of(type.getValue(), type.getValue())));
            client().prepareIndex("log")
                    .setSource(Map.of("ids", List.of("1", "2")))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
            for (String option : List.of("'same':['f']", "'same':[{'field':'f','missing':'any'}]", "'differ':['f']")) {
                String by = type.getKey() + " " + option;
                long equal = option.startsWith("'same'") ? 1 : 0;
                String candidates = ",'candidates':{'index':'log','field':'ids'},'verify':{'field':'text'}";
                for (String more : List.of(",'max_distance':3", candidates)) {
                    String body = "{" + (option + more).replace('\'', '"') + "}";
                    JobResponse job = run(body, Float.POSITIVE_INFINITY, 100);
                    assertEquals(by + more, equal, job.count("duplicates"));
                }
                assertEquals(by, equal == 1 ? List.of("1") : List.of("1", "2"), collapse(option));
                Map<String, Object> third = near(3, "f", List.of(type.getValue(), type.getValue(), type.getValue()));
                assertFalse(arrive(option, "3", third).isFailed());
                Map<?, ?> tagged = client().prepareGet(INDEX, "3").get().getSource();
                assertEquals(by, equal == 1, tagged.containsKey("near_duplicate"));
                client().prepareDelete(INDEX, "3")
                        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                        .get();
            }
            client().admin().indices().prepareDelete(INDEX, "log").get();
        }
    }

    /** A derived field has no values that a job reads: every document would look as if it had none. */
    public void testWhatIsDerivedDecidesNothing() throws Exception {
        String derived = "{'derived':{'made':{'type':'long','script':{'source':'emit(1)'}},"
                + "'day':{'type':'date','script':{'source':'emit(1)'}}},";
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(MAPPING.replace("{'properties':{'rank'", derived + "'properties':{'rank'")
                        .replace('\'', '"')));
        store(near(1));
        store(near(2));
        for (String option : List.of(
                "'same':['made']",
                "'same':[{'field':'made','missing':'any'}]",
                "'differ':['made']",
                "'within':{'field':'made','distance':3}",
                "'within':{'field':'day','distance':'3h'}",
                "'survivor':[{'field':'made','order':'asc'}]",
                "'survivor':[{'field':'day','order':'desc'}]")) {
            String field = option.contains("made") ? "[made]" : "[day]";
            List<Use> uses = new ArrayList<>(List.of(() -> job(option)));
            if (option.contains("survivor") == false) {
                uses.add(() -> collapse(option));
                uses.add(() -> {
                    BulkItemResponse item = arrive(option, "new", near(3));
                    if (item.isFailed()) {
                        throw item.getFailure().getCause();
                    }
                });
            }
            for (Use use : uses) {
                String refusal = answer(use);
                assertTrue(option + ": " + refusal, refusal.contains(field));
            }
        }
        assertEquals(
                "[survivor] must name fields whose values have an order, but [made] is of type [derived]",
                answer(() -> job("'survivor':[{'field':'made','order':'asc'}]")));
    }

    /** Numbers above those of a long, too. */
    public void testUnsignedLongs() throws Exception {
        BigInteger most = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
        Map<String, List<Object>> pairs = Map.of(
                "'within':{'field':'big','distance':3}", List.of(10, 13, 17, 30),
                "'same':['big']", List.of(most, most, most.subtract(BigInteger.ONE), 5),
                "'differ':['big']", List.of(7, 8, 7, 7));
        for (Map.Entry<String, List<Object>> pair : pairs.entrySet()) {
            create();
            List<Object> values = pair.getValue();
            List<String> originals = new ArrayList<>();
            for (int rank = 0; rank < values.size(); rank++) {
                BulkItemResponse item = arrive(pair.getKey(), "" + rank, near(rank, "big", values.get(rank)));
                assertFalse(item.getFailureMessage(), item.isFailed());
                Object tag =
                        client().prepareGet(INDEX, "" + rank).get().getSource().get("near_duplicate");
                originals.add(tag instanceof Map<?, ?> found ? (String) found.get("id") : "none");
            }
            client().admin().indices().prepareRefresh(INDEX).get();
            boolean isDiffer = pair.getKey().contains("differ");
            assertEquals(
                    pair.getKey(),
                    isDiffer ? List.of("none", "0", "1", "1") : List.of("none", "0", "none", "none"),
                    originals);
            assertEquals(pair.getKey(), List.of("0", "2", "3"), collapse(pair.getKey()));
            String options = "{\"max_distance\":3," + pair.getKey().replace('\'', '"') + "}";
            String report = Strings.toString(MediaTypeRegistry.JSON, run(options, Float.POSITIVE_INFINITY, 100));
            assertTrue(pair.getKey() + report, report.contains("\"duplicates\":1,"));
            client().admin().indices().prepareDelete(INDEX).get();
        }
    }
}
