/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user reads who mistyped something: the option, the rule and the value. */
@RealNodes(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ErrorsIT {

    private static final String HASH = "'hash':'0000000000000000'";
    private static final String MAP_AS = "; map [simhash] as in the plugin's config/index-template.json";
    private static final String KEYWORD =
            " must be of type [keyword], or [text] with a [keyword] sub-field, but is of type ";
    private static final String BITS =
            "[simhash] [simhash.bits] must be of type [long] with doc values, but is of type ";

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();

    ErrorsIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeAll
    void index() {
        sample.configure(client);
        client.must("PUT", "/docs-errors/_doc/1?refresh=true", "{\"content\":\"one two three\",\"title\":\"a title\"}");
        client.must("PUT", "/docs-errors/_doc/none?pipeline=_none&refresh=true", "{\"title\":\"no content\"}");
        client.must("PUT", "/plain-errors/_doc/1?refresh=true", "{\"content\":\"one two three\"}");
        client.must("PUT", "/_ingest/pipeline/no-simhash", json("{'processors':[{'set':{'field':'a','value':1}}]}"));
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/docs-errors,plain-errors", null);
        client.must("DELETE", "/_ingest/pipeline/no-simhash", null);
        sample.remove(client);
    }

    static Stream<Arguments> processors() {
        return cases(
                "{}",
                "exactly one of [field], [fields] and [hash_field] is required, got: none",
                "{'field':'a','fields':['b']}",
                "exactly one of [field], [fields] and [hash_field] is required, got: both",
                "{'fields':[]}",
                "[fields] must name at least one field, got: []",
                "{'fields':['a^x']}",
                "[fields] weight must be a number, got: a^x",
                "{'fields':['a^-1']}",
                "[fields] weight of [a] must be greater than 0 and at most 1000, got: -1.0",
                "{'field':'a','segments':1}",
                "[segments] must be between 2 and 8, got: 1",
                "{'field':'a','segments':9}",
                "[segments] must be between 2 and 8, got: 9",
                "{'field':'a','segments':'four'}",
                "[segments] must be a whole number, got: four",
                "{'field':'a','min_features':0}",
                "[min_features] must be 1 or more, got: 0",
                "{'field':'a','min_shingle_size':0}",
                "[min_shingle_size] must be between 1 and 8, got: 0",
                "{'field':'a','max_shingle_size':9}",
                "[max_shingle_size] must be between 1 and 8, got: 9",
                "{'field':'a','min_shingle_size':3}",
                "[min_shingle_size] must be at most [max_shingle_size], got: 3 and 2",
                "{'field':'a','weighting':'binary'}",
                "[weighting] must be one of [log_tf, tf, log_length], got: binary",
                "{'field':'a','hash_function':'md5'}",
                "[hash_function] must be one of [murmur3, xxh3, fnv1a], got: md5",
                "{'field':'a','html':'yes'}",
                "[html] must be one of [none, text, main], got: yes",
                "{'field':'a','analyzer':'klingon'}",
                "[analyzer] must be an analyzer that node [node-0] knows, got: klingon",
                "{'field':'a','analyzer':{'filter':['lowercase']}}",
                "[analyzer] must have a [tokenizer], got: {filter=[lowercase]}",
                "{'field':'a','analyzer':{'tokenizer':'klingon'}}",
                "[analyzer] cannot be built on node [node-0]: failed to find global tokenizer under [klingon]",
                "{'field':'a','language_field':'l','analyzers':{'de':'nope'}}",
                "[analyzers.de] must be an analyzer that node [node-0] knows, got: nope",
                "{'field':'a','feature_weights':{'a':-1}}",
                "[feature_weights] factor of [a] must be between 0 and 1000, got: -1.0",
                "{'field':'a','target_field':''}",
                "[target_field] must name a field, got an empty name",
                "{'field':'a','target_field':'_id'}",
                "[target_field] must name a field of the document, got: _id",
                "{'field':'a','segmnts':4}",
                "unknown option [segmnts], did you mean [segments]?",
                "{'feild':'a'}",
                "unknown option [feild], did you mean [field]?",
                "{'hash_feild':'a','hash_format':'hex','hash_scheme':'s'}",
                "unknown option [hash_feild], did you mean [hash_field]?");
    }

    @ParameterizedTest
    @MethodSource("processors")
    void testPipelineIsRefused(String options, String message) {
        assertError(400, message, "PUT", "/_ingest/pipeline/refused", "{'processors':[{'simhash':" + options + "}]}");
        assertEquals(404, client.get("/_ingest/pipeline/refused").status());
    }

    static Stream<Arguments> queries() {
        return cases(
                "{}",
                "Required one of fields [hash, text, document, id, image], but none were specified. ",
                "{'hash':'00','text':'x'}",
                "The following fields are not allowed together: [hash, text] ",
                "{'hash':'xyz'}",
                "[hash] must be 16 or 64 lowercase hex digits, got: xyz",
                "{'hash':'9F2C4D0011AA22BB'}",
                "[hash] must be 16 or 64 lowercase hex digits, got: 9F2C4D0011AA22BB",
                "{'hash':17}",
                "[hash] must be 16 or 64 lowercase hex digits in a string, got: 17",
                "{" + HASH + ",'max_distance':65}",
                "[max_distance] must be between 0 and 64, got: 65",
                "{" + HASH + ",'max_distance':-1}",
                "[max_distance] must be between 0 and 64, got: -1",
                "{" + HASH + ",'max_distance':3.7}",
                "[max_distance] must be a whole number of bits, got: 3.7",
                "{" + HASH + ",'max_dist':3}",
                "[1:48] [simhash] unknown field [max_dist] did you mean [max_distance]?",
                "{" + HASH + ",'include_self':true}",
                "[include_self] is only allowed together with [id], got: true",
                "{" + HASH + ",'pipeline':'fingerprint'}",
                "[pipeline] is only allowed together with [text], [image] or [document], or with [id] and [verify], got: fingerprint",
                "{'text':'x','pipeline':'nope'}",
                "[pipeline] must be an existing ingest pipeline, got: nope",
                "{'text':'x','pipeline':'no-simhash'}",
                "[pipeline] must have a [simhash] processor with target_field [simhash], got: no-simhash",
                "{'document':{'title':'t'}}",
                "[document] must have at least one of the fields [content] of the pipeline's processor, got: [title]",
                "{'field':'title'," + HASH + "}",
                "[simhash] [field] must be the object that the [simhash] processor writes, but [title] is of type [text]; "
                        + "map [title] as in the plugin's config/index-template.json");
    }

    static Stream<Arguments> wrongValues() {
        return cases(
                "{" + HASH + ",'max_distance':'x'}",
                "[max_distance] must be a whole number of bits, got: x",
                "{" + HASH + ",'max_distance':{}}",
                "[max_distance] must be a whole number of bits, got: an object",
                "{" + HASH + ",'max_distance':null}",
                "[max_distance] must be a whole number of bits, got: null",
                "{'text':5}",
                "[text] must be a string, got: 5",
                "{" + HASH + ",'field':''}",
                "[field] must name the fingerprint object, got an empty name",
                "{" + HASH + ",'boost':'x'}",
                "[boost] must be a number, got: x",
                "{" + HASH + ",'boost':{}}",
                "[boost] must be a number, got: an object",
                "{'id':'1','include_self':'yes'}",
                "[include_self] must be true or false, got: yes",
                "{'id':''}",
                "[id] must name a document, got an empty name",
                "{'id':'1','index':''}",
                "[index] must name an index, got an empty name",
                "{'text':'x','pipeline':''}",
                "[pipeline] must name an ingest pipeline, got an empty name",
                "{'text':'x','routing':'r'}",
                "[routing] is only allowed together with [id], got: r",
                "{'document':'x'}",
                "[document] must be an object, got: x",
                "{" + HASH + ",'verify':{'field':'content'}}",
                "[verify] needs a text to compare with: [text], [document] or [id], got: [hash]",
                "{'text':'x','verify':'content'}",
                "[verify] must be an object, got: content",
                "{'text':'x','verify':{}}",
                "[verify] must name the [field] of the text to compare, got: nothing",
                "{'text':'x','verify':{'field':''}}",
                "[field] must name the text to verify, got: ",
                verify("'measure':'angle'"),
                "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: angle",
                verify("'measure':1"),
                "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: 1",
                verify("'shingle_size':'x'"),
                "[shingle_size] must be a whole number, got: x",
                verify("'shingle_size':1.5"),
                "[shingle_size] must be a whole number, got: 1.5",
                verify("'shingle_size':9"),
                "[shingle_size] must be between 1 and 8, got: 9",
                verify("'min_similarity':'x'"),
                "[min_similarity] must be a number between 0 and 1, got: x",
                verify("'min_similarity':'NaN'"),
                "[min_similarity] must be a number between 0 and 1, got: NaN",
                verify("'min_similarity':1.01"),
                "[min_similarity] must be between 0.0 and 1.0, got: 1.01",
                verify("'min_similarity':true"),
                "[min_similarity] must be a number between 0 and 1, got: true",
                verify("'strict_characters':'[z-a]'"),
                "[strict_characters] must be a valid regular expression class (Illegal character range), got: [z-a]",
                verify("'strict_characters':'abc'"),
                "[strict_characters] must be one regular expression class such as [0-9A-Za-z], got: abc",
                verify("'similarity':1"),
                "[1:61] [verify] unknown field [similarity] did you mean [min_similarity]?");
    }

    private static String verify(String option) {
        return "{'text':'x','verify':{'field':'content'," + option + "}}";
    }

    @ParameterizedTest
    @MethodSource({"queries", "wrongValues"})
    void testQueryIsRefused(String options, String message) {
        assertError(400, message, "POST", "/docs-errors/_search", "{'query':{'simhash':" + options + "}}");
    }

    /** Where other parsers are around it; where in the text it stands differs. */
    @ParameterizedTest
    @MethodSource("wrongValues")
    void testQueryInsideOfOthersIsRefused(String options, String message) {
        String query = "{'query':{'bool':{'must':[{'bool':{'filter':{'simhash':" + options + "}}}]}}}";
        Answer answer = client.send("POST", "/docs-errors/_search", json(query));
        assertEquals(message.replaceFirst("^\\[1:\\d+] ", ""), answer.reason().replaceFirst("^\\[1:\\d+] ", ""));
        assertEquals(400, answer.status(), answer.text());
    }

    static Stream<Arguments> helpers() {
        String weights = "feature_weights/docs-errors";
        String jobs = "deduplicate/docs-errors";
        return Stream.of(
                        "fingerprint",
                        "{'text':'x'}",
                        "Required one of fields [pipeline, config], but none were specified. ",
                        "fingerprint",
                        "{'config':{}}",
                        "Required one of fields [text, document], but none were specified. ",
                        "fingerprint",
                        "{'config':{},'text':'x','explain':'yes'}",
                        "[explain] must be true or false, got: yes",
                        "fingerprint",
                        "{'config':{},'text':'x','colour':1}",
                        "[1:25] [fingerprint] unknown field [colour]",
                        "fingerprint",
                        "{'config':{'segments':'x'},'text':'x'}",
                        "[segments] must be a whole number, got: x",
                        "fingerprint",
                        "{'config':{},'text':42}",
                        "[text] must be a string, got: 42",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{'text':true}}",
                        "[text] must be a string, got: true",
                        "compare",
                        "{'config':{},'a':{'text':'x'}}",
                        "Required one of fields [b], but none were specified. ",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{}}",
                        "[1:36] [compare] failed to parse field [b]: "
                                + "Required one of fields [text, document, id, hash, image], but none were specified. ",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{'id':'1'}}",
                        "[index] and [id] are only allowed together, got: id 1",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{'text':'x','routing':'r'}}",
                        "[routing] is only allowed together with [id], got: r",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{'index':'docs-errors','id':'1'}}",
                        "document [1] of index [docs-errors] must have at least one of the fields [text] of the recipe,"
                                + " got: [content, simhash, title]",
                        "compare",
                        "{'config':{},'a':{'text':'x'},'b':{'tekst':'x'}}",
                        "[1:36] [compare] unknown field [tekst] did you mean [text]?",
                        weights,
                        "{'max_document_share':'x'}",
                        "[max_document_share] must be a number greater than 0 and less than 1, got: x",
                        weights,
                        "{'max_document_share':1}",
                        "[max_document_share] must be greater than 0 and less than 1, got: 1.0",
                        weights,
                        "{'sample_size':'x'}",
                        "[sample_size] must be a whole number, got: x",
                        weights,
                        "{'sample_size':true}",
                        "[sample_size] must be a whole number, got: true",
                        weights,
                        "{'sample_size':0}",
                        "[sample_size] must be between 1 and 100000, got: 0",
                        weights,
                        "{'sample':1}",
                        "[1:2] [feature_weights] unknown field [sample] did you mean [sample_size]?",
                        jobs,
                        "{'max_distance':3.5}",
                        "[max_distance] must be a whole number, got: 3.5",
                        jobs,
                        "{'dest':'groups'}",
                        "[dest] must be an object with an [index], got: groups",
                        jobs,
                        "{'verify':{'field':'content','measure':'angle'}}",
                        "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: angle",
                        jobs,
                        "{'survivor':[{'field':'_id','order':'up'}]}",
                        "[order] must be one of [asc, desc], got: up",
                        jobs,
                        "{'query':{'simhash':{" + HASH + ",'max_distance':65}}}",
                        "[max_distance] must be between 0 and 64, got: 65",
                        jobs,
                        "{'query':{'nope':{}}}",
                        "unknown query [nope]",
                        jobs + "/restore",
                        "{'run':1,'archive':{'index':'x'}}",
                        "[run] must be a string, got: 1",
                        jobs + "/restore",
                        "{'run':'x','archive':{}}",
                        "[1:23] [restore] failed to parse field [archive]: Required [index]")
                .collect(Collectors.collectingAndThen(Collectors.toList(), ErrorsIT::threes));
    }

    @ParameterizedTest
    @MethodSource("helpers")
    void testHelperIsRefused(String helper, String body, String message) {
        assertError(400, message, "POST", "/_plugins/_simhash/" + helper, body);
    }

    /** A brace too many hid the options behind it. */
    @ParameterizedTest
    @MethodSource("bodies")
    void testNothingMayStandBehindABody(String helper, String body) {
        assertError(
                400,
                "the body must be one object, got behind it: START_OBJECT",
                "POST",
                "/_plugins/_simhash/" + helper,
                body + " {}");
    }

    static Stream<Arguments> bodies() {
        return cases(
                "fingerprint",
                "{'config':{},'text':'x'}",
                "compare",
                "{'config':{},'a':{'text':'x'},'b':{'text':'x'}}",
                "feature_weights/docs-errors",
                "{}",
                "deduplicate/docs-errors",
                "{'max_distance':1}",
                "deduplicate/docs-errors/restore",
                "{'run':'x','archive':{'index':'docs-errors'}}");
    }

    static Stream<Arguments> collapses() {
        return cases(
                "{'field':1}",
                "[field] must be a string, got: 1",
                "{'field':'a..b'}",
                "[field] must name a field without empty parts between its dots, got: a..b",
                "{'max_distance':'x'}",
                "[max_distance] must be a whole number, got: x",
                "{'max_distance':65}",
                "[max_distance] must be between 0 and 64, got: 65",
                "{'oversample':'x'}",
                "[oversample] must be a factor of 1 or more, got: x",
                "{'oversample':0.5}",
                "[oversample] must be a factor of 1 or more, got: 0.5",
                "{'colour':1}",
                "unknown option [colour]");
    }

    @ParameterizedTest
    @MethodSource("collapses")
    void testCollapseIsRefused(String options, String message) {
        for (String side : List.of("request_processors", "response_processors")) {
            String pipeline = "{'" + side + "':[{'collapse_near_duplicates':" + options + "}]}";
            assertError(400, message, "PUT", "/_search/pipeline/refused", pipeline);
        }
    }

    @Test
    void testOptionsOfStatsAndOfEvidenceAreRefused() {
        assertError(
                400,
                "failed to parse setting [timeout] with value [x] as a time value: unit is missing or unrecognized",
                "GET",
                "/_plugins/_simhash/stats?timeout=x",
                "");
        assertError(
                400,
                "request [/_plugins/_simhash/stats] contains unrecognized parameter: [colour]",
                "GET",
                "/_plugins/_simhash/stats?colour=red",
                "");
        assertError(
                400,
                "request [/_plugins/_simhash/deduplicate/errors] contains unrecognized parameter: [scroll_size]",
                "POST",
                "/_plugins/_simhash/deduplicate/errors?scroll_size=1",
                "");
        assertError(
                400,
                "[evidence] must be true or false, got: yes",
                "POST",
                "/docs-errors/_search",
                "{'ext':{'simhash':{'evidence':'yes'}}}");
    }

    @Test
    void testMissingDocumentIsNotFound() {
        String search = "/docs-errors/_search";
        assertError(404, "[id] document [17] not found in [docs-errors]", "POST", search, query("'id':'17'"));
        assertError(404, "no such index [nowhere]", "POST", search, query("'id':'1','index':'nowhere'"));
        String none = "[id] document [none] of index [docs-errors] has no fingerprint in [simhash] of its _source";
        assertError(400, none, "POST", search, query("'id':'none'"));
        assertError(404, "no such index [nowhere]", "POST", "/nowhere/_search", query(HASH));
    }

    @Test
    void testTextWithoutAPipelineTellsWhatToSet() {
        String message =
                "no ingest pipeline with a [simhash] processor for field [simhash] found for [plain-errors]: set "
                        + "[pipeline], or [index.default_pipeline] of the index; POST /_plugins/_simhash/setup/plain-errors does it";
        assertError(400, message, "POST", "/plain-errors/_search", query("'text':'x'"));
    }

    static Stream<Arguments> mappings() {
        String segment = "[simhash] [simhash.segment_0]" + KEYWORD;
        return cases(
                "'bits':{'type':'keyword'}",
                BITS + "[keyword]" + MAP_AS,
                "'bits':{'type':'double'}",
                BITS + "[double]" + MAP_AS,
                "'bits':{'type':'long','doc_values':false}",
                BITS + "[long] without doc values" + MAP_AS,
                "'bits':{'type':'long'},'segment_0':{'type':'text'}",
                segment + "[text]" + MAP_AS,
                "'bits':{'type':'long'},'segment_0':{'type':'long'}",
                segment + "[long]" + MAP_AS,
                "'bits':{'type':'long'},'segment_0':{'type':'keyword','index':false}",
                segment + "[keyword] and not indexed" + MAP_AS);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void testWrongMappingTellsTheRightOne(String fields, String message) {
        String mapping = "{'mappings':{'properties':{'simhash':{'properties':{" + fields + "}}}}}";
        client.must("PUT", "/plain-wrong", json(mapping));
        assertError(400, message, "POST", "/plain-wrong/_search", query(HASH));
        client.must("DELETE", "/plain-wrong", null);
    }

    @Test
    void testDocumentIsRefused() {
        String object = "field [content] must hold text, numbers, booleans or arrays of these, got: an object";
        assertError(400, object, "PUT", "/docs-errors/_doc/2", "{'content':{'a':1}}");
        String missing = "document has none of the fields [content] of the processor [simhash]; "
                + "[ignore_missing] lets such documents pass";
        assertError(400, missing, "PUT", "/docs-errors/_doc/2", "{'title':'no content'}");
        assertError(
                400, "pipeline with id [nope] does not exist", "PUT", "/docs-errors/_doc/2?pipeline=nope", "{'a':1}");
        assertEquals(404, client.get("/docs-errors/_doc/2").status());
    }

    private void assertError(int status, String message, String method, String path, String body) {
        Answer answer = client.send(method, path, json(body));
        assertEquals(message, answer.reason());
        assertEquals(status, answer.status(), answer.text());
    }

    private static String query(String options) {
        return "{'query':{'simhash':{" + options + "}}}";
    }

    /** JSON with apostrophes in place of quotation marks, to be read in Java. */
    private static String json(String json) {
        return json.replace('\'', '"');
    }

    private static Stream<Arguments> threes(List<String> values) {
        return IntStream.range(0, values.size() / 3)
                .mapToObj(i -> Arguments.of(values.get(3 * i), values.get(3 * i + 1), values.get(3 * i + 2)));
    }

    /** Pairs of what is sent and the message that comes back. */
    private static Stream<Arguments> cases(String... sentAndMessage) {
        return IntStream.range(0, sentAndMessage.length / 2)
                .mapToObj(i -> Arguments.of(sentAndMessage[2 * i], sentAndMessage[2 * i + 1]));
    }
}
