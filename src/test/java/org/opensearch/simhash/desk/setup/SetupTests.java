/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.MendingRequest;
import org.opensearch.simhash.desk.check.PipelineSteps;
import org.opensearch.simhash.desk.check.Step;
import org.opensearch.test.OpenSearchTestCase;

/** What a setup is asked to do, which text it takes, and where its pipeline goes. */
public class SetupTests extends OpenSearchTestCase {

    private static final String TEXTS = "{'properties':{'title':{'type':'text'},'body':{'type':'text'},"
            + "'code':{'type':'keyword'},'story':{'type':'keyword','fields':{'words':{'type':'text'}}},'notes':{'type':'nested','properties':{'text':{'type':'text'}}}}}";
    private static final Map<String, String> PIPELINES = Map.of(
            "own", "{'processors':[{'set':{'field':'seen','value':true}}]}",
            "writes", "{'processors':[{'simhash':{'field':'body'}}]}",
            "compares", "{'processors':[{'near_duplicate':{'action':'drop'}}]}");

    private static XContentParser parser(String json) throws IOException {
        return JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.replace('\'', '"'));
    }

    private static SetupOptions options(String body) throws IOException {
        try (XContentParser parser = parser(body)) {
            return SetupOptions.fromXContent(parser);
        }
    }

    private static void assertRefused(String body, String reason) {
        Exception e = expectThrows(IllegalArgumentException.class, () -> options(body));
        assertTrue(e.getMessage(), e.getMessage().startsWith(reason));
    }

    public void testOptions() throws IOException {
        SetupOptions byDefault = SetupOptions.fromXContent(null);
        assertEquals(new SetupOptions(List.of(), SketchKind.SIMHASH, null, Map.of(), null, null, false), byDefault);
        assertEquals(byDefault, options("{}"));
        assertEquals(
                new SetupOptions(
                        List.of("title^2", "body"),
                        SketchKind.MINHASH,
                        "print",
                        Map.of("html", "main"),
                        Map.of("action", "tag"),
                        "mine",
                        true),
                options("{'field':['title^2','body'],'sketch':'minhash','near_duplicate':{'action':'tag'},"
                        + "'pipeline':'mine','target_field':'print','processor':{'html':'main'},'apply':true}"));
        assertEquals(
                List.of("title", "body"),
                options("{'field':['title^2','body']}").paths());
    }

    public void testWrongOptionsAreNamedWithRuleAndValue() {
        assertRefused("{'field':7}", "[field] must be a string or a list of strings, got: 7");
        assertRefused("{'field':[]}", "[field] must be a string or a list of strings, got: an empty list");
        assertRefused("{'field':[{}]}", "[field] must be a string or a list of strings, got: an object");
        assertRefused(
                "{'field':'a..b'}", "[field] must name a text field without empty parts between its dots, got: a..b");
        assertRefused("{'sketch':'md5'}", "[sketch] must be one of [simhash, minhash, passages], got: md5");
        assertRefused("{'near_duplicate':true}", "[near_duplicate] must be an object, got: true");
        assertRefused(
                "{'target_field':'a..b'}",
                "[target_field] must name an object without empty parts between its dots, got: a..b");
        assertRefused("{'processor':7}", "[processor] must be an object, got: 7");
        assertRefused(
                "{'processor':{'target_field':'a'}}",
                "[processor] must leave out what setup has as options of its own, and [hash_field], which is of no text,"
                        + " got: target_field");
        assertRefused("{'pipeline':1}", "[pipeline] must be a string, got: 1");
        assertRefused("{'pipeline':'_none'}", "[pipeline] must be the name of a pipeline, got: _none");
        assertRefused("{'apply':'yes'}", "[apply] must be true or false, got: yes");
        assertRefused("{'aply':true}", "[1:");
    }

    private static PipelineSteps pipelines() {
        return new PipelineSteps(metadata(Settings.EMPTY));
    }

    private static Metadata metadata(Settings settings) {
        try {
            return build(settings);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Metadata build(Settings settings) throws IOException {
        Map<String, PipelineConfiguration> pipelines = new HashMap<>();
        PIPELINES.forEach((name, json) -> pipelines.put(
                name,
                new PipelineConfiguration(name, new BytesArray(json.replace('\'', '"')), MediaTypeRegistry.JSON)));
        return Metadata.builder()
                .put(
                        IndexMetadata.builder("articles")
                                .settings(Settings.builder()
                                        .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                                        .put(settings))
                                .numberOfShards(1)
                                .numberOfReplicas(0)
                                .putMapping(TEXTS.replace('\'', '"'))
                                .build(),
                        false)
                .putCustom(IngestMetadata.TYPE, new IngestMetadata(pipelines))
                .build();
    }

    private static CheckedIndex index(String... settings) {
        Metadata metadata = metadata(
                Settings.builder().putProperties(pairs(settings), key -> key).build());
        return CheckedIndex.of(metadata.index("articles"), "simhash", new PipelineSteps(metadata), null);
    }

    private static Map<String, String> pairs(String... settings) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            pairs.put("index." + settings[i] + "_pipeline", settings[i + 1]);
        }
        return pairs;
    }

    // Which text.

    private static SampledTexts sample(String... documents) {
        SampledTexts sample = new SampledTexts();
        for (String document : documents) {
            sample.add(index(), parsed(document));
        }
        return sample;
    }

    private static Map<String, Object> parsed(String json) {
        try (XContentParser parser = parser(json)) {
            return parser.map();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String refusal(SampledTexts sample) {
        return expectThrows(IllegalArgumentException.class, () -> sample.choose(List.of(index())))
                .getMessage();
    }

    public void testTheTextWithMostCharactersIsChosen() {
        String key = "k".repeat(500);
        SampledTexts sample = sample(
                "{'title':'Tram','body':'a text that is longer than its title','code':'" + key + "'}",
                "{'title':'Bread','body':['one text','and another'],'title2':null}");
        SampledTexts.Choice choice = sample.choose(List.of(index()));
        assertEquals(List.of("body"), choice.fields());
        assertEquals(
                "[body] has 86 % of the characters of all texts in 2 documents looked at; the next, [title], has 14 %",
                choice.why());
    }

    public void testShortTextsAreQuestionsOrFacts() {
        for (String text : List.of("The user prefers the dark mode.", "小明有3本书，小红有几本书？")) {
            SampledTexts sample = new SampledTexts();
            for (int i = 0; i < 5; i++) {
                assertTrue(sample.lines(List.of("body")).isEmpty());
                sample.add(index(), Map.of("body", text + i, "title", "two words".repeat(40)));
            }
            assertTrue(sample.lines(List.of("title", "body")).isEmpty());
            Map<String, Object> proposal =
                    sample.lines(List.of("body")).orElseThrow().proposal("body");
            boolean areFacts = text.endsWith(".");
            assertEquals(areFacts ? "pipeline-facts.json" : "pipeline-questions.json", proposal.get("recipe"));
            Map<?, ?> body = (Map<?, ?>) proposal.get("setup");
            assertEquals(Map.of("features", "content_words"), body.get("processor"));
            Map<?, ?> verify = (Map<?, ?>) ((Map<?, ?>) body.get("near_duplicate")).get("verify");
            assertEquals(areFacts ? "facts" : "lcs", verify.get("measure"));
        }
        SampledTexts texts = new SampledTexts();
        for (int i = 0; i < 6; i++) {
            texts.add(index(), Map.of("body", "one two three four five six ".repeat(6)));
        }
        assertTrue(texts.lines(List.of("body")).isEmpty());
    }

    public void testDataIsNoText() {
        SampledTexts sample = sample("{'body':'" + "QUJD".repeat(100) + "','title':'a title'}");
        assertEquals(List.of("title"), sample.choose(List.of(index())).fields());
        assertEquals(
                List.of("body"),
                sample("{'body':'" + "\u4e2d\u6587".repeat(200) + "','title':'a title'}")
                        .choose(List.of(index()))
                        .fields());
    }

    public void testATextMayBeASubFieldAndOtherStringsAreNamed() {
        String text = "a text that people search by its words";
        assertEquals(
                List.of("story"),
                sample("{'story':'" + text + "'}").choose(List.of(index())).fields());
        assertEquals(
                "[field] must name the text field, got: nothing, and none of 1 documents looked at has a text; strings that"
                        + " are mapped otherwise are [code]",
                refusal(sample("{'code':'" + text + "','simhash':{'hash':'a b'}}")));
    }

    public void testEqualTextsAreNamed() {
        String message = refusal(sample("{'title':'a text of some length','body':'a text of like length'}"));
        assertTrue(
                message, message.startsWith("[field] must name the text field, got: nothing, and several have equal"));
        assertTrue(message, message.contains("50 % in [body], 50 % in [title]"));
    }

    public void testNestedTextsAreAnObstacle() {
        String message = refusal(sample("{'notes':[{'text':'a text in a nested object'}]}"));
        assertTrue(message, message.endsWith("only nested objects have texts, in [notes.text]"));
    }

    public void testNamedFieldsMustBeTexts() {
        SampledTexts sample = sample("{'title':'Tram','body':'a text','views':3}");
        List<CheckedIndex> indices = List.of(index());
        assertEquals(
                List.of("title^2", "body"),
                sample.require(List.of("title^2", "body"), indices).fields());
        for (Map.Entry<String, String> wrong : Map.of(
                        "notes.text", "which is in the nested objects of [notes]",
                        "notes", "which is in the nested objects of [notes]",
                        "story.words", "which is a sub-field of [story]: name that",
                        "simhash.hash", "where the fingerprint is written",
                        "bdoy", "which none of 1 documents looked at has; texts are [body, title]")
                .entrySet()) {
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> sample.require(List.of(wrong.getKey()), indices));
            assertEquals(
                    "[field] must name a text field, got: " + wrong.getKey() + ", " + wrong.getValue(), e.getMessage());
        }
    }

    public void testWithoutDocumentsTheMappingTells() {
        assertEquals(
                List.of("body"), new SampledTexts().choose(List.of(index())).fields());
    }

    // Where the pipeline goes.

    private static Placement placed(Map<String, Object> nearDuplicate, String... settings) {
        Map<String, Object> writer = Map.of("simhash", Map.of("field", "body", "ignore_missing", true));
        return Placement.of(index(settings), new Placement.Wanted(writer, nearDuplicate, "made", false, pipelines()));
    }

    private static void assertPlaced(String setting, String pipeline, String updating, Placement placement) {
        assertEquals("index." + setting + "_pipeline", placement.setting());
        assertEquals(pipeline, placement.pipeline());
        assertEquals(updating, placement.updating());
    }

    public void testThePipelineJoinsThoseOfTheIndex() {
        assertPlaced("default", "made", "made", placed(null));
        assertPlaced("default", "made", "made", placed(null, "final", "own"));
        assertPlaced("final", "made", "_none", placed(null, "default", "own"));
        Placement both = placed(null, "default", "own", "final", "own");
        assertPlaced("default", "made-with-own", "made", both);
        assertEquals(
                List.of("made", "made-with-own"), List.copyOf(both.pipelines().keySet()));
        assertEquals(
                List.of(Map.of("pipeline", Map.of("name", "own")), Map.of("pipeline", Map.of("name", "made"))),
                both.pipelines().get("made-with-own").get("processors"));
    }

    public void testNoneIsNeededWhereOneWrites() {
        for (String setting : List.of("default", "final")) {
            Placement there = placed(null, setting, "writes");
            assertNull(there.setting());
            assertEquals(Map.of(), there.pipelines());
            assertEquals(setting.equals("final") ? "_none" : "writes", there.updating());
        }
    }

    public void testNearDuplicateFollowsTheFingerprint() {
        Map<String, Object> tag = Map.of("action", "tag");
        assertPlaced("final", "made-near-duplicate", "writes", placed(tag, "default", "writes"));
        Exception last = expectThrows(IllegalArgumentException.class, () -> placed(tag, "final", "writes"));
        assertTrue(last.getMessage(), last.getMessage().startsWith("[near_duplicate] must follow the fingerprint"));
        // What compares already gets its fingerprint before.
        Placement before = placed(null, "default", "compares");
        assertEquals(
                List.of(Map.of("pipeline", Map.of("name", "made")), Map.of("pipeline", Map.of("name", "compares"))),
                before.pipelines().get("made-with-compares").get("processors"));
        Exception other = expectThrows(IllegalArgumentException.class, () -> placed(tag, "default", "compares"));
        assertTrue(other.getMessage(), other.getMessage().contains("{action=drop}: change that pipeline"));
    }

    public void testAnIndexThatPullsItsDocumentsHasNoNearDuplicate() {
        Metadata metadata = metadata(
                Settings.builder().put("index.ingestion_source.type", "file").build());
        CheckedIndex pulled = CheckedIndex.of(metadata.index("articles"), "simhash", new PipelineSteps(metadata), null);
        Map<String, Object> writer = Map.of("simhash", Map.of("field", "body"));
        Placement last = Placement.of(pulled, new Placement.Wanted(writer, null, "made", false, pipelines()));
        assertPlaced("final", "made", "_none", last);
        Exception refused = expectThrows(
                IllegalArgumentException.class,
                () -> Placement.of(
                        pulled, new Placement.Wanted(writer, Map.of("action", "tag"), "made", false, pipelines())));
        assertEquals(
                "[near_duplicate] must be left out where an index pulls its documents, as OpenSearch does not wait until"
                        + " they are looked up, got: {action=tag} with [articles]: use jobs with [dest]",
                refused.getMessage());
    }

    public void testAClusterThatRunsNoPipelinesIsAnObstacle() {
        for (boolean isIngest : List.of(true, false)) {
            Set<DiscoveryNodeRole> roles = Set.of(
                    DiscoveryNodeRole.DATA_ROLE,
                    isIngest ? DiscoveryNodeRole.INGEST_ROLE : DiscoveryNodeRole.REMOTE_CLUSTER_CLIENT_ROLE);
            DiscoveryNodes nodes = DiscoveryNodes.builder()
                    .add(new DiscoveryNode("one", buildNewFakeTransportAddress(), Map.of(), roles, Version.CURRENT))
                    .build();
            if (isIngest) {
                SetupRun.requireIngestNode(nodes, "articles");
            } else {
                Exception e = expectThrows(
                        IllegalArgumentException.class, () -> SetupRun.requireIngestNode(nodes, "articles"));
                assertEquals(
                        "[index] must be in a cluster that runs pipelines, got: articles, and no node has the role [ingest]",
                        e.getMessage());
            }
        }
    }

    public void testAMissingPipelineIsAnObstacle() {
        Exception e = expectThrows(IllegalArgumentException.class, () -> placed(null, "default", "gone"));
        assertEquals(
                "[index] must have pipelines that exist, got: articles, which refuses documents, for it has [gone]",
                e.getMessage());
    }

    /** Two calls in each of sixteen pipelines: 131,071 steps. */
    public void testCallsThatMultiplyAreNotAllFollowed() {
        Map<String, Map<String, Object>> calling = new HashMap<>();
        Map<String, Object> writer = Map.of("simhash", Map.of("field", "body"));
        for (int i = 0; i < 16; i++) {
            Map<String, Object> call = Map.of("pipeline", Map.of("name", "p" + (i + 1)));
            calling.put("p" + i, Map.of("processors", List.of(writer, call, call)));
        }
        PipelineSteps known = new PipelineSteps(metadata(Settings.EMPTY), calling);
        List<Step> steps = known.of(List.of("p0"));
        assertTrue("" + steps.size(), steps.size() >= 10_000 && steps.size() < 10_100);
        assertTrue(steps.getFirst().writes("simhash"));
        assertEquals(1, known.of(List.of("writes")).size());
    }

    public void testASpaceInAPathIsNoPlus() {
        assertEquals("my%20pipe%2B1", MendingRequest.encoded("my pipe+1"));
        assertEquals("a%20b,c*", MendingRequest.encoded("a b,c*"));
    }
}
