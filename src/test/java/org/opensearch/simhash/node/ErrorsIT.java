/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
                "exactly one of [field] and [fields] is required, got: none",
                "{'field':'a','fields':['b']}",
                "exactly one of [field] and [fields] is required, got: both",
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
                "{'field':'a','weighting':'tfidf'}",
                "[weighting] must be one of [log_tf, binary, tf], got: tfidf",
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
                "processor [simhash] doesn't support one or more provided configuration parameters [segmnts]");
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
                "Required one of fields [hash, text, document, id], but none were specified. ",
                "{'hash':'00','text':'x'}",
                "The following fields are not allowed together: [hash, text] ",
                "{'hash':'xyz'}",
                "[hash] must be 16 lowercase hex digits, got: xyz",
                "{'hash':'9F2C4D0011AA22BB'}",
                "[hash] must be 16 lowercase hex digits, got: 9F2C4D0011AA22BB",
                "{'hash':17}",
                "[1:29] [simhash] hash doesn't support values of type: VALUE_NUMBER",
                "{" + HASH + ",'max_distance':65}",
                "[max_distance] must be between 0 and 64, got: 65",
                "{" + HASH + ",'max_distance':-1}",
                "[max_distance] must be between 0 and 64, got: -1",
                "{" + HASH + ",'max_distance':3.7}",
                "[max_distance] must be a whole number between 0 and 64, got: 3.7",
                "{" + HASH + ",'max_dist':3}",
                "[1:48] [simhash] unknown field [max_dist] did you mean [max_distance]?",
                "{" + HASH + ",'include_self':true}",
                "[include_self] is only allowed together with [id], got: true",
                "{" + HASH + ",'pipeline':'fingerprint'}",
                "[pipeline] is only allowed together with [text] or [document], got: fingerprint",
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

    @ParameterizedTest
    @MethodSource("queries")
    void testQueryIsRefused(String options, String message) {
        assertError(400, message, "POST", "/docs-errors/_search", "{'query':{'simhash':" + options + "}}");
    }

    @Test
    void testMissingDocumentIsNotFound() {
        String search = "/docs-errors/_search";
        assertError(404, "[id] document [17] not found in [docs-errors]", "POST", search, query("'id':'17'"));
        assertError(404, "no such index [nowhere]", "POST", search, query("'id':'1','index':'nowhere'"));
        assertError(404, "no such index [nowhere]", "POST", "/nowhere/_search", query(HASH));
    }

    @Test
    void testTextWithoutAPipelineTellsWhatToSet() {
        String message =
                "no ingest pipeline with a [simhash] processor for field [simhash] found for [plain-errors]: set "
                        + "[pipeline], or [index.default_pipeline] of the index";
        assertError(400, message, "POST", "/plain-errors/_search", query("'text':'x'"));
        assertError(
                400,
                "[id] document [1] of index [plain-errors] has no fingerprint in [simhash]",
                "POST",
                "/plain-errors/_search",
                query("'id':'1'"));
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

    /** Pairs of what is sent and the message that comes back. */
    private static Stream<Arguments> cases(String... sentAndMessage) {
        return IntStream.range(0, sentAndMessage.length / 2)
                .mapToObj(i -> Arguments.of(sentAndMessage[2 * i], sentAndMessage[2 * i + 1]));
    }
}
